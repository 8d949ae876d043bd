import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './DataTable.module.css'

export interface Column<T> {
  header: string
  cell: (row: T) => ReactNode
  /** On a narrow screen, `secondary` columns form a second line; `actions` stay at the right edge. */
  kind?: 'primary' | 'secondary' | 'actions'
  /** Aligns numbers to the right. */
  align?: 'end'
  /** Keeps short text on one line. */
  nowrap?: boolean
  /** In pixels. Columns without one share the rest, so that tables below each other have the same columns. */
  width?: number
  /** Sort direction of this column, for screen readers. */
  sorted?: 'ascending' | 'descending' | undefined
  /** Turns the heading into a sort button. */
  onSort?: () => void
}

/**
 * Table with two-line rows on phones: main columns and buttons, then secondary columns, each with its heading. That
 * layout removes the native table semantics, so every element has an explicit role.
 */
export const DataTable = <T,>({
  label,
  columns,
  rows,
  rowKey,
}: {
  label: string
  columns: Column<T>[]
  rows: readonly T[]
  rowKey: (row: T) => string
}) => (
  <div className={classes.frame}>
    <Table
      className={classes.table}
      verticalSpacing={9}
      horizontalSpacing="sm"
      highlightOnHover
      aria-label={label}
      role="table"
      data-fixed={columns.some(({ width }) => width !== undefined) || undefined}
    >
      <Table.Thead role="rowgroup">
        <Table.Tr role="row">
          {columns.map((column) => (
            <Table.Th
              key={column.header}
              role="columnheader"
              data-kind={column.kind}
              data-align={column.align}
              data-sorts={column.onSort !== undefined || undefined}
              {...(column.width !== undefined && { __vars: { '--column-width': `${column.width}px` } })}
              {...(column.sorted && { 'aria-sort': column.sorted })}
            >
              <Heading {...column} />
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup">
        {rows.map((row) => (
          <Table.Tr key={rowKey(row)} role="row">
            {columns.map((column) => (
              <Table.Td
                key={column.header}
                role="cell"
                data-kind={column.kind}
                data-align={column.align}
                data-nowrap={column.nowrap}
                data-label={column.header}
              >
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
