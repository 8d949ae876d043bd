import { type Clock, isoTime } from '../../../platform/clock.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { announce } from '../../../platform/events/announce.ts'
import type { RunningJob } from '../../../platform/jobs/kinds.ts'
import { lockWritableEngagementForShare } from '../../engagements/locks.service.ts'
import {
  forgetCoverages,
  noteCoverages,
  recordGone,
  forEachInventoryBatch,
} from '../../inventory/coverage/mark-gone.service.ts'
import { findHosts, type SightedHost } from '../../inventory/hosts/hosts.service.ts'
import { recordSightings } from '../../inventory/ingest/ingest.service.ts'
import { resultQuotaExceeded, remainingResultQuota } from '../../inventory/ingest/quota.service.ts'
import type { ResultTargets } from '../../inventory/ingest/result-targets.ts'
import type { ResultSource } from '../../inventory/ingest/sources.ts'
import type { Sighting } from '../../inventory/sightings/sightings.ts'
import { insertLines, type LogLine } from '../log/log.queries.ts'
import type { Found } from '../scanners/scanner.ts'
import { addSkipped, type ScanRow } from '../scans.queries.ts'

/** Limits of an engagement. */
interface Limits {
  results: number
  targets: number
}

type Kept = Exclude<Found, { type: 'done' | 'input' }>

/** Effects of a committed batch. */
interface Written {
  /** True if the target limit was reached. */
  hasFilled: boolean
  remainingQuota: number | undefined
}

/** Results per transaction. */
const WRITTEN_AT_ONCE = 500
/** Hosts remembered so that each is counted once; further ones are counted each time. */
const MAX_REMEMBERED = 100_000

/** Collects the results of one scan's scanners and writes them in batches. */
export class ScanWriter {
  readonly #work: RunningJob
  readonly #scan: ScanRow
  readonly #clock: Clock
  readonly #limits: Limits
  #found: Kept[] = []
  #lines: LogLine[] = []
  #skipped = 0
  #skippedHosts = new Set<string>()
  #writing: Promise<void> = Promise.resolve()
  #tool = ''
  #isFull = false
  /** True if a part of the scan failed. */
  hasErrors = false
  /** True if a scanner reported results or coverage. */
  hasFound = false
  /**
   * What the scanner at work has left out first, and why; undefined where it has left out nothing, or has found
   * anything.
   */
  #leftOut: string | undefined
  #hasStepFound = false
  /** How many more results the engagement may have; undefined until it is counted. */
  #remainingQuota: number | undefined

  constructor(work: RunningJob, scan: ScanRow, clock: Clock, limits: Limits) {
    this.#work = work
    this.#scan = scan
    this.#clock = clock
    this.#limits = limits
  }

  /** Sets the scanner of the following lines; null: the scan itself. */
  begin(tool: string | null): void {
    this.#tool = tool ?? ''
    this.#leftOut = undefined
    this.#hasStepFound = false
  }

  /**
   * Why the scanner at work could ask nothing at all; undefined where it has found anything, or has left out nothing.
   */
  get refusal(): string | undefined {
    return this.#hasStepFound ? undefined : this.#leftOut
  }

  log(level: LogLine['level'], text: string): void {
    this.hasErrors ||= level === 'error'
    this.#lines.push({ at: isoTime(this.#clock.now()), level, scanner: this.#tool || null, text })
  }

  /** Counts skipped targets and addresses. */
  skip(count: number): void {
    this.#skipped += count
  }

  /** Buffers a result until the next batch; waits if there are enough for one. */
  async add(found: Kept): Promise<void> {
    if (found.type === 'log') this.log(found.level, found.text)
    else if (found.type === 'skipped') this.#skipHost(found.host, found.reason)
    else {
      this.hasFound = true
      this.#hasStepFound = true
      this.#found.push(found)
    }
    if (this.#found.length + this.#lines.length >= WRITTEN_AT_ONCE) await this.flush()
  }

  /** Writes the buffered results; batches run one after another. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  /** Marks results as gone that the scanner covered but did not find, based only on its own coverage. */
  async end(): Promise<void> {
    await this.flush()
    await forEachInventoryBatch((after) => this.#batch((tx) => recordGone(tx, this.#clock, this.#source, after)))
    await this.#batch((tx) => forgetCoverages(tx, this.#scan.organization_id, this.#scan.id))
  }

  get #source(): ResultSource {
    const { organization_id, engagement_id, id, started_at } = this.#scan
    return {
      kind: 'scan',
      id,
      tool: this.#tool,
      organizationId: organization_id,
      engagementId: engagement_id,
      seenAt: started_at as string,
    }
  }

  #skipHost(host: string, reason: string): void {
    this.#leftOut ??= `${host} was left out: ${reason}`
    if (this.#skippedHosts.has(host)) return
    if (this.#skippedHosts.size < MAX_REMEMBERED) this.#skippedHosts.add(host)
    this.#skipped++
    this.log('warning', `${host} was left out: ${reason}`)
  }

  async #write(): Promise<void> {
    const [found, lines, skipped] = [this.#found, this.#lines, this.#skipped]
    if (found.length + lines.length + skipped === 0) return
    this.#found = []
    this.#lines = []
    this.#skipped = 0
    const { hasFilled, remainingQuota } = await this.#batch((tx) => this.#record(tx, found, lines, skipped))
    this.#remainingQuota = remainingQuota
    if (hasFilled && !this.#isFull)
      this.log(
        'warning',
        `Not every target that was found was added: an engagement has at most ${this.#limits.targets} targets (TARGET_LIMIT).`,
      )
    this.#isFull ||= hasFilled
  }

  /** May be retried in another transaction, so counts are not updated yet. */
  async #record(tx: Transaction, found: readonly Kept[], lines: readonly LogLine[], skipped: number): Promise<Written> {
    const source = this.#source
    const { organizationId, engagementId, id: scanId } = source
    const now = isoTime(this.#clock.now())
    const sightings = found.flatMap((each) => (each.type === 'sighting' ? [each.sighting] : []))
    const hosts = found.flatMap((each) => (each.type === 'host' ? [{ host: each.host, askedName: null }] : []))
    const finding = { source, mode: 'apply' as const, now, limit: this.#limits.targets, keep: async () => undefined }
    // Examined hosts were in scope at that time, or the scan has an override. Hosts that are only mentioned become
    // targets only if rules allow them.
    const seen = await findHosts(tx, { ...finding, outOfScope: 'mark' }, sightings)
    const named = hosts.length > 0 ? await findHosts(tx, { ...finding, outOfScope: 'in' }, hosts) : undefined
    await noteCoverages(
      tx,
      source,
      found.flatMap((each) => (each.type === 'coverage' ? [each.coverage] : [])),
    )
    const remainingQuota =
      sightings.length > 0 ? await this.#recordSightings(tx, source, sightings, seen.targetsOf) : this.#remainingQuota
    if (skipped > 0) await addSkipped(tx, organizationId, scanId, skipped)
    await insertLines(tx, { organizationId, engagementId, scanId }, lines)
    return { hasFilled: seen.isFull || (named?.isFull ?? false), remainingQuota }
  }

  /** @returns the remaining result quota */
  async #recordSightings(
    tx: Transaction,
    source: ResultSource,
    sightings: readonly Sighting[],
    targetsOf: (place: SightedHost) => ResultTargets,
  ): Promise<number> {
    const { organizationId, engagementId } = source
    const remainingQuota =
      this.#remainingQuota ?? (await remainingResultQuota(tx, organizationId, engagementId, this.#limits.results))
    const { created, changed } = await recordSightings(tx, this.#clock, source, sightings, targetsOf)
    if (created.length > remainingQuota) throw resultQuotaExceeded(this.#limits.results)
    await announce(tx, { type: 'result', engagementId, ids: [...created, ...changed], change: 'updated' })
    return remainingQuota - created.length
  }

  #batch<T>(change: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#work.batch(async (tx, actor) => {
      await lockWritableEngagementForShare(tx, actor, this.#work.engagementId as string)
      return change(tx)
    })
  }
}
