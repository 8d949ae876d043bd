import {
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  type ReactTable,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useEffect, useLayoutEffect, useMemo } from 'react'
import type { GridColumn } from './columns.ts'

const features = tableFeatures({
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
})

/** The grid renders rows itself: the table instance only holds the column state. */
const NO_ROWS: Record<string, never>[] = []

export type GridTable = ReactTable<typeof features, Record<string, never>>

interface Kept {
  columnVisibility: Record<string, boolean>
  columnSizing: Record<string, number>
  columnPinning: { start: string[]; end: string[] }
}

/**
 * Column visibility, widths and pinning. Stored in this browser.
 * @param name of the grid, unique among all
 * @param sortedBy sort name of the list
 */
export const useGridColumns = <Row>(name: string, columns: readonly GridColumn<Row>[], sortedBy: string): GridTable => {
  const definitions = useMemo(
    () =>
      columns.map(({ id, header, width }, index) => ({
        id,
        header,
        size: width,
        minSize: 60,
        maxSize: 800,
        enableHiding: index > 0,
      })),
    [columns],
  )
  const initialState = useMemo(() => ({ ...atFirst(columns), ...read(name) }), [name, columns])
  const table = useTable({ features, columns: definitions, data: NO_ROWS, initialState, columnResizeMode: 'onChange' })
  // Columns of custom fields come later; and what is stored says nothing about columns that are new.
  const { setColumnVisibility } = table
  useLayoutEffect(
    () =>
      setColumnVisibility((shown) => ({
        ...atFirst(columns).columnVisibility,
        ...shown,
        ...ofSort(columns, sortedBy),
      })),
    [setColumnVisibility, columns, sortedBy],
  )
  const { columnVisibility, columnSizing, columnPinning } = table.state
  useEffect(
    () => write(name, { columnVisibility, columnSizing, columnPinning }),
    [name, columnVisibility, columnSizing, columnPinning],
  )
  return table
}

const atFirst = <Row>(columns: readonly GridColumn<Row>[]): Kept => ({
  columnVisibility: Object.fromEntries(columns.filter(({ isHidden }) => isHidden).map(({ id }) => [id, false])),
  columnSizing: {},
  columnPinning: { start: columns.slice(0, 1).map(({ id }) => id), end: [] },
})

/** Columns that are of use only while the list is sorted by them. */
const ofSort = <Row>(columns: readonly GridColumn<Row>[], sortedBy: string): Kept['columnVisibility'] =>
  Object.fromEntries(
    columns.filter(({ isHidden }) => isHidden === 'unless-sorted').map(({ id, sort }) => [id, sort === sortedBy]),
  )

const keyOf = (name: string) => `sortie.grid.${name}`

const read = (name: string): Partial<Kept> => {
  try {
    return JSON.parse(localStorage.getItem(keyOf(name)) ?? '{}') as Partial<Kept>
  } catch {
    // Unreadable settings count as absent.
    return {}
  }
}

const write = (name: string, kept: Kept): void => {
  try {
    localStorage.setItem(keyOf(name), JSON.stringify(kept))
  } catch {
    // Without storage, each visit starts with the default columns.
  }
}
