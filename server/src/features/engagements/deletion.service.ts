import type { Actor } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import { invalid } from '../../platform/errors.ts'
import type { Platform, Writer } from '../../platform/http/context.ts'
import { type JobType, PERSISTENT } from '../../platform/jobs/jobs.ts'
import { closeToKeys } from '../api-keys/api-keys.service.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { deleteEngagementRow, hideEngagement } from './engagements.queries.ts'
import { lockVisibleEngagement } from './locks.service.ts'

interface Removal {
  organizationId: string
  engagementId: string
}

/** Removes what is in an engagement that nobody sees any more. Done again from where it was when a worker dies. */
export const removeEngagementJob: JobType<Removal> = { name: 'remove-engagement', options: { ...PERSISTENT, retryLimit: 1_000 } }

/**
 * From the answer on the engagement and everything in it is seen by nobody; a job removes the rows.
 *
 * @param name as the caller knows it: a deletion by mistake names another
 * @throws ApiError VALIDATION_ERROR for another name
 */
export const deleteEngagement = ({ change, clock, jobs }: Writer, actor: Actor, engagementId: string, name: string): Promise<void> =>
  change(async (tx) => {
    const engagement = await lockVisibleEngagement(tx, actor, engagementId)
    if (engagement.name !== name) throw invalid('name: is not the name of this engagement')
    await closeToKeys(tx, actor.organizationId, engagementId)
    await hideEngagement(tx, actor.organizationId, engagementId, isoTime(clock.now()))
    await recordAudit(tx, actor, clock, {
      action: 'engagement.deleted',
      object: { type: 'engagement', id: engagementId },
      before: { name: engagement.name, status: engagement.status },
    })
    await jobs.enqueue(tx, removeEngagementJob, { organizationId: actor.organizationId, engagementId })
  })

/** Nothing to do where another worker has done it. */
export const removeEngagement = ({ scopedTo }: Pick<Platform, 'scopedTo'>, { organizationId, engagementId }: Removal): Promise<void> =>
  deleteEngagementRow(scopedTo(organizationId), organizationId, engagementId)
