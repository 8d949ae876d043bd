import type { ReactNode } from 'react'
import type { GridColumn, GridSort } from './columns/columns.ts'
import type { GridSelection } from './rows/selection.ts'
import type { GridRows } from './rows/use-rows.ts'

export interface GridProps<Row> {
  /** Unique among all grids: key of the stored column choices. */
  name: string
  /** For screen readers. */
  label: string
  /** Singular and plural of the rows. */
  nouns: readonly [one: string, many: string]
  columns: readonly GridColumn<Row>[]
  list: GridRows<Row>
  rowKey: (row: Row) => string
  sort: GridSort
  onSort: (sort: GridSort) => void
  /** Opens a row on Enter or a click on its name; absent: opens the preview. */
  onOpen?: (row: Row) => void
  /** The preview next to the grid, at its own address. */
  peek?: {
    id: string | undefined
    onChange: (id: string | undefined) => void
    render: (id: string, row: Row | undefined) => ReactNode
  }
  /** Address of a row's preview: the first column links to it, unless its cell has a link of its own. */
  hrefOf?: (key: string) => string
  /** Receives the key of the active row; undefined for none. */
  onActive?: (key: string | undefined) => void
  /** Moves a row next to another, by Alt with an arrow key; absent: rows have no order of their own. */
  onReorder?: (row: Row, side: 'before' | 'after', other: Row) => void
  /** Buttons for what is selected; absent: nothing can be selected. */
  bulk?: (selection: GridSelection, clear: () => void) => ReactNode
  /** Filters, above the rows. */
  filters?: ReactNode
  /**
   * False where nothing is filtered: an empty list then shows only its empty state, without headings, filters and
   * views. Default: true for a list with filters.
   */
  isFiltered?: boolean
  /** Menu of saved views, next to the row count. */
  views?: ReactNode
  /** Rows added by others between the shown rows: hidden until the user asks for them. */
  waiting?: number
  showAll?: () => void
  /** Address of the rows as CSV. */
  csvHref?: string
  /** Shown instead of an empty grid. */
  empty: ReactNode
}
