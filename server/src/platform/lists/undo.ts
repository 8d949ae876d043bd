import { invalid } from '../errors.ts'

/** @throws ApiError VALIDATION_ERROR for a row that is named twice */
export const requireEachOnce = (items: readonly { id: string }[]): void => {
  if (new Set(items.map(({ id }) => id)).size < items.length) throw invalid('items: names a row twice')
}

/** Different values that an audit entry names. */
const MAX_NAMED = 50

/** For the audit log: the values that a revert has set, with the number of rows that got them. */
export const summarizeReverted = (items: readonly { set: object }[]): { set: unknown; rows: number }[] => {
  const rows = Map.groupBy(items, ({ set }) => JSON.stringify(set))
  return [...rows].slice(0, MAX_NAMED).map(([set, of]) => ({ set: JSON.parse(set) as unknown, rows: of.length }))
}
