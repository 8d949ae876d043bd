import type { RunningJob } from '../../../platform/jobs/kinds.ts'
import type { CurrentRules } from '../../connection-rules/permit.ts'
import { listScanTargets, type ScanTarget } from '../../targets/targets.queries.ts'
import type { ScanWriter } from '../run/scan-writer.ts'
import { probesOf, probesOfInput, type Step } from '../run/steps.ts'
import type { ScanInput } from '../scanners/scanner.ts'
import { findChosenTargets, type ScanRow } from '../scans.queries.ts'
import { addressesOf, inputKey, startOf } from './inputs.ts'
import { listKnownServices } from './known-services.queries.ts'
import { isMoreThan, type TargetInput, withKnownServices } from './known-services.ts'

/** Targets read per statement. */
const READ_AT_ONCE = 500
/**
 * Limit of names, addresses and services found for later scanners, including known services; the log reports the
 * excess.
 */
const MAX_FOUND = 100_000

type Chosen = Awaited<ReturnType<typeof findChosenTargets>>

interface ScanContext {
  writer: ScanWriter
  rulesNow: () => Promise<CurrentRules>
}

/** The scan inputs of a scan: its targets, read when they are due, and what earlier scanners found. */
export class ScanInputs {
  readonly #work: RunningJob
  readonly #ids: readonly string[]
  readonly #differences: Chosen['differences']
  readonly #checksScope: boolean
  readonly #hands: ScanContext
  /** Found by earlier steps. */
  #found: readonly ScanInput[] = []
  readonly #seen = new Set<string>()
  #adding: ScanInput[] = []
  #isFirst = true
  #isFull = false
  /** True if an earlier step scanned the ports of the targets: then only found services of an address are examined. */
  #hasScannedPorts = false
  done = 0
  total = 0

  /** Also computes the total number of probes. */
  static async of(work: RunningJob, scan: ScanRow, steps: readonly Step[], hands: ScanContext): Promise<ScanInputs> {
    const { ids, differences } = await work.batch((tx) => findChosenTargets(tx, work.organizationId, scan.id))
    const inputs = new ScanInputs(work, { ids, differences }, scan.override_reason === null, hands)
    let missing = ids.length
    for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
      const targets = await inputs.#read(from)
      inputs.total += probesOf(steps, targets)
      missing -= targets.length
    }
    if (missing > 0) {
      hands.writer.skip(missing)
      hands.writer.log(
        'warning',
        `${missing === 1 ? 'A target was' : `${missing} targets were`} deleted after the scan was queued, and left out.`,
      )
    }
    work.report(0, inputs.total)
    return inputs
  }

  private constructor(work: RunningJob, { ids, differences }: Chosen, checksScope: boolean, hands: ScanContext) {
    this.#work = work
    this.#ids = ids
    this.#differences = differences
    this.#checksScope = checksScope
    this.#hands = hands
  }

  countDone(units: number): void {
    this.done += units
    this.total = Math.max(this.total, this.done)
  }

  /** Adds a scan input for later scanners. */
  add(input: ScanInput): void {
    const key = inputKey(input)
    if (this.#isFull || this.#seen.has(key)) return
    this.#seen.add(key)
    this.#adding.push(input)
    this.#isFull = this.#seen.size === MAX_FOUND
    if (this.#isFull)
      this.#hands.writer.log(
        'warning',
        `${MAX_FOUND} names, addresses and services were found: scanners after this one leave out the rest.`,
      )
  }

  /** Ends the step. */
  next({ scanner }: Step): void {
    this.#hasScannedPorts ||= scanner.findsServices === true
    this.#found = [...this.#found, ...this.#adding]
    this.#adding = []
    this.#isFirst = false
  }

  async *forStep(step: Step): AsyncGenerator<ScanInput> {
    const found = this.#found
    for (const input of found) this.total += probesOfInput([step], input)
    if (!step.scanner.asksServices) {
      for await (const { input } of this.#ofTargets()) yield input
      yield* found
      return
    }
    const given = new Set<string>()
    const known = (hosts: readonly string[], targetIds: readonly string[]) => this.#knownServices(hosts, targetIds)
    for await (const { targetId, input } of withKnownServices(this.#ofTargets(), known, this.#differences)) {
      const isLeftOut =
        (input.kind === 'address' && this.#hasScannedPorts) || isMoreThan(this.#differences.get(targetId), input)
      if (isLeftOut) this.countDone(step.unitsOf(input))
      else if (!given.has(inputKey(input))) {
        if (input.kind === 'service') this.total += step.unitsOf(input)
        given.add(inputKey(input))
        yield input
      }
    }
    for (const input of found) {
      if (given.has(inputKey(input))) this.countDone(step.unitsOf(input))
      else yield input
    }
  }

  async *#ofTargets(): AsyncGenerator<TargetInput> {
    for (let from = 0; from < this.#ids.length; from += READ_AT_ONCE) {
      for (const target of await this.#read(from))
        for await (const input of this.#leadsOf(target)) yield { targetId: target.id, input }
    }
  }

  async #knownServices(hosts: readonly string[], targetIds: readonly string[]) {
    const { organizationId, engagementId } = this.#work
    const known = await this.#work.batch((tx) =>
      listKnownServices(tx, organizationId, engagementId as string, hosts, targetIds, MAX_FOUND),
    )
    if (known.length === MAX_FOUND)
      this.#hands.writer.log(
        'warning',
        `Some targets have more than ${MAX_FOUND} known services: the rest are left out.`,
      )
    return known
  }

  #read(from: number): Promise<ScanTarget[]> {
    const { organizationId, engagementId } = this.#work
    return this.#work.batch((tx) =>
      listScanTargets(tx, organizationId, engagementId as string, this.#ids.slice(from, from + READ_AT_ONCE)),
    )
  }

  /** Only the first scanner counts the skipped targets. */
  async *#leadsOf(target: ScanTarget): AsyncGenerator<ScanInput> {
    const start = startOf(target)
    if (!start) return
    const onSkipped = (count: number) => {
      if (this.#isFirst) this.#hands.writer.skip(count)
    }
    if (this.#checksScope && target.verdict === 'out') {
      onSkipped(1)
      return
    }
    const rules = async () => (this.#checksScope ? (await this.#hands.rulesNow()).rules : undefined)
    if (start.network) yield* addressesOf(start.network, rules, onSkipped)
    else yield start.input
  }
}
