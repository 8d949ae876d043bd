import type { Actor } from '../auth/actor.ts'
import { type Clock, isoTime } from '../clock.ts'
import type { Transaction } from '../database/transaction.ts'
import { newId } from '../ids.ts'
import { completeJob } from './end.ts'
import type { Jobs } from './jobs.ts'
import { type LongRunningJob, queueJobType } from './kinds.ts'
import { insertBackgroundJob, lockBackgroundJob, requestCancel } from './rows.ts'

export interface JobInput {
  /**
   * The requester: the job acts with this actor's rights, which are checked again before each batch. A kind with the
   * guard `server` acts for no one, and needs only the organization.
   */
  actor: Actor | Pick<Actor, 'organizationId'>
  /** Null for jobs that belong to the whole organization, or outlive the engagement. */
  engagementId: string | null
  subjectId: string
  /** Amount of work, if known. */
  total?: number
}

interface Starter {
  clock: Clock
  jobs: Jobs
}

/**
 * Creates a job that exists, and runs, if and only if `tx` commits. The caller announces its subject.
 *
 * @returns the id of the job
 */
export const startBackgroundJob = async (
  tx: Transaction,
  { clock, jobs }: Starter,
  kind: LongRunningJob,
  wanted: JobInput,
): Promise<string> => {
  const { actor, engagementId, subjectId, total } = wanted
  const { organizationId } = actor
  const now = clock.now()
  const id = newId('wrk', now)
  const asker = kind.guard !== 'server' && 'id' in actor ? actor : undefined
  const jobId = await jobs.enqueue(tx, queueJobType(kind), { organizationId, backgroundJobId: id })
  await insertBackgroundJob(tx, {
    id,
    organization_id: organizationId,
    engagement_id: engagementId,
    kind: kind.name,
    subject_id: subjectId,
    actor_kind: asker?.kind ?? null,
    actor_id: asker?.id ?? null,
    actor_name: asker?.name ?? null,
    actor_address: asker?.address ?? null,
    total: total ?? null,
    job_id: jobId,
    created_at: isoTime(now),
  })
  return id
}

/**
 * Cancels a job: immediately if it has not started; otherwise its signal is aborted within 2 seconds of the commit, and
 * it ends soon after. Locks its row, so lock the engagement and objects first. Has no effect on a job that has ended.
 *
 * @returns whether it had not ended
 */
export const cancelBackgroundJob = async (
  tx: Transaction,
  { clock }: Pick<Starter, 'clock'>,
  kind: LongRunningJob,
  organizationId: string,
  backgroundJobId: string,
): Promise<boolean> => {
  const row = await lockBackgroundJob(tx, organizationId, backgroundJobId)
  if (!row || !['queued', 'running'].includes(row.state)) return false
  if (row.state === 'running') await requestCancel(tx, backgroundJobId, isoTime(clock.now()))
  else await completeJob(tx, kind, row, { state: 'cancelled', reason: CANCELLED, result: undefined }, clock)
  return true
}

/** The reason of a cancelled job. */
export const CANCELLED = 'It was cancelled.'
