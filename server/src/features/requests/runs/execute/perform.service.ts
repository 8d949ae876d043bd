import type { Updateable } from 'kysely'
import type { Actor } from '../../../../platform/auth/actor.ts'
import { isoTime } from '../../../../platform/clock.ts'
import type { Config } from '../../../../platform/config.ts'
import type { Platform } from '../../../../platform/context.ts'
import { plainChange } from '../../../../platform/database/change.ts'
import { EVERY_ROW } from '../../../../platform/database/scope/tenant-scope.ts'
import type { Transaction } from '../../../../platform/database/transaction.ts'
import type { RequestRuns } from '../../../../platform/database/types.gen.ts'
import { announce } from '../../../../platform/events/announce.ts'
import type { ActorLocks } from '../../../../platform/feature.ts'
import { createOutbound, type Outbound } from '../../../../platform/outbound/outbound.ts'
import { type Operation, recordOperations } from '../../../operation-log/operation-log.service.ts'
import { keepValues } from '../../environments/environments.service.ts'
import { findRefusing } from '../../secret-hosts.ts'
import { createEvaluator, type Evaluator } from '../../sending/evaluate/evaluator.ts'
import { outcomeOf, RunRefused } from '../../sending/failures.ts'
import { type CheckHop, type Sent, send } from '../../sending/send.ts'
import * as query from '../runs.queries.ts'
import { operationsOf } from './operations.ts'
import type { Prepared } from './prepare.service.ts'
import { endColumns, requestColumns, storable } from './record.ts'
import { createRunPermits, createRunRules } from './run-rules.service.ts'

/** Shared by all requests of a process. */
export interface RunTools extends Evaluator {
  outbound: Outbound
  /** Reads the current permissions of senders. */
  actors: ActorLocks
}

const TOOLS = new WeakMap<Config, RunTools>()

export const runTools = ({ config, safeMode }: Pick<Platform, 'config' | 'safeMode'>, actors: ActorLocks): RunTools => {
  const made = TOOLS.get(config) ?? { outbound: createOutbound(config, safeMode), ...createEvaluator(), actors }
  TOOLS.set(config, made)
  return made
}

const BEAT_MS = 5_000

/** The outcome of a run, also for the next step of a sequence. */
export interface RunOutcome {
  runId: string
  hasSucceeded: boolean
  /** Not masked. */
  captured: Record<string, string>
}

/** Marks a run as alive until the returned function is called. */
export const keepAlive = (
  { scopedTo, log }: Pick<Platform, 'scopedTo' | 'log'>,
  organizationId: string,
  runId: string,
): (() => void) => {
  const db = scopedTo(organizationId)
  const timer = setInterval(() => {
    query
      .extendRun(db, organizationId, runId)
      .catch((error) => log.warn({ err: error, run: runId }, 'a run under way could not be marked as alive'))
  }, BEAT_MS)
  return () => clearInterval(timer)
}

/**
 * Sends a started run and stores its outcome.
 *
 * @param onEnd extra work in the transaction that ends the run
 */
export const performRun = async (
  platform: Platform,
  { outbound, evaluate, actors }: RunTools,
  actor: Actor,
  prepared: Prepared,
  runId: string,
  signal: AbortSignal,
  onEnd: (tx: Transaction, outcome: RunOutcome) => Promise<void> = async () => undefined,
): Promise<RunOutcome> => {
  const { clock, config, log } = platform
  const { request, options, proxy, captures, assertions } = prepared
  const sent: Sent = {
    hops: [],
    attempts: [],
    timing: { dns: null, connect: null, tls: null, firstByte: null, total: null },
    answer: null,
  }
  const stopper = new AbortController()
  const through = new AbortController()
  const stopped = AbortSignal.any([signal, stopper.signal])
  const permits = createRunPermits(
    createRunRules(
      platform,
      actors,
      actor,
      { engagementId: prepared.engagementId, retestId: prepared.source.execution.retestId },
      stopped,
    ),
  )
  const checkHop: CheckHop = async (address, headers) => {
    requireAllowedHost(prepared, address.url)
    return permits.checkHop(address, headers)
  }
  const watching = permits.watch(through.signal, (reason) => stopper.abort(reason))
  const keptBytes = config.RUN_BODY_LIMIT_BYTES
  let outcome: Pick<RequestRuns, 'state' | 'reason'> = { state: 'succeeded', reason: null }
  try {
    await send({ outbound, clock, checkHop, options, proxy, keptBytes, signal: stopped }, request, sent)
  } catch (error) {
    const known = outcomeOf(error)
    if (!known) log.error({ err: maskedError(error, prepared), run: runId }, 'a request could not be executed')
    outcome = known ?? { state: 'failed', reason: 'Something went wrong on the server. See its log.' }
  } finally {
    through.abort()
    await watching
  }
  const { answer } = sent
  const evaluated = answer
    ? await evaluate(actor.organizationId, {
        status: answer.status,
        headers: answer.headers,
        body: answer.body.kept,
        totalMs: sent.timing.total ?? 0,
        captures,
        assertions,
      })
    : undefined
  // The history shows the request as sent, even if it was edited during the run.
  const columns = {
    ...requestColumns(prepared, keptBytes),
    ...endColumns(prepared, sent, outcome, evaluated, isoTime(clock.now())),
  }
  const hasPassed = evaluated !== undefined && evaluated.assertions.every(({ passed }) => passed)
  const ended = { runId, hasSucceeded: outcome.state === 'succeeded' && hasPassed, captured: evaluated?.captured ?? {} }
  const operations = await operationsOf(outbound, sent, runId, actor, prepared)
  await endRun(platform, actor, prepared.engagementId, runId, columns, operations, async (tx) => {
    if (outcome.state === 'succeeded') await keepCaptured(tx, platform, actor, prepared, ended.captured)
    await onEnd(tx, ended)
  })
  return ended
}

/** Longer values do not fit into a variable of an environment. */
const MAX_KEPT = 16_384

/** Stores the values that a capture keeps in the environment of the run. */
const keepCaptured = async (
  tx: Transaction,
  platform: Pick<Platform, 'keys' | 'clock'>,
  actor: Actor,
  { captures, environmentId, engagementId, mask }: Prepared,
  captured: Record<string, string>,
): Promise<void> => {
  if (environmentId === null) return
  const kept = captures.flatMap(({ variable, keep = false }) => {
    const value = keep && Object.hasOwn(captured, variable) ? storable(captured[variable] ?? '') : undefined
    return value === undefined || value.length > MAX_KEPT
      ? []
      : [[variable, { value, isSecret: mask(value) !== value }] as const]
  })
  if (kept.length > 0) await keepValues(tx, platform, actor, { environmentId, engagementId }, Object.fromEntries(kept))
}

/** Prevents redirects from sending a secret to a host that it is not for. @throws RunRefused */
const requireAllowedHost = ({ boundSecrets, mask }: Prepared, url: URL): void => {
  const refusing = findRefusing(boundSecrets, url)
  if (refusing)
    throw new RunRefused(
      mask(`secrets of ${refusing.of} are sent only to ${refusing.hosts.join(' or ')}, not to ${url.hostname}`),
    )
}

/** Masks secrets in logged errors. */
const maskedError = (error: unknown, { mask }: Prepared): { name: string; message: string; stack: string } => {
  const { name = 'Error', message = '', stack = '' } = error as Partial<Error>
  return { name, message: mask(message), stack: mask(stack) }
}

/** Ignores a revoked permission of the caller: the history shows every request that was sent. */
export const endRun = (
  { scopedTo }: Pick<Platform, 'scopedTo'>,
  { organizationId }: Pick<Actor, 'organizationId'>,
  engagementId: string | null,
  runId: string,
  columns: Updateable<RequestRuns>,
  operations: readonly Operation[],
  onEnd: (tx: Transaction) => Promise<void> = async () => undefined,
) =>
  plainChange(scopedTo(organizationId, EVERY_ROW))(async (tx) => {
    await query.endRun(tx, organizationId, runId, columns)
    await recordOperations(tx, { organizationId, engagementId }, operations)
    await onEnd(tx)
    await announce(tx, { type: 'request', engagementId, ids: [runId], change: 'created' })
  })
