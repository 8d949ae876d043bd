/** What the address bar says after the question mark. Anything else than the known values counts as not said. */
export type Raw = Record<string, unknown>

export const word = <W extends string>(words: readonly W[], value: unknown): W | undefined => words.find((candidate) => candidate === value)

/** A line of up to 200 characters. */
export const text = (value: unknown): string | undefined => (typeof value === 'string' && value.length > 0 && value.length <= 200 ? value : undefined)

export const flag = (value: unknown): true | undefined => (value === true || value === 'true' ? true : undefined)

export const page = (value: unknown): number | undefined => (Number.isInteger(value) && Number(value) > 1 && Number(value) < 1e7 ? Number(value) : undefined)

/** `2026-11-21` */
export const day = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined

/**
 * What was said, by name. What was not is undefined, and does not show in the address; it stays named here, since the
 * router would else let the unchecked value through.
 */
export const definedParams = <T extends Raw>(values: T) => values as { [K in keyof T]?: Exclude<T[K], undefined> }

/** The same list at another page. The first one is what an address without a page means. */
export const atPage = <S extends { page?: number }>({ page: _, ...rest }: S, page: number) => ({ ...rest, ...(page > 1 && { page }) })
