import type { GridTable } from './use-grid-columns.ts'

const CHECKBOX_PX = 36

/** Columns in display order: pinned columns come first. */
export const shownColumns = (table: GridTable) => [
  ...table.getPinnedVisibleLeafColumns('start'),
  ...table.getPinnedVisibleLeafColumns('center'),
]

/** `grid-template-columns` of every row. The first column takes the remaining space. */
export const columnTemplate = (table: GridTable, isSelectable: boolean): string =>
  [
    ...(isSelectable ? [`${CHECKBOX_PX}px`] : []),
    ...shownColumns(table).map((column, index) =>
      index === 0 ? `minmax(${column.getSize()}px, 1fr)` : `${column.getSize()}px`,
    ),
  ].join(' ')

/** Pixels of all columns together: every row of a grid is as wide, with any content. */
export const columnsWidth = (table: GridTable, isSelectable: boolean): number =>
  shownColumns(table).reduce((sum, column) => sum + column.getSize(), isSelectable ? CHECKBOX_PX : 0)

/** How far from the left a column stays while the others scroll; undefined for one that scrolls. */
export const stickyLeft = (table: GridTable, columnId: string, isSelectable: boolean): number | undefined => {
  const pinned = table.getPinnedVisibleLeafColumns('start')
  const index = pinned.findIndex(({ id }) => id === columnId)
  if (index < 0) return undefined
  return pinned.slice(0, index).reduce((left, column) => left + column.getSize(), isSelectable ? CHECKBOX_PX : 0)
}

/** True for the last pinned column: what scrolls passes below its edge. */
export const isPinnedEdge = (table: GridTable, columnId: string): boolean =>
  table.getPinnedVisibleLeafColumns('start').at(-1)?.id === columnId
