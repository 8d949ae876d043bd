/** Value of a field: text, number, boolean, or a list of those. */
export type Values = Record<string, unknown>

/** Compares values as they appear in a request. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

export type Side = 'mine' | 'theirs'

export interface Difference {
  field: string
  base: unknown
  mine: unknown
  theirs: unknown
  /** Side that changed the field since the base. Only `both` requires a choice by the user. */
  changedBy: Side | 'both'
}

/**
 * Fields that differ between two versions.
 * @param base common ancestor
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

/** Their version, with the selected fields of mine. */
export const merge = <V extends Values>(mine: V, theirs: V, choices: Partial<Record<string, Side>>): V =>
  Object.fromEntries(
    Object.keys(theirs).map((field) => [field, choices[field] === 'mine' ? mine[field] : theirs[field]]),
  ) as V

export const withoutFields = <V extends Values>(values: V, fields: readonly (keyof V)[]): V =>
  Object.fromEntries(Object.entries(values).filter(([field]) => !fields.includes(field))) as V

/** Copies values from another version of the same form; drops fields that the form no longer has. */
export const fitting = <V extends Values>(values: V, others: Partial<V>): V =>
  Object.fromEntries(
    Object.entries(values).map(([field, value]) => [field, field in others ? others[field] : value]),
  ) as V
