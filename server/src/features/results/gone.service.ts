import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { announce } from '../../platform/events/announce.ts'
import type { Coverage } from './coverages.ts'
import * as query from './gone.queries.ts'
import type { Source } from './sources.ts'

/** Notes what a source looked at. */
export const noteCoverages = (tx: Transaction, source: Source, coverages: readonly Coverage[]): Promise<void> => query.insertCoverages(tx, source, coverages)

/** Notes that a source is everything that its tool sees of the hosts that it speaks of. */
export const noteSeenHosts = (tx: Transaction, source: Source): Promise<void> => query.coverSeenHosts(tx, source)

/** Forgets what a source said that it looked at. */
export const forgetCoverages = (tx: Transaction, organizationId: string, sourceId: string): Promise<void> => query.deleteCoverages(tx, organizationId, sourceId)

/**
 * Turns the next of what a source looked at and did not find into gone.
 *
 * @returns whether there are more
 */
export const recordGone = async (tx: Transaction, clock: Clock, source: Source, limit: number): Promise<boolean> => {
  const ids = await query.turnGone(tx, source, isoTime(clock.now()), limit)
  await announce(tx, { type: 'result', engagementId: source.engagementId, ids, change: 'updated' })
  return ids.length === limit
}
