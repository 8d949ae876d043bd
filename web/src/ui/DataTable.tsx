import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './DataTable.module.css'

export interface Column<T> {
  header: string
  cell: (row: T) => ReactNode
  /** `secondary` columns leave on a narrow screen; `actions` stay at the right edge. */
  kind?: 'primary' | 'secondary' | 'actions'
  /** Its words stay on one line, as short ones do. */
  nowrap?: boolean
  /** How the list is sorted by this column, for screen readers. */
  sorted?: 'ascending' | 'descending' | undefined
  /** Makes the heading a button that sorts. */
  onSort?: () => void
}

/** Rows under headings. On a phone, secondary columns are left out: the first column says what matters. */
export const DataTable = <T,>({ label, columns, rows, rowKey }: { label: string; columns: Column<T>[]; rows: readonly T[]; rowKey: (row: T) => string }) => (
  <div className={classes.frame}>
    <Table className={classes.table} verticalSpacing={9} horizontalSpacing="sm" highlightOnHover aria-label={label}>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column) => (
            <Table.Th key={column.header} data-kind={column.kind} {...(column.sorted && { 'aria-sort': column.sorted })}>
              <Heading {...column} />
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={rowKey(row)}>
            {columns.map((column) => (
              <Table.Td key={column.header} data-kind={column.kind} data-nowrap={column.nowrap}>
                {column.cell(row)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </div>
)

const Heading = <T,>({ header, kind, sorted, onSort }: Column<T>) => {
  if (kind === 'actions') return <span className="visually-hidden">{header}</span>
  if (!onSort) return header
  return (
    <button type="button" className={classes.sort} onClick={onSort}>
      {header}
      <span aria-hidden>{sorted === 'ascending' ? ' ↑' : sorted === 'descending' ? ' ↓' : ''}</span>
    </button>
  )
}
