import { isoTime } from '../../../platform/clock.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { announce } from '../../../platform/events/announce.ts'
import { noteCoverages } from '../../inventory/coverage/mark-gone.service.ts'
import { type FoundHost, findHosts, type SightedHost } from '../../inventory/hosts/hosts.service.ts'
import { previewSightings, recordSightings, refreshStatistics } from '../../inventory/ingest/ingest.service.ts'
import { remainingResultQuota, resultQuotaExceeded } from '../../inventory/ingest/quota.service.ts'
import type { ResultTargets } from '../../inventory/ingest/result-targets.ts'
import type { ResultSource } from '../../inventory/ingest/sources.ts'
import { leaveOutWords } from '../../inventory/ingest/words.service.ts'
import { type LeftOut, sumLeftOut } from '../../inventory/sightings/left-out.ts'
import type { Sighting } from '../../inventory/sightings/sightings.ts'
import type { FileItem } from '../../scanner-formats/registry/read-file.ts'
import { insertImportTargets } from '../import-targets.queries.ts'
import * as query from '../imports.queries.ts'
import {
  type Batch,
  cleanToolName,
  columnsOf,
  type ImportSession,
  idsOf,
  sourceOf,
  storeSeenTime,
  type Written,
} from './session.ts'

/** Maximum number of stored rejections; all are counted. */
const MAX_REJECTIONS = 10_000

type PlacedItem = FileItem & { type: 'sighting' | 'name' }

/**
 * Writes one batch of the file, or computes its changes for a preview. The caller has noted the items and holds the
 * engagement's lock. May be retried in another transaction, so it changes nothing of the session.
 *
 * @returns how the session continues after the commit
 * @throws ApiError CONFLICT if the engagement may not have so many results
 */
export const writeBatch = async (
  tx: Transaction,
  session: ImportSession,
  items: readonly FileItem[],
): Promise<Batch> => {
  const { row, written } = session
  const isSeenTimeStored = await storeSeenTime(tx, session)
  const source = sourceOf(session)
  const placed = items.filter((item): item is PlacedItem => item.type === 'sighting' || item.type === 'name')
  const sightings = placed.flatMap((item) => (item.type === 'sighting' ? [item] : []))
  const coverages = items.flatMap((item) => (item.type === 'coverage' ? [item.coverage] : []))
  const rejections = items.flatMap((item) => (item.type === 'rejection' ? [item] : []))
  const { hosts, isFull } = await findBatchHosts(tx, session, items, placed)

  const out = placed.filter((item) => hosts.isOut(placeOf(item)))
  const skipped = new Set(row.options.outOfScope === 'skip' ? out : [])
  const wanted = new Set(sightings.filter((item) => !skipped.has(item)).map(({ sighting }) => sighting))
  const refused = [...skipped].map((item) => ({
    position: item.position,
    excerpt: 'sighting' in item ? item.sighting.asset : item.name,
    reason: 'is out of scope',
  }))
  await storeRejections(tx, session, [...rejections, ...refused])
  await noteCoverages(tx, source, coverages)

  const parts = partsByTool(items, written.tool)
  let { remainingQuota, unknownDecisions, leftOut } = written
  const created: string[] = []
  await leaveOutWords(tx)
  for (const { tool = source.tool, sightings: all } of parts) {
    const ofPart = all.filter((sighting) => wanted.has(sighting))
    if (ofPart.length === 0) continue
    const done = await writeSightings(tx, session, { ...source, tool }, ofPart, hosts.targetsOf, remainingQuota)
    ;({ remainingQuota } = done)
    unknownDecisions += done.unknownDecisions
    leftOut = sumLeftOut(leftOut, done.leftOut)
    created.push(...done.created)
  }
  await refreshStatistics(tx, written.found, written.found + wanted.size)

  const after: Written = {
    rejected: written.rejected + rejections.length + refused.length,
    outOfScope: written.outOfScope + out.length,
    found: written.found + wanted.size + placed.length - sightings.length,
    remainingQuota,
    tool: parts.at(-1)?.tool,
    isFull: written.isFull || isFull,
    isHostless: written.isHostless || [...wanted].some(({ host }) => host === null),
    unknownDecisions,
    leftOut,
    isSeenTimeStored,
  }
  if (rejections.length + out.length > 0)
    await query.updateImport(tx, row.organization_id, row.id, columnsOf(session, after))
  return { written: after, skippedHosts: [...skipped].flatMap((item) => hostsOf(placeOf(item))), created }
}

/** Creates the targets of a batch; of hosts that the file only mentions, those that a scope rule allows. */
const findBatchHosts = async (
  tx: Transaction,
  session: ImportSession,
  items: readonly FileItem[],
  placed: readonly PlacedItem[],
) => {
  const { row, clock, limits } = session
  const finding = {
    source: sourceOf(session),
    mode: row.mode,
    outOfScope: row.options.outOfScope,
    now: isoTime(clock.now()),
    limit: limits.targets,
    keep: (found: readonly FoundHost[]) => insertImportTargets(tx, idsOf(session), found),
  }
  const hosts = await findHosts(tx, finding, placed.map(placeOf))
  const mentions = items.flatMap((item) => (item.type === 'mention' ? [{ host: item.host, askedName: null }] : []))
  const mentioned = mentions.length > 0 ? await findHosts(tx, { ...finding, outOfScope: 'in' }, mentions) : undefined
  return { hosts, isFull: hosts.isFull || (mentioned?.isFull ?? false) }
}

/**
 * @returns the remaining result quota, undefined in a preview, the new results, the decisions about findings that are not
 *   known, and what was left out
 */
const writeSightings = async (
  tx: Transaction,
  session: ImportSession,
  source: ResultSource,
  sightings: readonly Sighting[],
  targetsOf: (place: SightedHost) => ResultTargets,
  quotaBefore: number | undefined,
): Promise<{ remainingQuota: number | undefined; created: string[]; unknownDecisions: number; leftOut: LeftOut }> => {
  const { row, clock, limits } = session
  if (row.mode === 'preview') {
    const { previews, unknownDecisions, leftOut } = await previewSightings(tx, source, sightings)
    await query.insertPreviews(tx, idsOf(session), previews)
    return { remainingQuota: undefined, created: [], unknownDecisions, leftOut }
  }
  const remainingQuota =
    quotaBefore ?? (await remainingResultQuota(tx, source.organizationId, source.engagementId, limits.results))
  const { created, changed, unknownDecisions, leftOut } = await recordSightings(tx, clock, source, sightings, targetsOf)
  if (created.length > remainingQuota) throw resultQuotaExceeded(limits.results)
  const ids = [...created, ...changed]
  await announce(tx, { type: 'result', engagementId: source.engagementId, ids, change: 'updated' })
  return { remainingQuota: remainingQuota - created.length, created, unknownDecisions, leftOut }
}

const storeRejections = async (
  tx: Transaction,
  session: ImportSession,
  rejections: readonly Omit<query.RejectionRow, 'number'>[],
): Promise<void> => {
  const { rejected } = session.written
  const kept = rejections
    .slice(0, Math.max(0, MAX_REJECTIONS - rejected))
    .map(({ position, excerpt, reason }, index) => ({ number: rejected + index + 1, position, excerpt, reason }))
  await query.insertRejections(tx, idsOf(session), kept)
}

/** Groups sightings of a batch by tool; the last tool continues in the next batch. */
const partsByTool = (
  items: readonly FileItem[],
  first: string | undefined,
): { tool: string | undefined; sightings: Sighting[] }[] => {
  let part: { tool: string | undefined; sightings: Sighting[] } = { tool: first, sightings: [] }
  const parts = [part]
  for (const item of items) {
    if (item.type === 'sighting') part.sightings.push(item.sighting)
    else if (item.type === 'tool' && item.name !== undefined) {
      part = { tool: cleanToolName(item.name) ?? part.tool, sightings: [] }
      parts.push(part)
    }
  }
  return parts
}

const placeOf = (item: PlacedItem): SightedHost =>
  item.type === 'sighting' ? item.sighting : { host: item.name, askedName: null }

const hostsOf = ({ host, askedName, address }: SightedHost): string[] =>
  [host, askedName, address].filter((each) => typeof each === 'string')
