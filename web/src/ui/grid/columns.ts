import type { ReactNode } from 'react'

/** A column of a grid. Columns are declared outside of components: a new list of them on each render is new work for every row. */
export interface GridColumn<Row> {
  /** Unique in the grid; under it, width and visibility are kept. */
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** Pixels at first. The first column takes what the others leave. */
  width: number
  /** The name that the server sorts by; absent: the column does not sort. */
  sort?: string
  /** The direction that is usually wanted first; `asc` unless given. */
  firstOrder?: Order
  /** Not shown until somebody chooses it. */
  isHidden?: true
  /** Numbers stand at the right. */
  align?: 'end'
  /** On a phone a row has two lines: of the first and of the second. Absent: only in the preview. */
  line?: 1 | 2
}

export type Order = 'asc' | 'desc'

export interface GridSort {
  by: string
  order: Order
}

/** The other direction where the list is sorted by this column already. */
export const nextSort = <Row>(column: GridColumn<Row>, current: GridSort): GridSort => {
  const by = column.sort ?? current.by
  if (current.by === by) return { by, order: current.order === 'asc' ? 'desc' : 'asc' }
  return { by, order: column.firstOrder ?? 'asc' }
}
