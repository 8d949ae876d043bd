import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../platform/config.ts'
import type { Worker } from '../../platform/feature.ts'
import { createOutbound, type Outbound } from '../../platform/outbound/outbound.ts'
import type { RunningWork } from '../../platform/work/kinds.ts'
import { countWorkers } from '../../platform/work/rows.ts'
import type { CurrentRules } from '../connection-rules/permit.ts'
import { type Connections, createConnections } from './connections.ts'
import { Contacts } from './contacts.ts'
import { createReach } from './reach.ts'
import { createRulesNow } from './rules-now.ts'
import { ScanLeads } from './scan-leads.ts'
import { ScanWriter } from './scan-writer.ts'
import type { Outcome } from './scan.work.ts'
import type { Reach } from './scanners/scanner.ts'
import type { ScanRow } from './scans.queries.ts'
import { readSteps, type Step } from './steps.ts'

/** What all scans of a process share. */
interface Tools {
  outbound: Outbound
  connections: Connections
}

const TOOLS = new WeakMap<Config, Tools>()

const toolsOf = ({ config, safeMode }: Worker): Tools => {
  const made = TOOLS.get(config) ?? { outbound: createOutbound(config, safeMode), connections: createConnections(config.SCAN_MAX_CONNECTIONS) }
  TOOLS.set(config, made)
  return made
}

/** Sockets that were just destroyed say so in one of the next turns. */
const LAST_WORDS_MS = 50

/**
 * Runs the scanners one after the other, each on the targets and on what those before it have found. Hours that end and an
 * engagement that is not active any more stop it: what it has found by then is written.
 *
 * @throws WorkStopped, ApiError for an engagement without room for results, what scanners and database throw
 */
export const performScan = async (work: RunningWork, worker: Worker, scan: ScanRow): Promise<Outcome> => {
  const { config, clock, log, db } = worker
  const { outbound, connections } = toolsOf(worker)
  const stopper = createStopper(work.signal)
  const rulesNow = createRulesNow(work, worker)
  const of = { organizationId: work.organizationId, engagementId: scan.engagement_id, scanId: scan.id }
  const contacts = new Contacts(worker.scopedTo(work.organizationId), of, { id: scan.actor_id, name: scan.actor_name })
  const writer = new ScanWriter(work, scan, clock, { results: config.RESULT_LIMIT, targets: config.TARGET_LIMIT })
  const hasOverride = scan.override_reason !== null
  const reach = createReach({
    outbound,
    connections,
    clock,
    rulesNow,
    onOperation: (operation) => contacts.add(operation),
    stop: stopper.stop,
    signal: stopper.signal,
    override: hasOverride,
  })
  const ended = new AbortController()
  const share = () =>
    countWorkers(db, work.kind).then(
      (workers) => connections.resize(Math.max(1, Math.floor(config.SCAN_MAX_CONNECTIONS / workers))),
      (error) => log.warn({ err: error, scan: scan.id }, 'how many processes scan could not be asked'),
    )
  const keeping = everySecond(ended.signal, async () => {
    await share()
    await contacts.flush(clock).catch((error) => log.warn({ err: error, scan: scan.id }, 'what a scan has sent could not be noted yet'))
    const reason = reasonToStop(await rulesNow(), hasOverride)
    if (reason === null) await writer.flush()
    else stopper.stop(reason)
  }).catch(stopper.fail)
  try {
    await share()
    const first = reasonToStop(await rulesNow(), hasOverride)
    if (first === null) await runSteps(work, scan, { reach, writer, rulesNow })
    else stopper.stop(first)
  } catch (error) {
    if (!stopper.signal.aborted) throw error
  } finally {
    ended.abort()
    await keeping
    await sleep(LAST_WORDS_MS)
    await contacts.flush(clock)
  }
  work.signal.throwIfAborted()
  const reason = stopper.reason()
  if (reason === null && writer.hasErrors) return { state: 'partial', reason: 'Part of it could not be done: the log says what.' }
  if (reason === null) return { state: 'succeeded', reason: null }
  await writer.end()
  return { state: contacts.hasSent || writer.hasFound ? 'partial' : 'failed', reason }
}

const reasonToStop = ({ stop, outsideHours }: CurrentRules, hasOverride: boolean): string | null => stop ?? (hasOverride ? null : outsideHours)

interface Hands {
  reach: Reach
  writer: ScanWriter
  rulesNow: () => Promise<CurrentRules>
}

const runSteps = async (work: RunningWork, scan: ScanRow, hands: Hands): Promise<void> => {
  const steps = readSteps(scan.scanners)
  const leads = await ScanLeads.of(work, scan, steps, hands)
  for (const step of steps) {
    await runStep(work, step, leads, hands)
    hands.reach.signal.throwIfAborted()
    await hands.writer.end()
    leads.next(step)
  }
  hands.writer.begin(null)
}

const runStep = async (work: RunningWork, step: Step, leads: ScanLeads, { reach, writer }: Hands): Promise<void> => {
  const { scanner, options } = step
  writer.begin(scanner.id)
  const reason = await scanner.unavailable()
  if (reason !== null) {
    writer.log('error', `It is not available here: ${reason}`)
    return
  }
  writer.log('info', 'It begins.')
  for await (const found of scanner.run(leads.forStep(step), options, reach)) {
    if (found.type === 'lead') leads.add(found.lead)
    else if (found.type === 'done') leads.countDone(found.units)
    else await writer.add(found)
    work.report(leads.done, leads.total)
  }
}

/** Ends a scan before it is through: with a reason for people, or with a fault. */
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
    /** Null where nothing stopped it. @throws the fault */
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
