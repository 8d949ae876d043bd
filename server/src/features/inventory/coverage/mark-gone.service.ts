import { type Clock, isoTime } from '../../../platform/clock.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { announce } from '../../../platform/events/announce.ts'
import type { ResultSource } from '../ingest/sources.ts'
import type { Coverage } from './coverage.ts'
import * as query from './mark-gone.queries.ts'

/** Records the coverage of a source. */
export const noteCoverages = (tx: Transaction, source: ResultSource, coverages: readonly Coverage[]): Promise<void> =>
  query.insertCoverages(tx, source, coverages)

/** Records that a source's tool covers everything at the hosts it reports. */
export const noteSeenHosts = (tx: Transaction, source: ResultSource): Promise<void> => query.coverSeenHosts(tx, source)

/** Deletes the coverage of a source. */
export const forgetCoverages = (tx: Transaction, organizationId: string, sourceId: string): Promise<void> =>
  query.deleteCoverages(tx, organizationId, sourceId)

/** Results per transaction, so that transactions stay short. */
const BATCH_SIZE = 2_000
/** A source has usually reported most results of its engagement; those only need a look at its observations. */
const READ_AT_ONCE = 20_000

/**
 * Runs `turn` over the inventory in batches: it receives the last id of the batch before, and returns undefined after
 * the last one.
 */
export const forEachInventoryBatch = async (turn: (after: string) => Promise<string | undefined>): Promise<void> => {
  for (let after: string | undefined = ''; after !== undefined;) after = await turn(after)
}

/**
 * Marks the results of one batch as gone that a source covers but does not report.
 *
 * @param after last id of the batch before; empty at first
 * @returns where the next batch starts; undefined at the end
 */
export const recordGone = async (
  tx: Transaction,
  clock: Clock,
  source: ResultSource,
  after: string,
): Promise<string | undefined> => {
  const among = await query.listUnreported(tx, source, after, READ_AT_ONCE, BATCH_SIZE)
  const ids = among.ids.length > 0 ? await query.markAsGone(tx, source, isoTime(clock.now()), among.ids) : []
  await announce(tx, { type: 'result', engagementId: source.engagementId, ids, change: 'updated' })
  return among.next
}

/** Marks only results among these ids as gone. */
export const recordGoneOf = (
  tx: Transaction,
  clock: Clock,
  source: ResultSource,
  among: readonly string[],
): Promise<string[]> => query.markAsGone(tx, source, isoTime(clock.now()), among)

/** Counts for a preview. @returns how many results of the batch would be gone, and where the next batch starts */
export const countGone = async (
  tx: Transaction,
  source: ResultSource,
  after: string,
): Promise<{ count: number; next: string | undefined }> => {
  const among = await query.listNext(tx, source, after, BATCH_SIZE)
  return {
    count: await query.countMissed(tx, source, among),
    next: among.length === BATCH_SIZE ? among.at(-1) : undefined,
  }
}
