import type { Database } from './open.ts'
import { type Transaction, transaction } from './transaction.ts'

export interface ChangeOptions<Locked> {
  /**
   * Locks what comes before the caller in the order of locks (accounts, organization, then the caller), and what this
   * change revokes. Runs before the caller is checked, so it must only lock and read.
   */
  first?(tx: Transaction): Promise<Locked>
  /** The database to open it on, where it concerns several organizations; the caller's own view without. */
  db?: Database
}

/**
 * Opens the transaction of a change. Before `work` runs, whoever asks is checked again within the transaction, and stays
 * entitled until it ends: a revocation waits for the change, or the change is refused.
 *
 * A request with an Idempotency-Key commits only once its answer is made, so that both commit together: what the answer
 * needs is read within `work`, and there is one change in a request.
 *
 * @returns what `work` returns
 * @throws ApiError UNAUTHORIZED, FORBIDDEN or NOT_FOUND, as the door answers a request that comes after the revocation
 */
export type Change = <T, Locked = undefined>(work: (tx: Transaction, locked: Locked) => Promise<T>, options?: ChangeOptions<Locked>) => Promise<T>

/**
 * @param recheck locks what the caller's right rests on and reads it again; throws where it is gone
 * @param open runs the work in a transaction; one that commits it as soon as the work is done, unless given
 */
export const recheckedChange =
  (db: Database, recheck: (tx: Transaction) => Promise<void>, open: typeof transaction = transaction): Change =>
  <T, Locked>(work: (tx: Transaction, locked: Locked) => Promise<T>, options: ChangeOptions<Locked> = {}) =>
    open(options.db ?? db, async (tx) => {
      const locked = (await options.first?.(tx)) as Locked
      await recheck(tx)
      return work(tx, locked)
    })

/** For jobs and the operator's command, which nobody revokes. */
export const plainChange = (db: Database): Change => recheckedChange(db, async () => undefined)
