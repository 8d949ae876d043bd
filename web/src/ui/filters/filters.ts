/** What a list can be filtered by, in the names that the API has for it. */
export type FilterDefinition = { name: string; label: string } & (
  | { kind: 'words'; options: readonly { value: string; label: string }[] }
  /** A word, an id or a number that is typed. */
  | { kind: 'text' }
  | { kind: 'day' }
  /** On or not said. */
  | { kind: 'flag' }
)

/** Values by the names of filters, several of one separated by commas; `q` is the text without a name. */
export type FilterValues = Readonly<Record<string, string>>

export const valuesOf = (values: FilterValues, name: string): string[] => values[name]?.split(',').filter(Boolean) ?? []

/** Without the filter where nothing is wanted of it. */
export const withValues = (values: FilterValues, name: string, wanted: readonly string[]): FilterValues => {
  const { [name]: _, ...others } = values
  return wanted.length === 0 ? others : { ...others, [name]: wanted.join(',') }
}

/**
 * Reads `port:443 status:open,closed some words`. A value with blanks stands in quotes: `tag:"needs retest"`. What names no
 * filter is text: `http://a` is no filter named http.
 */
export const parseFilters = (text: string, definitions: readonly FilterDefinition[]): FilterValues => {
  const values: Record<string, string[]> = {}
  const words: string[] = []
  for (const [token, name, quoted, plain] of text.matchAll(/(?:([A-Za-z]+):)?(?:"([^"]*)"|(\S+))/g)) {
    const definition = definitions.find((candidate) => candidate.name.toLowerCase() === name?.toLowerCase())
    if (!definition) words.push(name === undefined ? (quoted ?? plain ?? '') : token)
    else values[definition.name] = [...(values[definition.name] ?? []), ...(quoted ?? plain ?? '').split(',').filter(Boolean)]
  }
  const q = words.join(' ').trim().slice(0, 200)
  return { ...Object.fromEntries(Object.entries(values).map(([name, given]) => [name, [...new Set(given)].join(',')])), ...(q && { q }) }
}

/** The same text again: what the address says, in one line that can be typed and sent to somebody. */
export const formatFilters = (values: FilterValues, definitions: readonly FilterDefinition[]): string =>
  [
    ...definitions.flatMap(({ name }) => {
      const value = values[name]
      return value === undefined ? [] : [/\s/.test(value) ? `${name}:"${value}"` : `${name}:${value}`]
    }),
    ...(values['q'] ? [values['q']] : []),
  ].join(' ')

/** What of the address bar is a filter of the list. The router reads `443` as a number, and writes a number without quotes. */
export const filterSearch =
  (definitions: readonly FilterDefinition[]) =>
  (raw: Record<string, unknown>): Record<string, string | number | boolean> =>
    Object.fromEntries(
      ['q', ...definitions.map(({ name }) => name)].flatMap((name) => {
        const value = raw[name]
        return isSaid(value) ? [[name, value] as const] : []
      }),
    )

const isSaid = (value: unknown): value is string | number | boolean =>
  typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value !== '' && value.length <= 2_000)

/** The filters of an address as texts, as the API takes them. */
export const filterValues = (search: Readonly<Record<string, unknown>>, definitions: readonly FilterDefinition[]): FilterValues =>
  Object.fromEntries(
    ['q', ...definitions.map(({ name }) => name)].flatMap((name) => {
      const value = search[name]
      return isSaid(value) ? [[name, String(value)] as const] : []
    }),
  )

/** As the address has them: a number is written without quotes. */
export const toSearch = (values: FilterValues): Record<string, string | number> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, /^(?:0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value]))
