import type { GridColumn, GridSort } from './columns.ts'
import type { GridTable } from './use-grid-columns.ts'

export interface DisplayMenuProps<Row> {
  columns: readonly GridColumn<Row>[]
  table: GridTable
  sort: GridSort
  onSort: (sort: GridSort) => void
}
