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

/** Results of the inventory that are looked at in one transaction: however large it is, each ends soon. */
const LOOKED_AT_ONCE = 2_000

/** Goes through the inventory: each turn begins where the one before ended, and the last has no next. */
export const throughInventory = async (turn: (after: string) => Promise<string | undefined>): Promise<void> => {
  for (let after: string | undefined = ''; after !== undefined;) after = await turn(after)
}

/**
 * A turn through the inventory, in the order of ids: turns into gone what a source looked at and did not find.
 *
 * @param after the id where the call before ended; empty at first
 * @returns where the next call goes on; undefined at the end
 */
export const recordGone = async (tx: Transaction, clock: Clock, source: Source, after: string): Promise<string | undefined> => {
  const among = await query.listNext(tx, source, after, LOOKED_AT_ONCE)
  const ids = await query.turnGone(tx, source, isoTime(clock.now()), among)
  await announce(tx, { type: 'result', engagementId: source.engagementId, ids, change: 'updated' })
  return among.length === LOOKED_AT_ONCE ? among.at(-1) : undefined
}

/** The same of these results alone. */
export const recordGoneOf = (tx: Transaction, clock: Clock, source: Source, among: readonly string[]): Promise<string[]> =>
  query.turnGone(tx, source, isoTime(clock.now()), among)

/** The same for a preview. @returns also how many would be gone */
export const countGone = async (tx: Transaction, source: Source, after: string): Promise<{ count: number; next: string | undefined }> => {
  const among = await query.listNext(tx, source, after, LOOKED_AT_ONCE)
  return { count: await query.countMissed(tx, source, among), next: among.length === LOOKED_AT_ONCE ? among.at(-1) : undefined }
}
