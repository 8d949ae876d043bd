/** What a field holds: text, a number, a choice, or a list of such. */
export type Values = Record<string, unknown>

/** Equal as far as a request would tell. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

export type Side = 'mine' | 'theirs'

export interface Difference {
  field: string
  base: unknown
  mine: unknown
  theirs: unknown
  /** Who changed it since the changes began. Only what both changed is a choice that nobody can guess. */
  changedBy: Side | 'both'
}

/**
 * Every field in which two versions differ.
 *
 * @param base what both were made from
 */
export const differences = <V extends Values>(base: V, mine: V, theirs: V): Difference[] =>
  Object.keys(mine)
    .filter((field) => !isSame(mine[field], theirs[field]))
    .map((field) => ({
      field,
      base: base[field],
      mine: mine[field],
      theirs: theirs[field],
      changedBy: isSame(base[field], theirs[field]) ? 'mine' : isSame(base[field], mine[field]) ? 'theirs' : 'both',
    }))

/** Their version, with those fields of mine that were chosen. */
export const merge = <V extends Values>(mine: V, theirs: V, choices: Partial<Record<string, Side>>): V =>
  Object.fromEntries(Object.keys(theirs).map((field) => [field, choices[field] === 'mine' ? mine[field] : theirs[field]])) as V

export const withoutFields = <V extends Values>(values: V, fields: readonly (keyof V)[]): V =>
  Object.fromEntries(Object.entries(values).filter(([field]) => !fields.includes(field))) as V

/** The values, with those of another version of the same form; fields that the form does not have by now are left out. */
export const fitting = <V extends Values>(values: V, others: Partial<V>): V =>
  Object.fromEntries(Object.entries(values).map(([field, value]) => [field, field in others ? others[field] : value])) as V
