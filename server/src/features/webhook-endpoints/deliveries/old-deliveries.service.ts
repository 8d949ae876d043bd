import { isoTime } from '../../../platform/clock.ts'
import type { Platform } from '../../../platform/context.ts'
import { deleteStaleEndpoints } from '../webhook-endpoints.queries.ts'
import { deleteDeliveriesBefore, deleteStaleDeliveries } from './claims.queries.ts'

const RETENTION_MS = 30 * 24 * 60 * 60 * 1000
/** Keeps each statement short, however many there are. */
const AT_ONCE = 1_000

/** Deletes deliveries after 30 days, and deleted endpoints with theirs. */
export const deleteOldDeliveries = async ({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> => {
  const before = isoTime(clock.now() - RETENTION_MS)
  while ((await deleteDeliveriesBefore(db, before, AT_ONCE)) === AT_ONCE) continue
  while ((await deleteStaleDeliveries(db, AT_ONCE)) === AT_ONCE) continue
  await deleteStaleEndpoints(db)
}
