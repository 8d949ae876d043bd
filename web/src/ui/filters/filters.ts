/** Filters of a list, by their API names. */
export type FilterDefinition<Name extends string = string> = { name: Name; label: string } &
  /** `isSingle`: an object has at most one of the values. */
  (
    | { kind: 'words'; options: readonly { value: string; label: string }[]; isSingle?: boolean }
    /** A word, an id or a number as free text. */
    | { kind: 'text' }
    | { kind: 'day' }
    /** On or absent. */
    | { kind: 'flag' }
  )

/** Values by filter name, several separated by commas; `q` is the free text. */
export type FilterValues = Readonly<Record<string, string>>

export const valuesOf = (values: FilterValues, name: string): string[] => values[name]?.split(',').filter(Boolean) ?? []

/** Sets the values of a filter; removes it if there are none. */
export const withValues = (values: FilterValues, name: string, wanted: readonly string[]): FilterValues => {
  const { [name]: _, ...others } = values
  return wanted.length === 0 ? others : { ...others, [name]: wanted.join(',') }
}

/**
 * Parses `port:443 status:open,closed some words`. A value with spaces is quoted: `tag:"needs retest"`. A prefix that
 * names no filter is text: `http://a` is not a filter named http.
 */
export const parseFilters = (text: string, definitions: readonly FilterDefinition[]): FilterValues => {
  const values: Record<string, string[]> = {}
  const words: string[] = []
  for (const [token, name, quoted, plain] of text.matchAll(/(?:([A-Za-z][\w.]*):)?(?:"([^"]*)"|(\S+))/g)) {
    const definition = definitions.find((candidate) => candidate.name.toLowerCase() === name?.toLowerCase())
    if (!definition) words.push(name === undefined ? (quoted ?? plain ?? '') : token)
    else
      values[definition.name] = [
        ...(values[definition.name] ?? []),
        ...(quoted ?? plain ?? '').split(',').filter(Boolean),
      ]
  }
  const q = words.join(' ').trim().slice(0, 200)
  return {
    ...Object.fromEntries(Object.entries(values).map(([name, given]) => [name, [...new Set(given)].join(',')])),
    ...(q && { q }),
  }
}

/** Inverse of `parseFilters`: the filters as one line that users can type and share. */
export const formatFilters = (values: FilterValues, definitions: readonly FilterDefinition[]): string =>
  [
    ...definitions.flatMap(({ name }) => {
      const value = values[name]
      return value === undefined ? [] : [/\s/.test(value) ? `${name}:"${value}"` : `${name}:${value}`]
    }),
    ...(values['q'] ? [values['q']] : []),
  ].join(' ')

/**
 * Filters of a list in the search params. The router parses `443` as a number, and writes numbers without quotes. Names
 * only: routes are part of the first page, labels and options come with their own page.
 */
export const filterSearch =
  (names: readonly string[]) =>
  (raw: Record<string, unknown>): Record<string, string | number | boolean> =>
    Object.fromEntries(
      namesIn(raw, names).flatMap((name) => {
        const value = raw[name]
        return isSet(value) ? [[name, value] as const] : []
      }),
    )

/** Start of the names of filters by custom fields: `field.cost_center`. */
export const FIELD_FILTER = 'field.'

export const isFieldFilter = (name: string): boolean => /^field\.[a-z][a-z0-9_]{0,39}$/.test(name)

/** Filters by custom fields are known only once their definitions are read. */
const namesIn = (search: Readonly<Record<string, unknown>>, names: readonly string[]): string[] => [
  ...new Set(['q', ...names, ...Object.keys(search).filter(isFieldFilter)]),
]

const isSet = (value: unknown): value is string | number | boolean =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value !== '' && value.length <= 2_000)

/** Filters of an address as texts, as the API takes them. */
export const filterValues = (
  search: Readonly<Record<string, unknown>>,
  definitions: readonly FilterDefinition[],
): FilterValues =>
  Object.fromEntries(
    namesIn(
      search,
      definitions.map(({ name }) => name),
    ).flatMap((name) => {
      const value = search[name]
      return isSet(value) ? [[name, String(value)] as const] : []
    }),
  )

/** Filters as search params: numbers are unquoted. */
export const toSearch = (values: FilterValues): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, /^(?:0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value]),
  )

/** `usr_01j...`: not every id has a label here. */
const ID = /^[a-z]{2,5}_[0-9a-z]{26}$/

/**
 * Why typed filters are not applied: `severity has no value “hgih”: use critical, high, medium`. Undefined if they can
 * be.
 */
export const mistakeIn = (
  values: Readonly<Record<string, string>>,
  definitions: readonly FilterDefinition[],
): string | undefined => {
  for (const definition of definitions) {
    const given = values[definition.name]
    if (given === undefined || definition.kind !== 'words' || definition.options.length === 0) continue
    const known = new Set(definition.options.map(({ value }) => value))
    const unknown = given.split(',').find((value) => !known.has(value) && !ID.test(value))
    if (unknown === undefined) continue
    const some = [...known].filter((value) => !ID.test(value)).slice(0, 8)
    return `${definition.name} has no value “${unknown}”: use ${some.join(', ')}`
  }
  return undefined
}
