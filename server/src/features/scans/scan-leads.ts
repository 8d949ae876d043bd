import type { RunningWork } from '../../platform/work/kinds.ts'
import type { CurrentRules } from '../connection-rules/permit.ts'
import { listScanTargets, type ScanTarget } from '../targets/targets.queries.ts'
import { listKnownServices } from './known-services.queries.ts'
import { isMoreThan, type TargetLead, withKnownServices } from './known-services.ts'
import { addressesOf, leadKey, startOf } from './leads.ts'
import type { ScanWriter } from './scan-writer.ts'
import type { Lead } from './scanners/scanner.ts'
import { findChosenTargets, type ScanRow } from './scans.queries.ts'
import { probesOf, probesOfLead, type Step } from './steps.ts'

/** Targets read per statement. */
const READ_AT_ONCE = 500
/** Limit of names, addresses and services found for later scanners, including known services; the log reports the excess. */
const MAX_FOUND = 100_000

type Chosen = Awaited<ReturnType<typeof findChosenTargets>>

interface Hands {
  writer: ScanWriter
  rulesNow: () => Promise<CurrentRules>
}

/** The scan inputs of a scan: its targets, read when they are due, and what earlier scanners found. */
export class ScanLeads {
  readonly #work: RunningWork
  readonly #ids: readonly string[]
  readonly #differences: Chosen['differences']
  readonly #judges: boolean
  readonly #hands: Hands
  /** Found by earlier steps. */
  #found: readonly Lead[] = []
  readonly #seen = new Set<string>()
  #adding: Lead[] = []
  #isFirst = true
  #isFull = false
  /** True if an earlier step scanned the ports of the targets: then only found services of an address are examined. */
  #hasLookedAtPorts = false
  done = 0
  total = 0

  /** Also computes the total number of probes. */
  static async of(work: RunningWork, scan: ScanRow, steps: readonly Step[], hands: Hands): Promise<ScanLeads> {
    const { ids, differences } = await work.batch((tx) => findChosenTargets(tx, work.organizationId, scan.id))
    const leads = new ScanLeads(work, { ids, differences }, scan.override_reason === null, hands)
    let missing = ids.length
    for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
      const targets = await leads.#read(from)
      leads.total += probesOf(steps, targets)
      missing -= targets.length
    }
    if (missing > 0) {
      hands.writer.skip(missing)
      hands.writer.log('warning', `${missing === 1 ? 'A target was' : `${missing} targets were`} deleted since the scan was asked for, and left out.`)
    }
    work.report(0, leads.total)
    return leads
  }

  private constructor(work: RunningWork, { ids, differences }: Chosen, judges: boolean, hands: Hands) {
    this.#work = work
    this.#ids = ids
    this.#differences = differences
    this.#judges = judges
    this.#hands = hands
  }

  countDone(units: number): void {
    this.done += units
    this.total = Math.max(this.total, this.done)
  }

  /** Adds a scan input for later scanners. */
  add(lead: Lead): void {
    const key = leadKey(lead)
    if (this.#isFull || this.#seen.has(key)) return
    this.#seen.add(key)
    this.#adding.push(lead)
    this.#isFull = this.#seen.size === MAX_FOUND
    if (this.#isFull) this.#hands.writer.log('warning', `${MAX_FOUND} names, addresses and services were found: scanners after this one leave out the rest.`)
  }

  /** Ends the step. */
  next({ scanner }: Step): void {
    this.#hasLookedAtPorts ||= scanner.findsServices === true
    this.#found = [...this.#found, ...this.#adding]
    this.#adding = []
    this.#isFirst = false
  }

  async *forStep(step: Step): AsyncGenerator<Lead> {
    const found = this.#found
    for (const lead of found) this.total += probesOfLead([step], lead)
    if (!step.scanner.asksServices) {
      for await (const { lead } of this.#ofTargets()) yield lead
      yield* found
      return
    }
    const given = new Set<string>()
    const known = (hosts: readonly string[], targetIds: readonly string[]) => this.#knownServices(hosts, targetIds)
    for await (const { targetId, lead } of withKnownServices(this.#ofTargets(), known, this.#differences)) {
      const isLeftOut = (lead.kind === 'address' && this.#hasLookedAtPorts) || isMoreThan(this.#differences.get(targetId), lead)
      if (isLeftOut) this.countDone(step.unitsOf(lead))
      else if (!given.has(leadKey(lead))) {
        if (lead.kind === 'service') this.total += step.unitsOf(lead)
        given.add(leadKey(lead))
        yield lead
      }
    }
    for (const lead of found) {
      if (given.has(leadKey(lead))) this.countDone(step.unitsOf(lead))
      else yield lead
    }
  }

  async *#ofTargets(): AsyncGenerator<TargetLead> {
    for (let from = 0; from < this.#ids.length; from += READ_AT_ONCE) {
      for (const target of await this.#read(from)) for await (const lead of this.#leadsOf(target)) yield { targetId: target.id, lead }
    }
  }

  async #knownServices(hosts: readonly string[], targetIds: readonly string[]) {
    const { organizationId, engagementId } = this.#work
    const known = await this.#work.batch((tx) => listKnownServices(tx, organizationId, engagementId as string, hosts, targetIds, MAX_FOUND))
    if (known.length === MAX_FOUND) this.#hands.writer.log('warning', `More than ${MAX_FOUND} services are known of some targets: the rest is left out.`)
    return known
  }

  #read(from: number): Promise<ScanTarget[]> {
    const { organizationId, engagementId } = this.#work
    return this.#work.batch((tx) => listScanTargets(tx, organizationId, engagementId as string, this.#ids.slice(from, from + READ_AT_ONCE)))
  }

  /** Only the first scanner counts the skipped targets. */
  async *#leadsOf(target: ScanTarget): AsyncGenerator<Lead> {
    const start = startOf(target)
    if (!start) return
    const onSkipped = (count: number) => {
      if (this.#isFirst) this.#hands.writer.skip(count)
    }
    if (this.#judges && target.verdict === 'out') {
      onSkipped(1)
      return
    }
    const rules = async () => (this.#judges ? (await this.#hands.rulesNow()).rules : undefined)
    if (start.network) yield* addressesOf(start.network, rules, onSkipped)
    else yield start.lead
  }
}
