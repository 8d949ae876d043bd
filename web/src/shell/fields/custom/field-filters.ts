import { FIELD_FILTER, type FilterValues, isFieldFilter } from '../../../ui/filters/filters.ts'

/** Filters as the query of a list. */
export type FilterQuery = Readonly<Record<string, string | string[]>>

/**
 * Filters as the API takes them: `field.cost_center` is `field=cost_center:4711`. Several options of a field must all
 * match, so each is a filter of its own.
 * @param splits names of the fields whose options are separated by commas; in others a comma is part of the value
 */
export const withFieldQuery = (values: FilterValues, splits: (name: string) => boolean): FilterQuery => {
  const field = Object.entries(values).flatMap(([name, value]) => {
    if (!isFieldFilter(name)) return []
    const parts = splits(name) ? value.split(',').filter(Boolean) : [value]
    return parts.map((part) => `${name.slice(FIELD_FILTER.length)}:${part}`)
  })
  const others = Object.fromEntries(Object.entries(values).filter(([name]) => !isFieldFilter(name)))
  return field.length === 0 ? others : { ...others, field }
}

/** Whether a filter offers several options. */
export const splitsBy = (definitions: readonly { name: string; kind: string }[]) => (name: string) =>
  definitions.some((definition) => definition.name === name && definition.kind === 'words')
