import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { announce } from '../../platform/events/announce.ts'
import type { Coverage } from './coverages.ts'
import * as query from './gone.queries.ts'
import type { Source } from './sources.ts'

/** Records the coverage of a source. */
export const noteCoverages = (tx: Transaction, source: Source, coverages: readonly Coverage[]): Promise<void> => query.insertCoverages(tx, source, coverages)

/** Records that a source's tool covers everything at the hosts it reports. */
export const noteSeenHosts = (tx: Transaction, source: Source): Promise<void> => query.coverSeenHosts(tx, source)

/** Deletes the coverage of a source. */
export const forgetCoverages = (tx: Transaction, organizationId: string, sourceId: string): Promise<void> => query.deleteCoverages(tx, organizationId, sourceId)

/** Results per transaction, so that transactions stay short. */
const LOOKED_AT_ONCE = 2_000

/**
 * Runs `turn` over the inventory in batches: it receives the last id of the batch before, and returns undefined after the last
 * one.
 */
export const throughInventory = async (turn: (after: string) => Promise<string | undefined>): Promise<void> => {
  for (let after: string | undefined = ''; after !== undefined; ) after = await turn(after)
}

/**
 * Marks the results of one batch as gone that a source covers but does not report.
 *
 * @param after last id of the batch before; empty at first
 * @returns where the next batch starts; undefined at the end
 */
export const recordGone = async (tx: Transaction, clock: Clock, source: Source, after: string): Promise<string | undefined> => {
  const among = await query.listNext(tx, source, after, LOOKED_AT_ONCE)
  const ids = await query.turnGone(tx, source, isoTime(clock.now()), among)
  await announce(tx, { type: 'result', engagementId: source.engagementId, ids, change: 'updated' })
  return among.length === LOOKED_AT_ONCE ? among.at(-1) : undefined
}

/** Marks only results among these ids as gone. */
export const recordGoneOf = (tx: Transaction, clock: Clock, source: Source, among: readonly string[]): Promise<string[]> =>
  query.turnGone(tx, source, isoTime(clock.now()), among)

/** Counts for a preview. @returns how many results of the batch would be gone, and where the next batch starts */
export const countGone = async (tx: Transaction, source: Source, after: string): Promise<{ count: number; next: string | undefined }> => {
  const among = await query.listNext(tx, source, after, LOOKED_AT_ONCE)
  return { count: await query.countMissed(tx, source, among), next: among.length === LOOKED_AT_ONCE ? among.at(-1) : undefined }
}
