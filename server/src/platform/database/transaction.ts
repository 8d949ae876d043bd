import { setTimeout as sleep } from 'node:timers/promises'
import { type ControlledTransaction, type Transaction as KyselyTransaction, sql } from 'kysely'
import pg from 'pg'
import { tookTooLong } from './connection/failures.ts'
import type { Database } from './connection/open.ts'
import { type EngagementVisibility, EVERY_ROW, SYSTEM } from './scope/tenant-scope.ts'
import type { DB as Schema } from './types.gen.ts'

export type Transaction = KyselyTransaction<Schema>

const MAX_ATTEMPTS = 4
const RETRIED = new Set(['40001', '40P01'])

/**
 * Runs `work` in one transaction; after a deadlock or a serialization failure it runs all of it again, three times at
 * most.
 */
export const transaction = <T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  retried(() => db.transaction().execute(work))

/** Runs `work` in a transaction that the caller commits or rolls back. Rolls back itself if `work` throws. */
export const openTransaction = <T>(
  db: Database,
  work: (tx: Transaction) => Promise<T>,
): Promise<{ tx: ControlledTransaction<Schema>; result: T }> =>
  retried(async () => {
    const tx = await db.startTransaction().execute()
    try {
      return { tx, result: await work(tx) }
    } catch (error) {
      await tx.rollback().execute()
      throw error
    }
  })

const retried = async <T>(run: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      const mayPass = error instanceof pg.DatabaseError && RETRIED.has(error.code ?? '')
      if (!mayPass || attempt === MAX_ATTEMPTS) throw error
      await sleep(Math.random() * 20 * 2 ** attempt)
    }
  }
}

/**
 * From here on the transaction sees the engagements that this viewer sees: the caller's role has changed since the
 * start.
 */
export const enterView = async (tx: Transaction, viewer: EngagementVisibility): Promise<void> => {
  await sql`select set_config('sortie.viewer', ${viewer}, true)`.execute(tx)
}

/** Runs `work` with the visibility of the server, to count across engagements that the caller does not see. */
export const asServer = <T>(tx: Transaction, work: () => Promise<T>): Promise<T> => inView(tx, SYSTEM, work)

/** Runs `work` with deleted engagements visible: for the trash of engagements only. */
export const withDeletedEngagements = <T>(tx: Transaction, work: () => Promise<T>): Promise<T> =>
  inView(tx, EVERY_ROW, work)

const inView = async <T>(tx: Transaction, view: EngagementVisibility, work: () => Promise<T>): Promise<T> => {
  const { rows } = await sql<{
    viewer: EngagementVisibility
  }>`select current_setting('sortie.viewer') as viewer`.execute(tx)
  await enterView(tx, view)
  const result = await work()
  await enterView(tx, rows[0]?.viewer ?? '')
  return result
}

/** From here on the transaction also sees objects in the trash: to restore, delete or list them. */
export const showTrash = async (tx: Transaction): Promise<void> => {
  await sql`select set_config('sortie.trash', 'shown', true)`.execute(tx)
}

/** From here on the transaction sees no object in the trash, as at its start. */
export const hideTrash = async (tx: Transaction): Promise<void> => {
  await sql`select set_config('sortie.trash', '', true)`.execute(tx)
}

/** Reads with the trash, for lists with `trashed=true`. */
export const readWithTrash = <T>(db: Database, read: (tx: Transaction) => Promise<T>): Promise<T> =>
  transaction(db, async (tx) => {
    await showTrash(tx)
    return read(tx)
  })

/** Runs optional work: if a statement of it takes too long, rolls the work back and continues the transaction. */
export const skipOnTimeout = async (tx: Transaction, work: () => Promise<unknown>): Promise<void> => {
  await sql`savepoint unless_it_takes_too_long`.execute(tx)
  try {
    await work()
  } catch (error) {
    if (!tookTooLong(error)) throw error
    await sql`rollback to savepoint unless_it_takes_too_long`.execute(tx)
  }
  await sql`release savepoint unless_it_takes_too_long`.execute(tx)
}

/** Disables the timeout of this transaction's statements: for work while no requests are served. */
export const withoutTimeout = async (tx: Transaction): Promise<void> => {
  await sql`set local statement_timeout = 0`.execute(tx)
}
