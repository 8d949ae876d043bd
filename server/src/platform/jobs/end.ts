import { type Clock, isoTime } from '../clock.ts'
import type { Transaction } from '../database/transaction.ts'
import { announce } from '../events/announce.ts'
import type { BackgroundJob, JobEnd, LongRunningJob } from './kinds.ts'
import { endBackgroundJob, type BackgroundJobRow } from './rows.ts'

export const toBackgroundJob = (
  row: Pick<BackgroundJobRow, 'id' | 'kind' | 'organization_id' | 'engagement_id' | 'subject_id'>,
): BackgroundJob => ({
  id: row.id,
  kind: row.kind,
  organizationId: row.organization_id,
  engagementId: row.engagement_id,
  subjectId: row.subject_id,
})

/** Completes a job together with the row of its feature. @returns whether it had not ended before */
export const completeJob = async (
  tx: Transaction,
  kind: LongRunningJob,
  row: Parameters<typeof toBackgroundJob>[0],
  end: JobEnd,
  clock: Clock,
): Promise<boolean> => {
  const work = toBackgroundJob(row)
  if (!(await endBackgroundJob(tx, work.id, { state: end.state, reason: end.reason, ended_at: isoTime(clock.now()) })))
    return false
  await kind.onEnd?.(tx, work, end)
  await announceBackgroundJob(tx, kind, work)
  return true
}

/** Notifies open pages of its subject that its state or progress has changed. */
export const announceBackgroundJob = async (
  tx: Transaction,
  kind: LongRunningJob,
  { organizationId, engagementId, subjectId }: BackgroundJob,
): Promise<void> => {
  if (kind.event)
    await announce(tx, { type: kind.event, organizationId, engagementId, ids: [subjectId], change: 'updated' })
}
