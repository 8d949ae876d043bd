import { Menu } from '@mantine/core'
import { MenuSlot } from '../../dialogs/DropdownMenu.tsx'
import { IconCheck, IconPin } from '../../page-icons.tsx'
import { type GridColumn, nextSort } from './columns.ts'
import type { DisplayMenuProps } from './display-menu-props.ts'

/** Sort, columns and pinned columns. */
export const DisplayItems = <Row,>({ columns, table, sort, onSort }: DisplayMenuProps<Row>) => (
  <>
    <Menu.Label>Sort by</Menu.Label>
    {columns
      .filter((column) => column.sort !== undefined)
      .map((column) => (
        <Menu.Item
          key={column.id}
          leftSection={<MenuSlot>{sort.by === column.sort && <IconCheck size={14} aria-label="sorted" />}</MenuSlot>}
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
          leftSection={<MenuSlot>{column.getIsVisible() && <IconCheck size={14} aria-label="shown" />}</MenuSlot>}
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
          leftSection={<MenuSlot>{column.getIsPinned() && <IconPin size={14} aria-label="pinned" />}</MenuSlot>}
        >
          {headerOf(columns, column.id)}
        </Menu.Item>
      ))}
  </>
)

const headerOf = <Row,>(columns: readonly GridColumn<Row>[], id: string): string =>
  columns.find((column) => column.id === id)?.header ?? id
