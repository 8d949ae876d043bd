import type { Actor } from '../../../platform/auth/actor.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { notFound } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { lockWritablePlace } from '../place.service.ts'
import { ofEngagement } from '../saved/requests.service.ts'
import * as query from './runs.queries.ts'

/**
 * Pins a run, which keeps it whatever its age, or unpins it. @throws ApiError NOT_FOUND, CONFLICT for an archived
 * engagement
 */
export const updateRequestRun = (
  { change, clock }: Writer,
  actor: Actor,
  id: string,
  pinned: boolean,
): Promise<query.RunRow> =>
  change(async (tx) => {
    const { organizationId } = actor
    const run = await lockVisibleRun(tx, actor, id)
    if (run.pinned === pinned) return run
    await query.updateRun(tx, organizationId, id, { pinned })
    await recordAudit(tx, actor, clock, {
      action: pinned ? 'request-run.pinned' : 'request-run.unpinned',
      object: { type: 'request-run', id },
      ...ofEngagement(run.engagement_id),
      before: { url: run.url, pinned: run.pinned },
      after: { url: run.url, pinned },
    })
    await announce(tx, { type: 'request', engagementId: run.engagement_id, ids: [id], change: 'updated' })
    return requireRun(tx, organizationId, id)
  })

/** Deletes a run. @throws ApiError NOT_FOUND, CONFLICT for an archived engagement */
export const deleteRequestRun = ({ change, clock }: Writer, actor: Actor, id: string): Promise<void> =>
  change(async (tx) => {
    const run = await lockVisibleRun(tx, actor, id)
    await query.deleteRun(tx, actor.organizationId, id)
    await recordAudit(tx, actor, clock, {
      action: 'request-run.deleted',
      object: { type: 'request-run', id },
      ...ofEngagement(run.engagement_id),
      before: { method: run.method, url: run.url, state: run.state },
    })
    await announce(tx, { type: 'request', engagementId: run.engagement_id, ids: [id], change: 'deleted' })
  })

/** @throws ApiError NOT_FOUND */
export const requireRun = async (db: Database, organizationId: string, id: string): Promise<query.RunRow> => {
  const run = await query.findRun(db, organizationId, id)
  if (!run) throw notFound()
  return run
}

const lockVisibleRun = async (tx: Transaction, actor: Actor, id: string): Promise<query.RunRow> => {
  const { organizationId } = actor
  await lockWritablePlace(tx, actor, (await requireRun(tx, organizationId, id)).engagement_id)
  await query.lockRun(tx, organizationId, id)
  return requireRun(tx, organizationId, id)
}
