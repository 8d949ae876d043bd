/** What is selected: rows by their ids, or everything that the filters match, read or not. */
export type GridSelection = { kind: 'ids'; ids: ReadonlySet<string> } | { kind: 'all' }

export const NOTHING: GridSelection = { kind: 'ids', ids: new Set() }

export const isSelected = (selection: GridSelection, id: string): boolean => selection.kind === 'all' || selection.ids.has(id)

export const isEmpty = (selection: GridSelection): boolean => selection.kind === 'ids' && selection.ids.size === 0

/** Adds a row, or takes it away. Of "all that match", it leaves what is read but for this one. */
export const toggled = (selection: GridSelection, id: string, read: readonly string[]): GridSelection => {
  const ids = new Set(selection.kind === 'all' ? read : selection.ids)
  if (!ids.delete(id)) ids.add(id)
  return { kind: 'ids', ids }
}

/** Adds every row from one to the other, in either direction. */
export const withRange = (selection: GridSelection, from: number, to: number, read: readonly string[]): GridSelection => {
  if (selection.kind === 'all') return selection
  const range = read.slice(Math.min(from, to), Math.max(from, to) + 1)
  return { kind: 'ids', ids: new Set([...selection.ids, ...range]) }
}
