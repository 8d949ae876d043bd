import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../../platform/config.ts'
import { EVERY_ROW } from '../../../platform/database/scope/tenant-scope.ts'
import type { Worker } from '../../../platform/feature.ts'
import type { RunningJob } from '../../../platform/jobs/kinds.ts'
import { countWorkers } from '../../../platform/jobs/rows.ts'
import { createOutbound, type Outbound } from '../../../platform/outbound/outbound.ts'
import type { CurrentRules } from '../../connection-rules/permit.ts'
import { ScanInputs } from '../inputs/scan-inputs.ts'
import { type Connections, createConnections } from '../network/connections.ts'
import { createCurrentScanRules } from '../network/current-rules.ts'
import { createScanNetwork } from '../network/scan-network.ts'
import { ProbeLog } from '../probes/probes.ts'
import type { ScanNetwork } from '../scanners/scanner.ts'
import type { ScanRow } from '../scans.queries.ts'
import { ScanWriter } from './scan-writer.ts'
import type { ScanOutcome } from './scan.job.ts'
import { readSteps, type Step } from './steps.ts'

/** Shared by all scans of a process. */
interface Tools {
  outbound: Outbound
  connections: Connections
}

const TOOLS = new WeakMap<Config, Tools>()

const toolsOf = ({ config, safeMode }: Worker): Tools => {
  const made = TOOLS.get(config) ?? {
    outbound: createOutbound(config, safeMode),
    connections: createConnections(config.SCAN_MAX_CONNECTIONS),
  }
  TOOLS.set(config, made)
  return made
}

/** Time for `close` events of destroyed sockets. */
const LAST_WORDS_MS = 50

/**
 * Runs the scanners one after another, each on the targets and on the results of the earlier ones. Stops when testing
 * hours end or the engagement is no longer active, and keeps the results until then.
 *
 * @throws JobStopped, ApiError if the engagement's result limit is reached, errors of scanners and database
 */
export const performScan = async (work: RunningJob, worker: Worker, scan: ScanRow): Promise<ScanOutcome> => {
  const { config, clock, log, db } = worker
  const { outbound, connections } = toolsOf(worker)
  const stopper = createStopper(work.signal)
  const rulesNow = createCurrentScanRules(work, worker, scan.retest_id ?? undefined)
  const of = { organizationId: work.organizationId, engagementId: scan.engagement_id, scanId: scan.id }
  const probes = new ProbeLog(worker.scopedTo(work.organizationId, EVERY_ROW), of, {
    id: scan.requested_by ?? scan.actor_id,
    name: scan.actor_name,
  })
  const writer = new ScanWriter(work, scan, clock, { results: config.RESULT_LIMIT, targets: config.TARGET_LIMIT })
  const hasOverride = scan.override_reason !== null
  const reach = createScanNetwork({
    outbound,
    connections,
    clock,
    rulesNow,
    onOperation: (operation) => probes.add(operation),
    stop: stopper.stop,
    signal: stopper.signal,
    override: hasOverride,
  })
  const ended = new AbortController()
  const share = () =>
    countWorkers(db, work.kind).then(
      (workers) => connections.resize(Math.max(1, Math.floor(config.SCAN_MAX_CONNECTIONS / workers))),
      (error) => log.warn({ err: error, scan: scan.id }, 'the number of scanning processes could not be read'),
    )
  const keeping = everySecond(ended.signal, async () => {
    await share()
    await probes
      .flush(clock)
      .catch((error) => log.warn({ err: error, scan: scan.id }, 'the probes of a scan could not be recorded yet'))
    const reason = reasonToStop(await rulesNow(), hasOverride)
    if (reason === null) await writer.flush()
    else stopper.stop(reason)
  }).catch(stopper.fail)
  let refusal: string | undefined
  try {
    await share()
    const first = reasonToStop(await rulesNow(), hasOverride)
    if (first === null) refusal = await runSteps(work, scan, { reach, writer, rulesNow, probes })
    else stopper.stop(first)
  } catch (error) {
    if (!stopper.signal.aborted) throw error
  } finally {
    ended.abort()
    await keeping
    await sleep(LAST_WORDS_MS)
    await probes.flush(clock)
  }
  work.signal.throwIfAborted()
  const reason = stopper.reason()
  const hasDone = probes.sent > 0 || writer.hasFound
  if (reason === null && refusal !== undefined && !hasDone) return { state: 'failed', reason: nothingAsked(refusal) }
  if (reason === null && writer.hasErrors) return { state: 'partial', reason: 'Part of it failed: see the log.' }
  if (reason === null) return { state: 'succeeded', reason: null }
  await writer.end()
  return { state: hasDone ? 'partial' : 'failed', reason }
}

const reasonToStop = ({ stop, outsideHours }: CurrentRules, hasOverride: boolean): string | null =>
  stop ?? (hasOverride ? null : outsideHours)

interface ScanContext {
  reach: ScanNetwork
  writer: ScanWriter
  rulesNow: () => Promise<CurrentRules>
  probes: ProbeLog
}

const nothingAsked = (refusal: string): string => `Nothing could be scanned. ${refusal}`

/**
 * @returns why the first scanner that could ask nothing could not; undefined where each could ask something, or had
 *   nothing to ask
 */
const runSteps = async (work: RunningJob, scan: ScanRow, hands: ScanContext): Promise<string | undefined> => {
  const steps = readSteps(scan.scanners)
  const inputs = await ScanInputs.of(work, scan, steps, hands)
  let refusal: string | undefined
  for (const step of steps) {
    const sentBefore = hands.probes.sent
    await runStep(work, step, inputs, hands)
    const refused = hands.probes.sent === sentBefore ? hands.writer.refusal : undefined
    if (refused !== undefined) hands.writer.log('error', nothingAsked(refused))
    refusal ??= refused
    hands.reach.signal.throwIfAborted()
    await hands.writer.end()
    inputs.next(step)
  }
  hands.writer.begin(null)
  return refusal
}

const runStep = async (
  work: RunningJob,
  step: Step,
  inputs: ScanInputs,
  { reach, writer }: ScanContext,
): Promise<void> => {
  const { scanner, options } = step
  writer.begin(scanner.id)
  const reason = await scanner.unavailable()
  if (reason !== null) {
    writer.log('error', `Not available here: ${reason}`)
    return
  }
  writer.log('info', 'Started.')
  for await (const found of scanner.run(inputs.forStep(step), options, reach)) {
    if (found.type === 'input') inputs.add(found.input)
    else if (found.type === 'done') inputs.countDone(found.units)
    else await writer.add(found)
    work.report(inputs.done, inputs.total)
  }
}

/** Stops a scan early, for a reason to display or because of a fault. */
const createStopper = (outer: AbortSignal) => {
  const controller = new AbortController()
  let reason: string | null = null
  let fault: { error: unknown } | undefined
  return {
    signal: AbortSignal.any([outer, controller.signal]),
    stop: (why: string) => {
      reason ??= why
      controller.abort(new Error(why))
    },
    fail: (error: unknown) => {
      fault ??= { error }
      controller.abort(error)
    },
    /** Null if nothing stopped the scan. @throws the fault */
    reason: (): string | null => {
      if (fault && reason === null) throw fault.error
      return reason
    },
  }
}

const everySecond = async (signal: AbortSignal, work: () => Promise<void>): Promise<void> => {
  while (!signal.aborted) {
    await sleep(1_000, undefined, { signal, ref: false }).catch(() => undefined)
    if (!signal.aborted) await work()
  }
}
