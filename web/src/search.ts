/** Search params of the address. Unknown values are ignored. */
export type Raw = Record<string, unknown>

export const word = <W extends string>(words: readonly W[], value: unknown): W | undefined =>
  words.find((candidate) => candidate === value)

/** Text of up to 200 characters. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length > 0 && value.length <= 200 ? value : undefined

export const flag = (value: unknown): true | undefined => (value === true || value === 'true' ? true : undefined)

export const page = (value: unknown): number | undefined =>
  Number.isInteger(value) && Number(value) > 1 && Number(value) < 1e7 ? Number(value) : undefined

/** `2026-11-21` */
export const day = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined

/**
 * Defined search params by name. Undefined ones stay as keys: they do not appear in the address, but without the key
 * the router would pass the unchecked value.
 */
export const definedParams = <T extends Raw>(values: T) => values as { [K in keyof T]?: Exclude<T[K], undefined> }

/** Address of the same list at another page; the first page has no parameter. */
export const atPage = <S extends { page?: number }>({ page: _, ...rest }: S, page: number) => ({
  ...rest,
  ...(page > 1 && { page }),
})
