import type { Actor } from '../../../../platform/auth/actor.ts'
import { isoTime } from '../../../../platform/clock.ts'
import type { Outside } from '../../../../platform/concurrency/outside.ts'
import type { Writer } from '../../../../platform/context.ts'
import { acquireFairLocks } from '../../../../platform/database/scope/fair-locks.ts'
import { asServer, type Transaction } from '../../../../platform/database/transaction.ts'
import { rateLimited } from '../../../../platform/errors.ts'
import { newId } from '../../../../platform/ids.ts'
import { recordAudit } from '../../../audit/audit.service.ts'
import { consume } from '../../../auth/throttle/throttle.service.ts'
import { requireStorage } from '../../../files/storage-quota.service.ts'
import { lockWritablePlaceInBody } from '../../place.service.ts'
import { ofEngagement, personOf } from '../../saved/requests.service.ts'
import { handOver, waitForHandoff } from '../handoffs/handoffs.service.ts'
import * as query from '../runs.queries.ts'
import { keepAlive, performRun, type RunOutcome, type RunTools } from './perform.service.ts'
import type { Prepared } from './prepare.service.ts'
import { requestColumns } from './record.ts'
import { requireOverride, requireSending } from './run-rules.service.ts'

/**
 * `outside`: a run waits for a remote server. `REQUEST_RUNS_AT_ONCE` limits how many of an organization wait (finding
 * T6).
 */
export interface Sender extends Writer {
  outside: Outside
}

const HOUR_MS = 60 * 60 * 1000
/** Retry delay of a response while all slots are in use. */
export const BUSY_RETRY_SECONDS = 5

/**
 * Sends a prepared request, from this process or from a worker (`REQUESTS_BY`). The run is stored as running first, and
 * updated at its end: if the process dies, the run has failed and is not sent again.
 *
 * @param signal cancels the run
 * @throws ApiError FORBIDDEN or VALIDATION_ERROR without an engagement, CONFLICT in safe mode, outside testing hours or
 *   if the engagement is not active, RATE_LIMITED above the limits of the organization, NOT_FOUND for an engagement
 *   that is no longer visible
 */
export const executePrepared = async (
  writer: Sender,
  tools: RunTools,
  actor: Actor,
  prepared: Prepared,
  signal: AbortSignal,
): Promise<RunOutcome> => {
  await writer.safeMode.requireLive()
  requireOverride(actor, prepared.engagementId, prepared.override)
  const runId = await beginRun(writer, actor, prepared)
  const stopBeating = keepAlive(writer, actor.organizationId, runId)
  try {
    return await writer.outside(() =>
      writer.config.REQUESTS_BY === 'workers'
        ? waitForHandoff(writer, actor, prepared.engagementId, runId, signal, stopBeating)
        : performRun(writer, tools, actor, prepared, runId, signal),
    )
  } finally {
    stopBeating()
  }
}

/**
 * Counted in the transaction that starts a run, so that attempts without a free slot, such as those of a waiting
 * sequence, do not count.
 */
const requireHourly = async (tx: Transaction, { clock, config }: Writer, organizationId: string): Promise<void> => {
  const max = config.REQUEST_RUNS_PER_HOUR
  const waitMs = await consume(tx, clock, `request-runs:${organizationId}`, max, HOUR_MS)
  if (waitMs !== undefined)
    throw rateLimited(`The limit is ${max} executed requests per hour.`, Math.max(1, Math.ceil(waitMs / 1000)))
}

const beginRun = (writer: Writer, actor: Actor, prepared: Prepared) =>
  writer.change(async (tx) => {
    const { clock, config } = writer
    const { organizationId } = actor
    const { engagementId, requestId } = prepared
    await lockWritablePlaceInBody(tx, actor, engagementId)
    if (engagementId !== null)
      await requireSending(tx, organizationId, engagementId, clock.now(), prepared.source.execution.retestId)
    await requireStorage(tx, writer, organizationId, 0)
    const now = clock.now()
    const runId = newId('run', now)
    await query.insertRun(tx, {
      id: runId,
      organization_id: organizationId,
      engagement_id: engagementId,
      request_id: requestId,
      environment_id: prepared.environmentId,
      sequence_id: prepared.sequenceId,
      override_reason: prepared.override?.reason ?? null,
      ...requestColumns(prepared, config.RUN_BODY_LIMIT_BYTES),
      started_by: personOf(actor),
      created_at: isoTime(now),
    })
    await recordAudit(tx, actor, clock, {
      action: 'api-request.executed',
      object: { type: 'request-run', id: runId },
      ...ofEngagement(engagementId),
      after: {
        method: prepared.request.method,
        host: prepared.mask(prepared.request.url.host),
        ...(requestId !== null && { requestId }),
        ...overrideOf(prepared),
      },
    })
    if (config.REQUESTS_BY === 'workers') await handOver(writer, tx, actor, prepared, runId)
    // Last, so that simultaneous runs wait only for each other's commit.
    await requirePlace(tx, organizationId, config.REQUEST_RUNS_AT_ONCE)
    await requireHourly(tx, writer, organizationId)
    return runId
  })

const overrideOf = ({ override }: Prepared) => (override ? { override: override.reason } : {})

/** Serializes simultaneous starts, so that together they stay within the limit. The count includes this run. */
const requirePlace = async (tx: Transaction, organizationId: string, max: number): Promise<void> => {
  await acquireFairLocks(tx, { exclusive: [`request runs ${organizationId}`] })
  const running = await asServer(tx, () => query.countRunning(tx, organizationId))
  if (running > max)
    throw rateLimited(
      `Only ${max} requests are executed at the same time. Try again when one has finished.`,
      BUSY_RETRY_SECONDS,
    )
}
