import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { announce } from '../../platform/events/announce.ts'
import type { Coverage } from '../inventory/coverage/coverage.ts'
import { noteCoverages, noteSeenHosts } from '../inventory/coverage/mark-gone.service.ts'
import { type FoundHost, findHosts, type SightedHost } from '../inventory/hosts/hosts.service.ts'
import { previewSightings, recordSightings, refreshStatistics } from '../inventory/ingest/ingest.service.ts'
import { resultQuotaExceeded, remainingResultQuota } from '../inventory/ingest/quota.service.ts'
import type { ResultTargets } from '../inventory/ingest/result-targets.ts'
import type { ResultSource } from '../inventory/ingest/sources.ts'
import { cleanLine } from '../inventory/sightings/clean.ts'
import type { Sighting } from '../inventory/sightings/sightings.ts'
import { findIsLogged } from '../operation-log/operation-log.queries.ts'
import { recordOperations } from '../operation-log/operation-log.service.ts'
import type { FileItem } from '../scanner-formats/registry/read-file.ts'
import { coveragesOf } from './covered.service.ts'
import { FileProbes, MAX_PROBES } from './file-probes.ts'
import { insertImportTargets } from './import-targets.queries.ts'
import * as query from './imports.queries.ts'
import { SeenTime } from './seen-time.ts'

/** Maximum number of stored rejections; all are counted. */
const MAX_REJECTIONS = 10_000

const MAX_VERSION = 200
/** Maximum length of the tool filter of results. */
const MAX_TOOL = 100
const MAX_TOOLS = 100

const HOSTLESS =
  'fullRescan does not mark findings and components without a host as gone, such as those in code: the file does not state which of them it covers. Use covered=all if the file is everything that the tool sees in the engagement.'

/** Operation log entries per statement. */
const LOGGED_AT_ONCE = 1_000

/** Limits of an engagement. */
interface Limits {
  results: number
  targets: number
}

/** Counts of the committed batches. */
interface Tally {
  rejected: number
  outOfScope: number
  found: number
  /** Remaining result quota of the engagement; undefined until it is counted. */
  remainingQuota: number | undefined
  /** The tool that wrote the following items, if the format does not imply it. */
  tool: string | undefined
  isFull: boolean
  /** True if some findings have no host. */
  isHostless: boolean
}

/** One running import: receives the reader's items and writes them in batches. */
export class ImportRun {
  readonly #row: query.ImportRow
  readonly #clock: Clock
  readonly #limits: Limits
  #tally: Tally = {
    rejected: 0,
    outOfScope: 0,
    found: 0,
    remainingQuota: undefined,
    tool: undefined,
    isFull: false,
    isHostless: false,
  }
  #firstReason: string | undefined
  /** Hosts whose results were skipped; their missing results are therefore not marked as gone. */
  readonly #skippedHosts = new Set<string | null | undefined>()
  readonly #probes = new FileProbes()
  /** Warnings of the reader. */
  readonly #warnings = new Set<string>()
  /** All tools that wrote parts of the file. */
  readonly #tools = new Set<string>()
  #toolVersion: string | undefined
  readonly #seenTime: SeenTime
  #isSeenTimeKept = false
  format: string | undefined
  cut: string | undefined

  constructor(row: query.ImportRow, clock: Clock, limits: Limits) {
    this.#row = row
    this.#clock = clock
    this.#limits = limits
    this.#seenTime = new SeenTime(row)
    this.format = row.format ?? undefined
  }

  /** True if every piece of the file was understood. */
  get isWhole(): boolean {
    return this.cut === undefined && this.#tally.rejected === 0
  }

  /** True if every piece was read, apart from those that were skipped as out of scope. */
  get #isRead(): boolean {
    return this.cut === undefined && this.#tally.rejected === (this.#skips ? this.#tally.outOfScope : 0)
  }

  /** True if results out of scope are skipped. */
  get #skips(): boolean {
    return this.#row.options.outOfScope === 'skip'
  }

  get source(): ResultSource {
    const { organization_id, engagement_id, id } = this.#row
    return {
      kind: 'import',
      id,
      tool: this.format ?? 'unknown',
      allTools: this.#allTools,
      organizationId: organization_id,
      engagementId: engagement_id,
      seenAt: this.#seenTime.seenAt,
    }
  }

  get #allTools(): readonly string[] {
    return this.#tools.size > 0 ? [...this.#tools] : [this.format ?? 'unknown']
  }

  get #of() {
    const { organization_id: organizationId, engagement_id: engagementId, id: importId } = this.#row
    return { organizationId, engagementId, importId }
  }

  /**
   * Writes one batch of the file, or computes its changes for a preview. The caller holds the engagement's lock. May be retried
   * in another transaction, so counts are not updated yet.
   *
   * @returns the counts for `add`, after the commit
   */
  async write(tx: Transaction, items: readonly FileItem[]): Promise<Tally> {
    for (const item of items) this.#note(item)
    await this.#keepSeenTime(tx)
    const sightings = items.flatMap((item) => (item.type === 'sighting' ? [item] : []))
    const names = items.flatMap((item) => (item.type === 'name' ? [item] : []))
    const coverages = items.flatMap((item) => (item.type === 'coverage' ? [item.coverage] : []))
    const rejections = items.flatMap((item) => (item.type === 'rejection' ? [item] : []))
    const mentions = items.flatMap((item) => (item.type === 'mention' ? [{ host: item.host, askedName: null }] : []))
    const { mode, options } = this.#row
    const finding = {
      source: this.source,
      mode: mode as 'apply',
      outOfScope: options.outOfScope,
      now: this.now,
      limit: this.#limits.targets,
      keep: (found: readonly FoundHost[]) => insertImportTargets(tx, this.#of, found),
    }
    const hosts = await findHosts(tx, finding, [...sightings, ...names].map(placeOf))
    const mentioned = mentions.length > 0 ? await findHosts(tx, { ...finding, outOfScope: 'in' }, mentions) : undefined
    const out = [...sightings, ...names].filter((item) => hosts.isOut(placeOf(item)))
    const skipped = new Set(this.#skips ? out : [])
    const wanted = new Set(sightings.filter((item) => !skipped.has(item)).map(({ sighting }) => sighting))
    for (const item of skipped) this.#noteSkipped(placeOf(item))
    const refused = [...skipped].map((item) => ({
      position: item.position,
      excerpt: 'sighting' in item ? item.sighting.asset : item.name,
      reason: 'is out of scope',
    }))
    await this.#keepRejections(tx, [...rejections, ...refused])
    await noteCoverages(tx, this.source, coverages)
    const parts = partsByTool(items, this.#tally.tool)
    let { remainingQuota } = this.#tally
    for (const { tool = this.source.tool, sightings: all } of parts) {
      const ofPart = all.filter((sighting) => wanted.has(sighting))
      if (ofPart.length > 0)
        remainingQuota = await this.#record(tx, { ...this.source, tool }, ofPart, hosts.targetsOf, remainingQuota)
    }
    const { rejected, outOfScope, found, isFull, isHostless } = this.#tally
    await refreshStatistics(tx, found, found + wanted.size)
    const tally: Tally = {
      rejected: rejected + rejections.length + refused.length,
      outOfScope: outOfScope + out.length,
      found: found + wanted.size + names.length + coverages.length,
      remainingQuota,
      tool: parts.at(-1)?.tool,
      isFull: isFull || hosts.isFull || (mentioned?.isFull ?? false),
      isHostless: isHostless || [...wanted].some(({ host }) => host === null),
    }
    if (rejections.length + out.length > 0)
      await query.updateImport(tx, this.#of.organizationId, this.#of.importId, this.#notedWith(tally))
    return tally
  }

  /** Stores when the file's contents were seen, before anything of the file is written. */
  async #keepSeenTime(tx: Transaction): Promise<void> {
    this.#seenTime.settle(this.now)
    if (this.#isSeenTimeKept) return
    await query.updateImport(tx, this.#of.organizationId, this.#of.importId, { seen_at: this.#seenTime.seenAt })
  }

  /** The warning of a preview about results with newer data. */
  olderThan(count: number): string {
    return `The file shows what was there at ${this.#seenTime.seenAt}. ${count === 1 ? 'A result of it was' : `${count} of its results were`} seen or changed later, and would stay unchanged.`
  }

  /** Adopts the counts of a committed batch. */
  add(tally: Tally): void {
    this.#tally = tally
    this.#isSeenTimeKept = true
  }

  /** @returns the remaining result quota */
  async #record(
    tx: Transaction,
    source: ResultSource,
    sightings: readonly Sighting[],
    targetsOf: (place: SightedHost) => ResultTargets,
    quotaBefore: number | undefined,
  ): Promise<number | undefined> {
    if (this.#row.mode === 'preview') {
      await query.insertPreviews(tx, this.#of, await previewSightings(tx, source, sightings))
      return undefined
    }
    const remainingQuota =
      quotaBefore ?? (await remainingResultQuota(tx, source.organizationId, source.engagementId, this.#limits.results))
    const { created, changed } = await recordSightings(tx, this.#clock, source, sightings, targetsOf)
    if (created.length > remainingQuota) throw resultQuotaExceeded(this.#limits.results)
    const ids = [...created, ...changed]
    await announce(tx, { type: 'result', engagementId: source.engagementId, ids, change: 'updated' })
    return remainingQuota - created.length
  }

  /** Stores the coverage of the whole file, if the importer set it. @returns warnings */
  async finish(tx: Transaction): Promise<string[]> {
    await this.#keepSeenTime(tx)
    const warnings = [...this.#seenTime.warnings, ...this.#warnings]
    if (this.#tally.isFull)
      warnings.push(
        `Not every target of the file was added: an engagement has at most ${this.#limits.targets} targets (TARGET_LIMIT).`,
      )
    if (await this.#logProbes(tx))
      warnings.push(`The operation log has the first ${MAX_PROBES} addresses of the file only.`)
    const skipped = [...this.#skippedHosts].filter((host) => typeof host === 'string')
    await noteCoverages(
      tx,
      this.source,
      skipped.map((host) => ({ what: 'nothing', host })),
    )
    const { fullRescan, covered } = this.#row.options
    if (!fullRescan && covered === null) return warnings
    if (!this.#isRead)
      return [
        ...warnings,
        'Parts of the file could not be read, so results that it does not contain are not marked as gone.',
      ]
    if (fullRescan && covered !== 'all' && this.#tally.isHostless) warnings.push(HOSTLESS)
    if (covered !== null) await noteCoverages(tx, this.source, await coveragesOf(tx, this.source, covered))
    if (fullRescan && this.#row.mode === 'apply') await noteSeenHosts(tx, this.source)
    if (fullRescan && this.#row.mode === 'preview') await noteCoverages(tx, this.source, await this.#previewedHosts(tx))
    return warnings
  }

  /**
   * Logs the file's probes once: not for a preview, and not for a file that was imported before.
   *
   * @returns true if the limit cut some off
   */
  async #logProbes(tx: Transaction): Promise<boolean> {
    const { organizationId, engagementId, importId } = this.#of
    if (this.#row.mode === 'preview') return false
    const sameFile = await query.listImportsOfFile(tx, organizationId, engagementId, this.#row.sha256)
    if (await findIsLogged(tx, organizationId, sameFile)) return false
    const tool = [this.#allTools.join(', '), this.#toolVersion].filter(Boolean).join(' ')
    const operations = this.#probes.operations(importId, tool)
    for (let at = 0; at < operations.length; at += LOGGED_AT_ONCE) {
      await recordOperations(tx, { organizationId, engagementId }, operations.slice(at, at + LOGGED_AT_ONCE))
    }
    return this.#probes.isFull
  }

  async #previewedHosts(tx: Transaction): Promise<Coverage[]> {
    const hosts = await query.listPreviewHosts(tx, this.#of.organizationId, this.#of.importId)
    return hosts.map((host) => ({ what: 'everything', host }))
  }

  /** The outcome of the import. */
  get outcome(): { state: 'applied' | 'partial' | 'previewed' | 'failed'; reason: string | null } {
    const { rejected, found } = this.#tally
    const pieces = rejected === 1 ? '1 entry could not be imported' : `${rejected} entries could not be imported`
    const reason = [this.cut, rejected > 0 ? pieces : undefined].filter((part) => part !== undefined).join('; ') || null
    if (found === 0 && !this.#isRead)
      return { state: 'failed', reason: this.cut ?? `nothing in the file can be read: ${this.#firstReason}` }
    if (this.#row.mode === 'preview') return { state: 'previewed', reason }
    return { state: this.isWhole ? 'applied' : 'partial', reason }
  }

  get noted() {
    return this.#notedWith(this.#tally)
  }

  #notedWith({ rejected, outOfScope }: Tally) {
    return {
      format: this.format ?? null,
      tool: this.format === undefined ? null : this.#allTools.join(', '),
      tool_version: this.#toolVersion ?? null,
      rejected,
      out_of_scope: outOfScope,
    }
  }

  get now(): string {
    return isoTime(this.#clock.now())
  }

  #note(item: FileItem): void {
    if (item.type === 'format') this.format = item.format
    else if (item.type === 'tool') this.#noteTool(item)
    else if (item.type === 'cut') this.cut = item.reason
    else if (item.type === 'warning') this.#warnings.add(item.text)
    else if (item.type === 'stated') this.#seenTime.note(item)
    else if (item.type === 'probe') this.#probes.note(item.probe)
    else if (item.type === 'rejection') this.#firstReason ??= item.reason
  }

  #noteTool({ name, version }: FileItem & { type: 'tool' }): void {
    const tool = cleanLine(name, MAX_TOOL)
    if (tool !== undefined && this.#tools.size < MAX_TOOLS) this.#tools.add(tool)
    this.#toolVersion = cleanLine(version, MAX_VERSION) ?? this.#toolVersion
  }

  #noteSkipped({ host, askedName, address }: SightedHost): void {
    for (const each of [host, askedName, address]) this.#skippedHosts.add(each)
  }

  async #keepRejections(tx: Transaction, rejections: readonly Omit<query.RejectionRow, 'number'>[]): Promise<void> {
    const { rejected } = this.#tally
    const remainingQuota = Math.max(0, MAX_REJECTIONS - rejected)
    const kept = rejections
      .slice(0, remainingQuota)
      .map(({ position, excerpt, reason }, index) => ({ number: rejected + index + 1, position, excerpt, reason }))
    await query.insertRejections(tx, this.#of, kept)
  }
}

/** Groups sightings of a batch by tool; the last tool continues in the next batch. */
const partsByTool = (
  items: readonly FileItem[],
  first: string | undefined,
): { tool: string | undefined; sightings: Sighting[] }[] => {
  let part = { tool: first, sightings: [] as Sighting[] }
  const parts = [part]
  for (const item of items) {
    if (item.type === 'sighting') part.sightings.push(item.sighting)
    else if (item.type === 'tool' && item.name !== undefined) {
      part = { tool: cleanLine(item.name, MAX_TOOL) ?? part.tool, sightings: [] }
      parts.push(part)
    }
  }
  return parts
}

const placeOf = (item: FileItem & { type: 'sighting' | 'name' }): SightedHost =>
  item.type === 'sighting' ? item.sighting : { host: item.name, askedName: null }
