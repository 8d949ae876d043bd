import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import { invalid } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import { cancelJobsOfEngagement } from '../../../platform/jobs/rows.ts'
import { closeToKeys } from '../../api-keys/api-keys.service.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { findAudience } from '../details/details.queries.ts'
import { lockVisibleEngagement } from '../locks.service.ts'
import type { EngagementPart } from '../parts.ts'
import { requireNotHeld } from './holds.service.ts'
import { insertTrash, setHidden } from './removal.queries.ts'

/** @param name as typed. @throws ApiError VALIDATION_ERROR for another name than the engagement's */
export const requireItsName = (engagement: { name: string }, name: string): void => {
  if (engagement.name !== name) throw invalid('name: is not the name of this engagement')
}

/**
 * Moves the engagement and everything in it to the trash: hidden from everyone when the request returns. What it runs
 * is stopped, what it has scheduled is disabled, and keys that are limited to it lose it for good.
 *
 * @param name the engagement's name, as confirmation against a deletion by mistake
 * @throws ApiError VALIDATION_ERROR for another name, CONFLICT for an engagement on legal hold
 */
export const deleteEngagement = (
  { change, clock }: Writer,
  actor: Actor,
  engagementId: string,
  name: string,
  parts: readonly EngagementPart[],
): Promise<void> =>
  change(async (tx) => {
    const { organizationId } = actor
    const engagement = await lockVisibleEngagement(tx, actor, engagementId)
    requireItsName(engagement, name)
    await requireNotHeld(tx, organizationId, engagementId)
    const seenBefore = await findAudience(tx, organizationId, engagementId)
    const now = isoTime(clock.now())
    for (const part of parts) await part.stop?.(tx, organizationId, engagementId, now)
    await cancelJobsOfEngagement(tx, organizationId, engagementId, now)
    await insertTrash(tx, {
      organization_id: organizationId,
      engagement_id: engagementId,
      deleted_at: now,
      deleted_by: actor.agent?.id ?? actor.id,
      deleted_by_name: actor.name,
    })
    await closeToKeys(tx, organizationId, engagementId)
    await setHidden(tx, organizationId, engagementId, now)
    await recordAudit(tx, actor, clock, {
      action: 'engagement.deleted',
      object: { type: 'engagement', id: engagementId },
      before: { name: engagement.name, status: engagement.status },
    })
    await announce(tx, { type: 'engagement', engagementId, ids: [engagementId], change: 'deleted', seenBefore })
  })
