import { useState } from 'react'
import type { GridRows } from './use-rows.ts'

interface Held {
  /** What was read, and of which list. */
  windows: unknown
  list: string
  /** Keys of the rows that are shown. */
  shown: ReadonlySet<string>
}

/**
 * Rows stay where they are while somebody looks at them: what others add between them waits, and is counted. What was read
 * for the person (another filter, an own change, the next window) is shown at once, and so is what stands behind the last
 * row, where nothing moves.
 *
 * @returns the list without the rows that wait
 */
export const useHeldRows = <Row>(list: GridRows<Row>, rowKey: (row: Row) => string): { list: GridRows<Row>; waiting: number; showAll: () => void } => {
  const keys = list.rows.map(rowKey)
  const all = (): Held => ({ windows: list.query.data, list: list.key, shown: new Set(keys) })
  const [held, setHeld] = useState(all)
  let now = held
  if (held.windows !== list.query.data || held.list !== list.key) {
    now = list.isLive && held.list === list.key ? { ...all(), shown: shownOf(keys, held.shown) } : all()
    setHeld(now)
  }
  const rows = now.shown.size === keys.length ? list.rows : list.rows.filter((row) => now.shown.has(rowKey(row)))
  return { list: rows === list.rows ? list : { ...list, rows }, waiting: list.rows.length - rows.length, showAll: () => setHeld(all()) }
}

/** Those that were shown, and what comes behind the last of them; all where none is left. */
const shownOf = (keys: readonly string[], before: ReadonlySet<string>): Set<string> => {
  const last = keys.findLastIndex((key) => before.has(key))
  return new Set(keys.filter((key, index) => index > last || before.has(key)))
}
