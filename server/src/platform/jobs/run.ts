import { setTimeout as sleep } from 'node:timers/promises'
import { isoTime } from '../clock.ts'
import { EVERY_ROW } from '../database/scope/tenant-scope.ts'
import { transaction } from '../database/transaction.ts'
import { ApiError } from '../errors.ts'
import { type Job, job, type Worker } from '../feature.ts'
import { completeJob, toBackgroundJob } from './end.ts'
import {
  placesOf,
  type JobEnd,
  type QueuedBackgroundJob,
  type LongRunningJob,
  JobStopped,
  queueJobType,
} from './kinds.ts'
import {
  claimBackgroundJob,
  countRunning,
  lockBackgroundJob,
  releaseBackgroundJob,
  setJob,
  type BackgroundJobRow,
} from './rows.ts'
import { BackgroundJobSession } from './session.ts'
import { CANCELLED } from './start.ts'
import { workerName } from './worker-name.ts'

/** Attempts in a row that end without progress beyond earlier ones; then the job is given up. */
const MAX_FAILURES = 5
/**
 * The queue counts running jobs before it hands out the next, so two workers that ask at the same time may both get
 * one.
 */
const SHARE_TAKEN_SECONDS = 1
/** Time that `run` has after its stop signal; what it does later is not committed. */
const STOP_GRACE_MS = 3_000

const DIED = 'The process that did this ended unexpectedly.'
const STOPPED = 'The server was stopped while this was running.'
const NOT_LIVE =
  'It was queued before this instance was restored or copied, or while it was in safe mode: start it again if it is still needed.'
const FAILED = 'Something went wrong on the server. See its log.'

/** The queue's job that runs the long-running jobs of a kind. */
export const toQueueJob = (kind: LongRunningJob): Job => ({
  ...job(queueJobType(kind), (worker, data, signal) => runBackgroundJob(worker, kind, data, signal)),
  concurrency: (config) => placesOf(kind, config),
  ...(kind.writesNoFiles && { writesNoFiles: true }),
})

const runBackgroundJob = async (
  worker: Worker,
  kind: LongRunningJob,
  { organizationId, backgroundJobId }: QueuedBackgroundJob,
  signal: AbortSignal,
): Promise<void> => {
  const claimed = await claim(worker, kind, organizationId, backgroundJobId)
  if (!claimed) return
  const session = new BackgroundJobSession(worker, kind, claimed, signal)
  const ended = new AbortController()
  const watching = session.watch(ended.signal)
  const outcome = await settle(async () => kind.run(session.handle as never, worker), session.signal)
  ended.abort()
  await watching
  await conclude(worker, kind, claimed, outcome, session.gotFurther)
}

interface Claimed {
  id: string
  attempt: number
  done: number
  total: number | null
  row: BackgroundJobRow
}

/**
 * Claims a job, ends it if it must not run any more, or postpones it while its organization's limit for this kind is
 * reached.
 *
 * @returns undefined if there is nothing to do
 */
const claim = (
  worker: Worker,
  kind: LongRunningJob,
  organizationId: string,
  backgroundJobId: string,
): Promise<Claimed | undefined> =>
  transaction(worker.scopedTo(organizationId, EVERY_ROW), async (tx) => {
    const { clock } = worker
    const row = await lockBackgroundJob(tx, organizationId, backgroundJobId)
    if (!row || !['queued', 'running'].includes(row.state)) return undefined
    // Never runs twice at the same time: the queue gave up the earlier worker.
    const hasDied = row.state === 'running'
    const failures = row.failures + (hasDied ? 1 : 0)
    const end = reasonToEnd(kind, row, hasDied, failures) ?? (await reasonNotToSend(worker, kind, row))
    if (end) {
      await completeJob(tx, kind, row, end, clock)
      return undefined
    }
    if ((await countRunning(tx, row)) >= placesOf(kind, worker.config).perOrganization) {
      await setJob(
        tx,
        backgroundJobId,
        await worker.jobs.enqueue(tx, queueJobType(kind), { organizationId, backgroundJobId }, SHARE_TAKEN_SECONDS),
      )
      return undefined
    }
    const { attempt, done, total } = await claimBackgroundJob(
      tx,
      backgroundJobId,
      workerName(),
      failures,
      isoTime(clock.now()),
    )
    return { id: backgroundJobId, attempt, done, total, row }
  })

const reasonToEnd = (
  kind: LongRunningJob,
  row: BackgroundJobRow,
  hasDied: boolean,
  failures: number,
): JobEnd | undefined => {
  if (row.cancel_requested_at !== null) return ended('cancelled', CANCELLED)
  if (hasDied && (!kind.resumes || failures >= MAX_FAILURES)) return ended('failed', DIED)
  return undefined
}

const reasonNotToSend = async (
  { safeMode }: Worker,
  { sends = false }: LongRunningJob,
  { created_at: askedAt }: BackgroundJobRow,
): Promise<JobEnd | undefined> =>
  sends && (await safeMode.isOutdated(askedAt)) ? ended('failed', NOT_LIVE) : undefined

const ended = (state: 'failed' | 'cancelled', reason: string): JobEnd => ({ state, reason, result: undefined })

type JobOutcome = { result: unknown } | { error: unknown }

/** The outcome of `run`; after the stop signal it waits only `STOP_GRACE_MS`. */
const settle = async (run: () => Promise<unknown>, signal: AbortSignal): Promise<JobOutcome> => {
  const settled = run().then(
    (result): JobOutcome => (signal.aborted ? { error: signal.reason } : { result }),
    (error): JobOutcome => ({ error: signal.aborted ? signal.reason : error }),
  )
  const stopped = new Promise<JobOutcome>((resolve) => {
    const giveUp = () =>
      void sleep(STOP_GRACE_MS, undefined, { ref: false }).then(() => resolve({ error: signal.reason }))
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
  })
  return Promise.race([settled, stopped])
}

/** Ends the job, or throws to leave it to the next attempt. */
const conclude = async (
  worker: Worker,
  kind: LongRunningJob,
  claimed: Claimed,
  outcome: JobOutcome,
  gotFurther: boolean,
): Promise<void> => {
  const finish = (end: JobEnd) => endClaimed(worker, kind, claimed, end)
  if (!('error' in outcome)) return finish({ state: 'succeeded', reason: null, result: outcome.result })
  const { error } = outcome
  const { row } = claimed
  const again = async (failures: number): Promise<never> => {
    await releaseBackgroundJob(worker.scopedTo(row.organization_id, EVERY_ROW), claimed, failures)
    throw error
  }
  if (error instanceof JobStopped) {
    if (error.why === 'replaced') return undefined
    if (error.why === 'process stops') return kind.resumes ? again(row.failures) : finish(ended('failed', STOPPED))
    if (error.why === 'cancelled') return finish(ended('cancelled', CANCELLED))
    return finish(ended('cancelled', error.message))
  }
  // The message tells people why it cannot be done, and a retry changes nothing.
  if (error instanceof ApiError && error.status < 500) return finish(ended('failed', error.message))
  const failures = (gotFurther ? 0 : row.failures) + 1
  if (kind.resumes && failures < MAX_FAILURES) return again(failures)
  worker.log.error({ err: error, work: claimed.id, kind: kind.name }, 'a long-running job was given up')
  return finish(ended('failed', FAILED))
}

const endClaimed = (worker: Worker, kind: LongRunningJob, { id, attempt, row }: Claimed, end: JobEnd): Promise<void> =>
  transaction(worker.scopedTo(row.organization_id, EVERY_ROW), async (tx) => {
    const now = await lockBackgroundJob(tx, row.organization_id, id)
    if (now?.attempt !== attempt) return
    // A job that was cancelled in the last moment but finished ends as done.
    const isEnded = await completeJob(tx, kind, now, end, worker.clock)
    if (isEnded && end.state === 'cancelled' && now.cancel_requested_at === null)
      await worker.onRightEnded(tx, toBackgroundJob(now), end.reason ?? '')
  })
