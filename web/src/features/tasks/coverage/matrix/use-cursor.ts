import { useState } from 'react'
import type { Column, Row } from './matrix.ts'

/** A cell by its row and column, so that it stays the same when rows fold or appear. */
export interface MatrixPlace {
  rowKey: string
  columnId: string
}

export interface Position {
  row: number
  column: number
}

/** Selected cells: a rectangle; both ends are included. */
export interface Range {
  from: Position
  to: Position
}

export interface Cursor {
  at: Position
  range: Range
  /** Several cells are selected. */
  isRange: boolean
  move: (to: Position, extend: boolean) => void
  select: (from: Position, to: Position) => void
  /** Selects only the cell of the cursor. @returns false if it was so */
  collapse: () => boolean
}

const within = (value: number, count: number) => Math.max(0, Math.min(value, count - 1))

/** The cell of the matrix that keys apply to, and the range up to it. */
export const useCursor = (
  rows: readonly Row[],
  columns: readonly Column[],
  initial: MatrixPlace | undefined,
): Cursor => {
  const [head, setHead] = useState(initial)
  const [anchor, setAnchor] = useState<MatrixPlace>()
  const positionOf = (place: MatrixPlace | undefined): Position => ({
    row: Math.max(
      0,
      rows.findIndex(({ key }) => key === place?.rowKey),
    ),
    column: Math.max(
      0,
      columns.findIndex(({ id }) => id === place?.columnId),
    ),
  })
  const placeAt = ({ row, column }: Position): MatrixPlace => ({
    rowKey: rows[within(row, rows.length)]?.key ?? '',
    columnId: columns[within(column, columns.length)]?.id ?? '',
  })
  // Before the first move: the first check, not the row of its group.
  const first = head
    ? undefined
    : {
        row: Math.max(
          0,
          rows.findIndex(({ kind }) => kind === 'item'),
        ),
        column: 0,
      }
  const at = first ?? positionOf(head)
  const start = anchor ? positionOf(anchor) : at
  return {
    at,
    range: {
      from: { row: Math.min(at.row, start.row), column: Math.min(at.column, start.column) },
      to: { row: Math.max(at.row, start.row), column: Math.max(at.column, start.column) },
    },
    isRange: at.row !== start.row || at.column !== start.column,
    move: (to, extend) => {
      setAnchor(extend ? (anchor ?? placeAt(at)) : undefined)
      setHead(placeAt(to))
    },
    select: (from, to) => {
      setAnchor(placeAt(from))
      setHead(placeAt(to))
    },
    collapse: () => {
      setAnchor(undefined)
      return anchor !== undefined
    },
  }
}

const PAGE = 15

/** Where a key moves the cursor; undefined for other keys. */
export const moveBy = (key: string, isFar: boolean, { row, column }: Position, end: Position): Position | undefined => {
  if (key === 'ArrowDown') return { row: isFar ? end.row : row + 1, column }
  if (key === 'ArrowUp') return { row: isFar ? 0 : row - 1, column }
  if (key === 'ArrowRight') return { row, column: isFar ? end.column : column + 1 }
  if (key === 'ArrowLeft') return { row, column: isFar ? 0 : column - 1 }
  if (key === 'PageDown') return { row: row + PAGE, column }
  if (key === 'PageUp') return { row: row - PAGE, column }
  if (key === 'Home') return { row: isFar ? 0 : row, column: 0 }
  if (key === 'End') return { row: isFar ? end.row : row, column: end.column }
  return undefined
}
