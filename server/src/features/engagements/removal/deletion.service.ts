import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import { invalid } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import { startBackgroundJob } from '../../../platform/jobs/start.ts'
import { closeToKeys } from '../../api-keys/api-keys.service.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { findAudience } from '../details/details.queries.ts'
import { hideEngagement } from '../engagements.queries.ts'
import { lockVisibleEngagement } from '../locks.service.ts'
import { removeEngagement } from './removal.service.ts'

/**
 * Hides the engagement and everything in it when the request returns; a job deletes the rows.
 *
 * @param name the engagement's name, as confirmation against a deletion by mistake
 * @throws ApiError VALIDATION_ERROR for another name
 */
export const deleteEngagement = (
  { change, clock, jobs }: Writer,
  actor: Actor,
  engagementId: string,
  name: string,
): Promise<void> =>
  change(async (tx) => {
    const engagement = await lockVisibleEngagement(tx, actor, engagementId)
    if (engagement.name !== name) throw invalid('name: is not the name of this engagement')
    const seenBefore = await findAudience(tx, actor.organizationId, engagementId)
    await closeToKeys(tx, actor.organizationId, engagementId)
    await hideEngagement(tx, actor.organizationId, engagementId, isoTime(clock.now()))
    await recordAudit(tx, actor, clock, {
      action: 'engagement.deleted',
      object: { type: 'engagement', id: engagementId },
      before: { name: engagement.name, status: engagement.status },
    })
    await announce(tx, { type: 'engagement', engagementId, ids: [engagementId], change: 'deleted', seenBefore })
    await startBackgroundJob(tx, { clock, jobs }, removeEngagement, {
      actor,
      engagementId: null,
      subjectId: engagementId,
    })
  })
