/** Selection: row ids, or everything that matches the filters, loaded or not. */
export type GridSelection = { kind: 'ids'; ids: ReadonlySet<string> } | { kind: 'all' }

export const NOTHING: GridSelection = { kind: 'ids', ids: new Set() }

export const isSelected = (selection: GridSelection, id: string): boolean =>
  selection.kind === 'all' || selection.ids.has(id)

export const isEmpty = (selection: GridSelection): boolean => selection.kind === 'ids' && selection.ids.size === 0

/** Toggles a row. From "all that match", keeps the loaded rows except this one. */
export const toggled = (selection: GridSelection, id: string, read: readonly string[]): GridSelection => {
  const ids = new Set(selection.kind === 'all' ? read : selection.ids)
  if (!ids.delete(id)) ids.add(id)
  return { kind: 'ids', ids }
}

/** Adds all rows between two, in either direction. */
export const withRange = (
  selection: GridSelection,
  from: number,
  to: number,
  read: readonly string[],
): GridSelection => {
  if (selection.kind === 'all') return selection
  const range = read.slice(Math.min(from, to), Math.max(from, to) + 1)
  return { kind: 'ids', ids: new Set([...selection.ids, ...range]) }
}
