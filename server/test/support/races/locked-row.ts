import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { hereMs } from '../app/machine.ts'
import type { TestApp } from '../app/test-app.ts'

const TIMEOUT_MS = 10_000

/** Stops every statement that needs a row of the app's database, as if it were slow. */
export interface LockedRow {
  /** Resolves once this number of statements wait for a lock, or `work` is done. */
  waitedFor(statements: number, work?: Promise<unknown>): Promise<void>
  /** Releases the row, after this statement if there is one. */
  release(statement?: string, values?: readonly unknown[]): Promise<void>
}

/** @param lock a statement that locks the row, with its values */
export const lockRow = async (app: TestApp, lock: string, values: readonly unknown[]): Promise<LockedRow> => {
  const [holder, observer] = [new pg.Client(app.settings), new pg.Client(app.settings)]
  await Promise.all([holder.connect(), observer.connect()])
  await holder.query('begin')
  const { rowCount } = await holder.query(lock, [...values])
  if (rowCount === 0) throw new Error(`there is no row to hold: ${lock}`)
  const waiting = async (): Promise<number> => {
    const { rows } = await observer.query(
      "select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    return rows[0].count
  }
  return {
    waitedFor: async (statements, work) => {
      let isDone = false
      const end = () => {
        isDone = true
      }
      work?.then(end, end)
      for (const started = performance.now(); !isDone && (await waiting()) < statements; await sleep(10)) {
        if (performance.now() - started > TIMEOUT_MS && performance.now() - started > hereMs(TIMEOUT_MS))
          throw new Error(`${statements} statements did not come to wait`)
      }
    },
    release: async (statement, values = []) => {
      if (statement) await holder.query(statement, [...values])
      await holder.query(statement ? 'commit' : 'rollback')
      await Promise.all([holder.end(), observer.end()])
    },
  }
}
