import { setTimeout as sleep } from 'node:timers/promises'
import type { Actor } from '../../../../platform/auth/actor.ts'
import { requirePermission } from '../../../../platform/auth/guard.ts'
import { isoTime } from '../../../../platform/clock.ts'
import { enterView, transaction } from '../../../../platform/database/transaction.ts'
import { ApiError } from '../../../../platform/errors.ts'
import { type Job, job, type Worker } from '../../../../platform/feature.ts'
import { RunCancelled } from '../../sending/failures.ts'
import { endRun, keepAlive, performRun, runTools } from '../execute/perform.service.ts'
import { prepareAgain } from '../execute/prepare.service.ts'
import { requireSending } from '../execute/run-rules.service.ts'
import * as query from './handoffs.queries.ts'
import { type Handed, openHanded, requestsJob, sealOutcome } from './handoffs.service.ts'

const LOOK_MS = 1_000

const NO_ACCESS = 'The user who started it no longer has permission.'
const CANCELLED = 'It was cancelled.'
const STOPPED = 'The process that sends requests was stopped.'

/**
 * Sends handed-over requests, with the current permissions, rules and hours. A process that serves the API runs this
 * job only if `SORTIE_JOBS` names it, so that requests leave from processes without a listener.
 */
export const sendHandedOver: Job = {
  ...job(requestsJob, async (worker, { organizationId, runId }, signal) => {
    const taken = await take(worker, organizationId, runId)
    if (!taken) return
    const stopBeating = keepAlive(worker, organizationId, runId)
    const ended = new AbortController()
    const stopper = new AbortController()
    const watching = watch(worker, organizationId, runId, stopper, ended.signal)
    const stop = () => stopper.abort(new RunCancelled(STOPPED))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    try {
      await sendTaken(worker, organizationId, runId, taken, stopper.signal)
    } finally {
      stopBeating()
      ended.abort()
      await watching
    }
  }),
  runsInApiProcess: false,
  writesNoFiles: true,
}

interface Taken {
  engagementId: string | null
  handed: Handed
  /** The sender with their current permissions; undefined without access. */
  actor: Actor | undefined
  /** Why nothing may be sent from the engagement now. */
  refusal: string | undefined
}

/** @returns undefined if another process has claimed it, or its caller no longer waits */
const take = (worker: Worker, organizationId: string, runId: string): Promise<Taken | undefined> =>
  transaction(worker.scopedTo(organizationId), async (tx) => {
    const { keys, clock, actors, safeMode } = worker
    const row = await query.consumeHandoff(tx, organizationId, runId, isoTime(clock.now()))
    if (!row) return undefined
    const { engagement_id: engagementId } = row
    const handed = openHanded(keys, { organizationId, runId }, row.wanted)
    const actor = await (handed.asker.kind === 'key'
      ? actors.lockKey(tx, handed.asker)
      : actors.lockMember(tx, handed.asker))
    const taken = { engagementId, handed, actor, refusal: undefined }
    if (!actor) return { ...taken, refusal: NO_ACCESS }
    try {
      await safeMode.requireLive()
      requirePermission(actor, { scope: 'api-requests:write' })
      await enterView(tx, actor.viewer)
      if (engagementId !== null)
        await requireSending(tx, organizationId, engagementId, clock.now(), handed.source.execution.retestId)
      return taken
    } catch (error) {
      return { ...taken, refusal: sentenceOf(error) }
    }
  })

/** Returns errors that users can fix as the reason of the run. */
const sentenceOf = (error: unknown): string => {
  if (error instanceof ApiError && error.status < 500) return error.message
  throw error
}

const sendTaken = async (
  worker: Worker,
  organizationId: string,
  runId: string,
  taken: Taken,
  signal: AbortSignal,
): Promise<void> => {
  const { keys, clock, config } = worker
  const { engagementId, handed, actor } = taken
  const refuse = (reason: string) =>
    endRun(
      worker,
      { organizationId },
      engagementId,
      runId,
      { state: 'failed', reason, ended_at: isoTime(clock.now()) },
      [],
    )
  if (!actor || taken.refusal !== undefined) return refuse(taken.refusal ?? NO_ACCESS)
  const prepared = await prepareAgain(
    { db: worker.scopedTo(organizationId, actor.viewer), keys, config, storage: worker.storage },
    actor,
    handed.source,
  ).catch(sentenceOf)
  if (typeof prepared === 'string') return refuse(prepared)
  await performRun(
    worker,
    runTools(worker, worker.actors),
    actor,
    prepared,
    runId,
    signal,
    (tx, { hasSucceeded, captured }) =>
      query.setOutcome(
        tx,
        organizationId,
        runId,
        sealOutcome(keys, { organizationId, runId }, { hasSucceeded, captured }),
      ),
  )
}

/** Checks every second whether the waiting caller has cancelled the run. */
const watch = async (
  worker: Worker,
  organizationId: string,
  runId: string,
  stopper: AbortController,
  ended: AbortSignal,
): Promise<void> => {
  const db = worker.scopedTo(organizationId)
  while (!ended.aborted) {
    await sleep(LOOK_MS, undefined, { signal: ended, ref: false }).catch(() => undefined)
    if (ended.aborted) return
    try {
      if (await query.isHandoffCancelled(db, organizationId, runId)) stopper.abort(new RunCancelled(CANCELLED))
    } catch (error) {
      // Retried a second later, when the database may respond again.
      worker.log.warn({ err: error, run: runId }, 'could not check whether a run is still wanted')
    }
  }
}
