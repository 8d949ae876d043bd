import { isoTime } from '../clock.ts'
import type { Platform } from '../context.ts'
import { transaction } from '../database/transaction.ts'
import { type JobType, listLiveJobs } from './jobs.ts'
import { type LongRunningJob, queueJobType } from './kinds.ts'
import { deleteEndedBefore, listUnended, lockBackgroundJob, setJob } from './rows.ts'

/** Runs every minute. */
export const sweepBackgroundJobsJob: JobType<object> = {
  name: 'sweep-work',
  options: { retryLimit: 0, expireInSeconds: 60, deleteAfterSeconds: 60 * 60 },
}

/** Younger jobs may still be entering the queue. */
const AGE_MS = 60_000
const AT_ONCE = 1_000
const KEPT_MS = 30 * 24 * 60 * 60 * 1000

/**
 * Enqueues again every job that the queue has lost, for whatever reason: no job waits or runs forever. Deletes jobs
 * without an engagement 30 days after their end.
 */
export const sweepBackgroundJobs = async (
  platform: Pick<Platform, 'db' | 'clock' | 'jobs' | 'log'>,
  kinds: readonly LongRunningJob[],
): Promise<void> => {
  const { db, clock } = platform
  const before = isoTime(clock.now() - AGE_MS)
  for (let after: string | undefined = ''; after !== undefined;) {
    const works: Unended[] = await listUnended(db, before, after, AT_ONCE)
    await enqueueLost(platform, kinds, works)
    after = works.length === AT_ONCE ? works.at(-1)?.id : undefined
  }
  await deleteEndedBefore(db, isoTime(clock.now() - KEPT_MS))
}

type Unended = Awaited<ReturnType<typeof listUnended>>[number]

const enqueueLost = async (
  { db, jobs, log }: Pick<Platform, 'db' | 'jobs' | 'log'>,
  kinds: readonly LongRunningJob[],
  works: readonly Unended[],
): Promise<void> => {
  const jobIds = works.flatMap(({ job_id }) => job_id ?? [])
  const live = await listLiveJobs(db, kinds.map(queueJobType), jobIds)
  for (const { id, organization_id: organizationId, kind: name, job_id: jobId } of works) {
    const kind = kinds.find((known) => known.name === name)
    if (!kind || (jobId !== null && live.has(jobId))) continue
    await transaction(db, async (tx) => {
      const row = await lockBackgroundJob(tx, organizationId, id)
      if (!row || !['queued', 'running'].includes(row.state)) return
      await setJob(tx, id, await jobs.enqueue(tx, queueJobType(kind), { organizationId, backgroundJobId: id }))
      log.warn({ work: id, kind: name }, 'a long-running job had lost its queue entry and has a new one')
    })
  }
}
