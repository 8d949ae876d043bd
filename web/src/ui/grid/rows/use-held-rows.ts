import { useState } from 'react'
import type { GridRows } from './use-rows.ts'

interface Held {
  /** The loaded data, and the list that it belongs to. */
  windows: unknown
  list: string
  /** Keys of the shown rows. */
  shown: ReadonlySet<string>
}

/**
 * Keeps rows in place while the user reads them: rows that others add between them are held back and counted. Reads for
 * the user (a new filter, an own change, the next window) show immediately, and so do rows after the last one, where
 * nothing moves.
 * @returns the list without the held rows
 */
export const useHeldRows = <Row>(
  list: GridRows<Row>,
  rowKey: (row: Row) => string,
): { list: GridRows<Row>; waiting: number; showAll: () => void } => {
  const keys = list.rows.map(rowKey)
  const all = (): Held => ({ windows: list.query.data, list: list.key, shown: new Set(keys) })
  const [held, setHeld] = useState(all)
  let now = held
  if (held.windows !== list.query.data || held.list !== list.key) {
    now = list.isLive && held.list === list.key ? { ...all(), shown: shownOf(keys, held.shown) } : all()
    setHeld(now)
  }
  const rows = now.shown.size === keys.length ? list.rows : list.rows.filter((row) => now.shown.has(rowKey(row)))
  return {
    list: rows === list.rows ? list : { ...list, rows },
    waiting: list.rows.length - rows.length,
    showAll: () => setHeld(all()),
  }
}

/** The rows shown before, and the rows after the last of them; all rows if none is left. */
const shownOf = (keys: readonly string[], before: ReadonlySet<string>): Set<string> => {
  const last = keys.findLastIndex((key) => before.has(key))
  return new Set(keys.filter((key, index) => index > last || before.has(key)))
}
