import { setTimeout as sleep } from 'node:timers/promises'
import {
  MAX_SEQUENCE_CAPTURED,
  MAX_SEQUENCE_REQUESTS,
  MAX_SEQUENCE_SECONDS,
} from '@sortie/contract/requests/request-sequences.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import { plainChange } from '../../../platform/database/change.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import { acquireFairLocks } from '../../../platform/database/scope/fair-locks.ts'
import { EVERY_ROW } from '../../../platform/database/scope/tenant-scope.ts'
import { asServer, type Transaction } from '../../../platform/database/transaction.ts'
import { ApiError, conflict, invalid, notFound, rateLimited } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import { newId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { requireUsableEnvironment } from '../environments/environments.service.ts'
import { findFolder, listBelow } from '../folders/folders.queries.ts'
import { lockWritablePlace, lockWritablePlaceInBody } from '../place.service.ts'
import { BUSY_RETRY_SECONDS, executePrepared, type Sender } from '../runs/execute/execute.service.ts'
import type { RunTools } from '../runs/execute/perform.service.ts'
import { prepareSaved } from '../runs/execute/prepare.service.ts'
import { requireOverride, requireSending } from '../runs/execute/run-rules.service.ts'
import { listRunsOfSequence } from '../runs/runs.queries.ts'
import { listInFolders } from '../saved/requests.queries.ts'
import { ofEngagement, personOf } from '../saved/requests.service.ts'
import { RunCancelled, RunFailed } from '../sending/failures.ts'
import * as query from './sequences.queries.ts'

interface SequenceRunInput {
  engagementId?: string
  environmentId?: string
  variables?: Record<string, string>
  continueOnFailure?: boolean
  override?: { reason: string }
}

interface Sequence {
  id: string
  engagementId: string | null
  requestIds: readonly string[]
}

interface Ending {
  state: 'succeeded' | 'failed' | 'cancelled'
  reason: string | null
}

const BEAT_MS = 1_000
const BUSY_WAIT_MS = 1_000
const TOO_MUCH_CAPTURED = `The values that a sequence captures must have at most ${MAX_SEQUENCE_CAPTURED} characters together.`
const CANCELLED = 'It was cancelled.'
const TOO_LONG = `The sequence took longer than ${MAX_SEQUENCE_SECONDS / 60} minutes.`

/**
 * Executes the requests of a folder one after another, each with the current permissions, rules and hours, like a
 * single request.
 *
 * @returns the id of the sequence, which has ended
 * @throws ApiError NOT_FOUND, FORBIDDEN without an engagement, VALIDATION_ERROR for another engagement or environment
 *   than the folder's, CONFLICT for too many requests and in safe mode, RATE_LIMITED while the organization runs as
 *   many sequences as it may run requests
 */
export const executeRequestFolder = async (
  writer: Sender,
  tools: RunTools,
  actor: Actor,
  folderId: string,
  wanted: SequenceRunInput,
): Promise<string> => {
  await writer.safeMode.requireLive()
  const sequence = await beginSequence(writer, actor, folderId, wanted)
  const stopper = new AbortController()
  const counter = { done: 0 }
  const ended = new AbortController()
  const watching = watch(writer, actor, sequence, counter, stopper, ended.signal)
  const run = () => runAll(writer, tools, actor, sequence, wanted, counter, stopper.signal)
  const ending = await writer.outside(run).catch((error: unknown): Ending => {
    writer.log.error({ err: error, sequence: sequence.id }, 'a sequence failed')
    return { state: 'failed', reason: 'Something went wrong on the server. See its log.' }
  })
  ended.abort()
  await watching
  await endSequence(writer, actor, sequence, counter.done, ending)
  return sequence.id
}

const beginSequence = (
  { change, clock, config }: Writer,
  actor: Actor,
  folderId: string,
  wanted: SequenceRunInput,
): Promise<Sequence> =>
  change(async (tx) => {
    const { organizationId } = actor
    const folder = await findFolder(tx, organizationId, folderId)
    if (!folder) throw notFound()
    if (folder.engagement_id !== null && (wanted.engagementId ?? folder.engagement_id) !== folder.engagement_id) {
      throw invalid('engagementId: the folder belongs to another engagement')
    }
    const engagementId = folder.engagement_id ?? wanted.engagementId ?? null
    requireOverride(actor, engagementId, wanted.override ?? null)
    await lockWritablePlaceInBody(tx, actor, engagementId)
    if (wanted.environmentId !== undefined)
      await requireUsableEnvironment(tx, organizationId, engagementId, wanted.environmentId)
    if (engagementId !== null) await requireSending(tx, organizationId, engagementId, clock.now())
    const folders = (await listBelow(tx, organizationId, folderId)).map(({ id }) => id)
    const requests = await listInFolders(tx, organizationId, folders, MAX_SEQUENCE_REQUESTS + 1)
    if (requests.length > MAX_SEQUENCE_REQUESTS)
      throw conflict(`The folder has more than ${MAX_SEQUENCE_REQUESTS} requests.`)
    const now = clock.now()
    const id = newId('seq', now)
    await query.insertSequence(tx, {
      id,
      organization_id: organizationId,
      engagement_id: engagementId,
      folder_id: folderId,
      environment_id: wanted.environmentId ?? null,
      override_reason: wanted.override?.reason ?? null,
      total: requests.length,
      started_by: personOf(actor),
      created_at: isoTime(now),
    })
    await recordAudit(tx, actor, clock, {
      action: 'request-folder.executed',
      object: { type: 'request-folder', id: folderId },
      ...ofEngagement(engagementId),
      after: {
        sequenceId: id,
        requests: requests.length,
        ...(wanted.override && { override: wanted.override.reason }),
      },
    })
    await announce(tx, { type: 'request', engagementId, ids: [id], change: 'created' })
    await requirePlace(tx, organizationId, config.REQUEST_RUNS_AT_ONCE)
    return { id, engagementId, requestIds: requests.map((request) => request.id) }
  })

/** Simultaneous starts wait for each other's commit. The count includes this sequence (finding T6). */
const requirePlace = async (tx: Transaction, organizationId: string, max: number): Promise<void> => {
  await acquireFairLocks(tx, { exclusive: [`request sequences ${organizationId}`] })
  const running = await asServer(tx, () => query.countRunningSequences(tx, organizationId))
  if (running > max)
    throw rateLimited(
      `Only ${max} folders are executed at the same time. Try again when one has finished.`,
      BUSY_RETRY_SECONDS,
    )
}

const runAll = async (
  writer: Sender,
  tools: RunTools,
  actor: Actor,
  { id, engagementId, requestIds }: Sequence,
  { environmentId, variables, override, continueOnFailure = false }: SequenceRunInput,
  counter: { done: number },
  stopped: AbortSignal,
): Promise<Ending> => {
  const captured: Record<string, string> = {}
  let failures = 0
  const execution = {
    engagementId,
    ...(environmentId !== undefined && { environmentId }),
    ...(variables && { variables }),
    ...(override && { override }),
  }
  for (const requestId of requestIds) {
    try {
      stopped.throwIfAborted()
      const prepared = await prepareSaved(writer, actor, requestId, execution, { sequenceId: id, captured })
      const outcome = await whenFree(() => executePrepared(writer, tools, actor, prepared, stopped), stopped)
      Object.assign(captured, outcome.captured)
      const size = Object.values(captured).reduce((sum, value) => sum + value.length, 0)
      if (size > MAX_SEQUENCE_CAPTURED)
        return {
          state: 'failed',
          reason: `${TOO_MUCH_CAPTURED} Request ${counter.done + 1} captured the last of them.`,
        }
      if (!outcome.hasSucceeded) failures++
    } catch (error) {
      if (stopped.aborted) break
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      // For the sequence, a request that cannot be sent has failed.
      failures++
      if (!continueOnFailure)
        return { state: 'failed', reason: `request ${counter.done + 1} could not be sent: ${error.message}` }
    }
    if (stopped.aborted) break
    counter.done++
    if (failures > 0 && !continueOnFailure)
      return { state: 'failed', reason: `request ${counter.done} failed, or an assertion of it did` }
  }
  if (stopped.aborted)
    return stopped.reason instanceof RunCancelled
      ? { state: 'cancelled', reason: CANCELLED }
      : { state: 'failed', reason: TOO_LONG }
  return failures === 0
    ? { state: 'succeeded', reason: null }
    : { state: 'failed', reason: `${failures} of ${requestIds.length} requests failed, or an assertion of them did` }
}

/**
 * Waits for a free slot, which other runs of the organization may use for a while. Does not wait for the hourly limit.
 */
const whenFree = async <T>(execute: () => Promise<T>, stopped: AbortSignal): Promise<T> => {
  for (;;) {
    try {
      return await execute()
    } catch (error) {
      const isBusy =
        error instanceof ApiError &&
        error.code === 'RATE_LIMITED' &&
        (error.retryAfterSeconds ?? 60) <= BUSY_RETRY_SECONDS
      if (!isBusy) throw error
      await sleep(BUSY_WAIT_MS, undefined, { signal: stopped })
    }
  }
}

/**
 * Marks the sequence as alive every second with its progress, and ends it at its time limit or when a user cancels it.
 */
const watch = async (
  { scopedTo, clock, log }: Writer,
  { organizationId }: Actor,
  { id, engagementId }: Sequence,
  counter: { done: number },
  stopper: AbortController,
  ended: AbortSignal,
): Promise<void> => {
  const db = scopedTo(organizationId)
  const endsAt = clock.monotonic() + MAX_SEQUENCE_SECONDS * 1000
  let announced = 0
  while (!ended.aborted) {
    await sleep(BEAT_MS, undefined, { signal: ended, ref: false }).catch(() => undefined)
    if (ended.aborted) return
    if (clock.monotonic() >= endsAt) stopper.abort(new RunFailed(TOO_LONG))
    try {
      const { done } = counter
      if ((await query.beatSequence(db, organizationId, id, done)) !== false) stopper.abort(new RunCancelled(CANCELLED))
      if (done !== announced)
        await plainChange(db)((tx) => announce(tx, { type: 'request', engagementId, ids: [id], change: 'updated' }))
      announced = done
    } catch (error) {
      // Retried a second later, when the database may respond again.
      log.warn({ err: error, sequence: id }, 'a sequence under way could not be marked as alive')
    }
  }
}

/** Ignores a revoked permission of the caller. */
const endSequence = (
  { scopedTo, clock }: Writer,
  { organizationId }: Actor,
  { id, engagementId }: Sequence,
  done: number,
  ending: Ending,
): Promise<void> =>
  plainChange(scopedTo(organizationId, EVERY_ROW))(async (tx) => {
    await query.updateSequence(tx, organizationId, id, { ...ending, done, ended_at: isoTime(clock.now()) })
    await announce(tx, { type: 'request', engagementId, ids: [id], change: 'updated' })
  })

/**
 * @returns the sequence before the cancellation, with its runs. @throws ApiError NOT_FOUND, CONFLICT for an archived
 *   engagement
 */
export const cancelRequestSequence = ({ change, clock }: Writer, actor: Actor, id: string): Promise<SequenceWithRuns> =>
  change(async (tx) => {
    const { organizationId } = actor
    const found = await findSequenceWithRuns(tx, organizationId, id)
    const { sequence } = found
    await lockWritablePlace(tx, actor, sequence.engagement_id)
    if (sequence.state !== 'running') return found
    await query.updateSequence(tx, organizationId, id, { cancel_requested_at: isoTime(clock.now()) })
    await recordAudit(tx, actor, clock, {
      action: 'request-sequence.cancelled',
      object: { type: 'request-sequence', id },
      ...ofEngagement(sequence.engagement_id),
      after: { done: sequence.done, total: sequence.total },
    })
    return found
  })

export interface SequenceWithRuns {
  sequence: query.SequenceRow
  runs: Awaited<ReturnType<typeof listRunsOfSequence>>
}

/** @throws ApiError NOT_FOUND */
export const findSequenceWithRuns = async (
  db: Database,
  organizationId: string,
  id: string,
): Promise<SequenceWithRuns> => {
  const sequence = await query.findSequence(db, organizationId, id)
  if (!sequence) throw notFound()
  return { sequence, runs: await listRunsOfSequence(db, organizationId, id) }
}
