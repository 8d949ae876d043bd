import { ApiError } from '../errors.ts'
import { isUnavailable } from './connection/failures.ts'
import type { Database, OpenDatabase } from './connection/open.ts'
import { type Transaction, transaction } from './transaction.ts'

export interface ChangeOptions<Locked> {
  /**
   * Acquires the locks that precede the caller in the lock order (accounts, organization, then the caller), and those
   * on what this change revokes. Runs before the caller is checked, so it must only lock and read.
   */
  first?(tx: Transaction): Promise<Locked>
  /** The database to open it on, if it concerns several organizations; by default the caller's own view. */
  db?: Database
  /** The organization whose row the change locks first: such changes take turns (`OpenDatabase.waitForTurn`). */
  turn?: string
}

/**
 * Opens the transaction of a change. Before `work` runs, it checks the caller again within the transaction and holds
 * the caller's right until the end: a revocation waits for the change, or the change is refused.
 *
 * A request with an Idempotency-Key commits only once its answer is made, so that both commit together: `work` must
 * read what the answer needs, and a request has one change.
 *
 * @returns what `work` returns
 * @throws ApiError UNAUTHORIZED, FORBIDDEN or NOT_FOUND, as the door answers a request that comes after the revocation
 */
export type RunChange = <T, Locked = undefined>(
  work: (tx: Transaction, locked: Locked) => Promise<T>,
  options?: ChangeOptions<Locked>,
) => Promise<T>

/**
 * @param recheck locks and rereads what the caller's right depends on; throws if the right is gone
 * @param waitForTurn undefined for changes that take no turns
 * @param open runs the work in a transaction; the default one commits as soon as the work is done
 */
export const recheckedChange =
  (
    db: Database,
    recheck: (tx: Transaction) => Promise<void>,
    waitForTurn?: OpenDatabase['waitForTurn'],
    open: typeof transaction = transaction,
  ): RunChange =>
  <T, Locked>(work: (tx: Transaction, locked: Locked) => Promise<T>, options: ChangeOptions<Locked> = {}) =>
    inTurn(waitForTurn, options.turn, () =>
      open(options.db ?? db, async (tx) => {
        const locked = (await options.first?.(tx)) as Locked
        await recheck(tx)
        return work(tx, locked)
      }),
    )

const inTurn = async <T>(
  waitForTurn: OpenDatabase['waitForTurn'] | undefined,
  name: string | undefined,
  run: () => Promise<T>,
): Promise<T> => {
  if (!waitForTurn || name === undefined) return run()
  const end = await waitForTurn(name)
  let hasWorked = true
  try {
    return await run()
  } catch (error) {
    hasWorked = !isUnavailable(error) && !(error instanceof ApiError && error.status === 503)
    throw error
  } finally {
    end(hasWorked)
  }
}

/** For jobs and the operator's command, which no one revokes. */
export const plainChange = (db: Database): RunChange => recheckedChange(db, async () => undefined)
