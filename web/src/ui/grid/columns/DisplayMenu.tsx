import { Button, Menu } from '@mantine/core'
import { DropdownMenu } from '../../dialogs/DropdownMenu.tsx'
import { IconAdjustmentsHorizontal, IconCheck, IconPin } from '../../icons.tsx'
import { type GridColumn, type GridSort, nextSort } from './columns.ts'
import type { GridTable } from './use-grid-columns.ts'

interface DisplayMenuProps<Row> {
  columns: readonly GridColumn<Row>[]
  table: GridTable
  sort: GridSort
  onSort: (sort: GridSort) => void
}

/** Sort, columns and pinned columns: for the keyboard, and for phones, which have no headings. */
export const DisplayMenu = <Row,>({ columns, table, sort, onSort }: DisplayMenuProps<Row>) => (
  <DropdownMenu
    position="bottom-end"
    width={240}
    target={
      <Button variant="default" size="compact-sm" leftSection={<IconAdjustmentsHorizontal size={14} aria-hidden />}>
        Display
      </Button>
    }
  >
    <Menu.Label>Sort by</Menu.Label>
    {columns
      .filter((column) => column.sort !== undefined)
      .map((column) => (
        <Menu.Item
          key={column.id}
          onClick={() => onSort(nextSort(column, sort))}
          rightSection={sort.by === column.sort ? (sort.order === 'asc' ? 'ascending' : 'descending') : undefined}
        >
          {column.header}
        </Menu.Item>
      ))}
    <Menu.Divider />
    <Menu.Label>Columns</Menu.Label>
    {table
      .getAllLeafColumns()
      .filter((column) => column.getCanHide())
      .map((column) => (
        <Menu.Item
          key={column.id}
          closeMenuOnClick={false}
          onClick={() => column.toggleVisibility()}
          leftSection={column.getIsVisible() ? <IconCheck size={14} aria-label="shown" /> : null}
        >
          {headerOf(columns, column.id)}
        </Menu.Item>
      ))}
    <Menu.Divider />
    <Menu.Label>Pinned</Menu.Label>
    {table
      .getAllLeafColumns()
      .filter((column) => column.getIsVisible())
      .map((column) => (
        <Menu.Item
          key={column.id}
          closeMenuOnClick={false}
          onClick={() => column.pin(column.getIsPinned() ? false : 'start')}
          leftSection={column.getIsPinned() ? <IconPin size={14} aria-label="stays" /> : null}
        >
          {headerOf(columns, column.id)}
        </Menu.Item>
      ))}
  </DropdownMenu>
)

const headerOf = <Row,>(columns: readonly GridColumn<Row>[], id: string): string =>
  columns.find((column) => column.id === id)?.header ?? id
