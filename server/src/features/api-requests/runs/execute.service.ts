import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import { plainChange } from '../../../platform/database/change.ts'
import { takeFairLocks } from '../../../platform/database/fair-locks.ts'
import { asServer, type Transaction } from '../../../platform/database/transaction.ts'
import { conflict, notFound, rateLimited } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import type { Writer } from '../../../platform/http/context.ts'
import { newId } from '../../../platform/ids.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { findDetails } from '../../engagements/details.queries.ts'
import { isWithinTestingHours } from '../../engagements/testing-hours.ts'
import { countAndGetWait } from '../../identity/attempts/attempts.service.ts'
import { type Operation, recordOperations } from '../../operations/operations.service.ts'
import type { RuleSet } from '../../scope/rule-set.ts'
import { findRuleSet } from '../../scope/scope.service.ts'
import { holdEngagementInBody } from '../place.service.ts'
import { ofEngagement, personOf } from '../saved/requests.service.ts'
import type { Evaluate } from '../sending/evaluator.ts'
import { outcomeOf } from '../sending/failures.ts'
import { type Sent, send } from '../sending/send.ts'
import { operationsOf } from './operations.ts'
import type { Prepared } from './prepare.service.ts'
import { endColumns, requestColumns } from './record.ts'
import * as query from './runs.queries.ts'
import { checkByRules } from './scope-check.ts'

/** What is made once at start. */
export interface RunTools {
  outbound: Outbound
  evaluate: Evaluate
}

const HOUR_MS = 60 * 60 * 1000
const BUSY_RETRY_SECONDS = 5
const BEAT_MS = 5_000

export const NOT_ACTIVE = 'This engagement is not active: nothing is sent from it.'
export const OUTSIDE_HOURS = 'It is outside the testing hours of this engagement.'

/** How a run went, also for what a sequence does next. */
export interface RunOutcome {
  runId: string
  hasSucceeded: boolean
  /** Not masked. */
  captured: Record<string, string>
}

/**
 * Sends a prepared request. The run is stored before, as one under way, and ended after: a process that dies in between
 * leaves one that has failed, and nothing is sent again.
 *
 * @param signal cancels it
 * @throws ApiError CONFLICT outside testing hours or where the engagement is not active, RATE_LIMITED beyond the limits of the
 *   organization, NOT_FOUND for an engagement that is not seen any more
 */
export const executePrepared = async (writer: Writer, tools: RunTools, actor: Actor, prepared: Prepared, signal: AbortSignal): Promise<RunOutcome> => {
  await requireHourly(writer, actor)
  const { runId, rules } = await beginRun(writer, actor, prepared)
  const stopBeating = keepAlive(writer, actor.organizationId, runId)
  try {
    return await performRun(writer, tools, actor, prepared, runId, rules, signal)
  } finally {
    stopBeating()
  }
}

const requireHourly = async ({ db, clock, config }: Writer, { organizationId }: Actor): Promise<void> => {
  const max = config.REQUEST_RUNS_PER_HOUR
  const waitMs = await countAndGetWait(db, clock, `request-runs:${organizationId}`, max, HOUR_MS)
  if (waitMs !== undefined) throw rateLimited(`The limit is ${max} executed requests per hour.`, Math.max(1, Math.ceil(waitMs / 1000)))
}

const beginRun = ({ change, clock, config }: Writer, actor: Actor, prepared: Prepared) =>
  change(async (tx) => {
    const { organizationId } = actor
    const { engagementId, requestId } = prepared
    await holdEngagementInBody(tx, actor, engagementId)
    const rules = engagementId === null ? undefined : await requireSending(tx, organizationId, engagementId, clock.now())
    const now = clock.now()
    const runId = newId('run', now)
    await query.insertRun(tx, {
      id: runId,
      organization_id: organizationId,
      engagement_id: engagementId,
      request_id: requestId,
      environment_id: prepared.environmentId,
      sequence_id: prepared.sequenceId,
      ...requestColumns(prepared, config.RUN_BODY_LIMIT_BYTES),
      started_by: personOf(actor),
      created_at: isoTime(now),
    })
    await recordAudit(tx, actor, clock, {
      action: 'api-request.executed',
      object: { type: 'request-run', id: runId },
      ...ofEngagement(engagementId),
      after: { method: prepared.request.method, host: prepared.mask(prepared.request.url.host), ...(requestId !== null && { requestId }) },
    })
    // Last, so that those who begin at the same moment wait for each other's commit alone.
    await requirePlace(tx, organizationId, config.REQUEST_RUNS_AT_ONCE)
    return { runId, rules }
  })

const requireSending = async (tx: Transaction, organizationId: string, engagementId: string, now: number): Promise<RuleSet> => {
  const details = await findDetails(tx, organizationId, engagementId)
  if (!details) throw notFound()
  if (details.status !== 'active') throw conflict(NOT_ACTIVE)
  if (!isWithinTestingHours(details, now)) throw conflict(OUTSIDE_HOURS)
  return findRuleSet(tx, organizationId, engagementId)
}

/** Those who begin at the same moment wait for each other, so that together they stay within the limit; this run counts, too. */
const requirePlace = async (tx: Transaction, organizationId: string, max: number): Promise<void> => {
  await takeFairLocks(tx, { alone: [`request runs ${organizationId}`] })
  const running = await asServer(tx, () => query.countRunning(tx, organizationId))
  if (running > max) throw rateLimited(`Only ${max} requests are executed at the same time. Try again when one has ended.`, BUSY_RETRY_SECONDS)
}

const keepAlive = ({ scopedTo, log }: Writer, organizationId: string, runId: string): (() => void) => {
  const db = scopedTo(organizationId)
  const timer = setInterval(() => {
    query.extendRun(db, organizationId, runId).catch((error) => log.warn({ err: error, run: runId }, 'a run under way could not be marked as alive'))
  }, BEAT_MS)
  return () => clearInterval(timer)
}

const performRun = async (
  writer: Writer,
  { outbound, evaluate }: RunTools,
  actor: Actor,
  prepared: Prepared,
  runId: string,
  rules: RuleSet | undefined,
  signal: AbortSignal,
): Promise<RunOutcome> => {
  const { clock, config, log } = writer
  const { request, options, proxy, captures, assertions } = prepared
  const sent: Sent = { hops: [], attempts: [], timing: { dns: null, connect: null, tls: null, firstByte: null, total: null }, answer: null }
  const checkUrl = rules ? checkByRules(rules) : () => () => undefined
  const keptBytes = config.RUN_BODY_LIMIT_BYTES
  let outcome: { state: string; reason: string | null } = { state: 'succeeded', reason: null }
  try {
    await send({ outbound, clock, checkUrl, options, proxy, keptBytes, signal }, request, sent)
  } catch (error) {
    const known = outcomeOf(error)
    if (!known) log.error({ err: maskedError(error, prepared), run: runId }, 'a request could not be executed')
    outcome = known ?? { state: 'failed', reason: 'Something went wrong on the server. Its log says what.' }
  }
  const { answer } = sent
  const evaluated = answer
    ? await evaluate({ status: answer.status, headers: answer.headers, body: answer.body.kept, totalMs: sent.timing.total ?? 0, captures, assertions })
    : undefined
  const columns = endColumns(prepared, sent, outcome, evaluated, isoTime(clock.now()))
  await endRun(writer, actor, prepared, runId, columns, operationsOf(sent, runId, actor))
  const hasPassed = evaluated !== undefined && evaluated.assertions.every(({ passed }) => passed)
  return { runId, hasSucceeded: outcome.state === 'succeeded' && hasPassed, captured: evaluated?.captured ?? {} }
}

/** What is logged of a fault says no secret either. */
const maskedError = (error: unknown, { mask }: Prepared): { name: string; message: string; stack: string } => {
  const { name = 'Error', message = '', stack = '' } = error as Partial<Error>
  return { name, message: mask(message), stack: mask(stack) }
}

/** Whatever became of the caller's right meanwhile: it was sent, and the history says so. */
const endRun = (
  { scopedTo }: Writer,
  { organizationId }: Actor,
  { engagementId }: Prepared,
  runId: string,
  columns: ReturnType<typeof endColumns>,
  operations: readonly Operation[],
) =>
  plainChange(scopedTo(organizationId))(async (tx) => {
    await query.endRun(tx, organizationId, runId, columns)
    if (engagementId !== null) await recordOperations(tx, { organizationId, engagementId }, operations)
    await announce(tx, { type: 'request', engagementId, ids: [runId], change: 'created' })
  })
