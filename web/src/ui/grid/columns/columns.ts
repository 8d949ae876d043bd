import type { ReactNode } from 'react'

/** A column of a grid. Declare columns outside of components: a new list per render would render every row again. */
export interface GridColumn<Row> {
  /** Unique in the grid; key of the stored width and visibility. */
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** The first column only: its cell has a link of its own, to the page of the object. */
  hasLink?: true
  /** Initial width in pixels. The first column takes the remaining space. */
  width: number
  /** Sort name of the API; absent: not sortable. */
  sort?: string
  /** First sort direction; default `asc`. */
  firstOrder?: Order
  /** Hidden until the user shows it. `unless-sorted`: shown as soon as the list is sorted by it. */
  isHidden?: true | 'unless-sorted'
  /** Aligns numbers to the right. */
  align?: 'end'
  /** Line of a phone row, which has two. Absent: only in the preview. */
  line?: 1 | 2
}

export type Order = 'asc' | 'desc'

export interface GridSort {
  by: string
  order: Order
}

/** Reverses the direction if the list is already sorted by this column. */
export const nextSort = <Row>(column: GridColumn<Row>, current: GridSort): GridSort => {
  const by = column.sort ?? current.by
  if (current.by === by) return { by, order: current.order === 'asc' ? 'desc' : 'asc' }
  return { by, order: column.firstOrder ?? 'asc' }
}
