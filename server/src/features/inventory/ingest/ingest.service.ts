import { SEVERITIES, type Severity } from '@sortie/contract/core/values.ts'
import type { Clock } from '../../../platform/clock.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { newId } from '../../../platform/ids.ts'
import { lockInventory } from '../../targets/inventory-lock.queries.ts'
import {
  difference,
  mergeData,
  mergeSightings,
  overlaid,
  type ResultSnapshot,
  splitData,
  titleOf,
} from '../merge/merge.ts'
import { withoutVolatileFields } from '../merge/volatile-fields.ts'
import { type LeftOut, sumLeftOut } from '../sightings/left-out.ts'
import type { Sighting } from '../sightings/sightings.ts'
import * as query from './ingest.queries.ts'
import { type ResultTargets, targetsSeenAgain } from './result-targets.ts'
import { type ChangeCounts, NO_CHANGES, type ResultSource } from './sources.ts'

export const severityNumber = (severity: Severity | null): number | null =>
  severity === null ? null : SEVERITIES.indexOf(severity)

/** How a sighting changes a known result. */
type Plan = { sighting: Sighting; known: query.KnownRow | undefined; leftOut?: LeftOut } & (
  | { change: 'created' | 'unchanged' | 'older' }
  /** An unchanged result with `after` only gains a tool or a new location. */
  | { change: 'unchanged' | 'changed' | 'reappeared' | 'gone'; after: ResultSnapshot; reported: string[] }
)

/** Numbers of rows at which the table is analyzed, so that Postgres uses its indexes. */
const ANALYZED_AT = [4_000, 40_000]

/** Refreshes table statistics while a source adds many results, so that lookups of its own results stay fast. */
export const refreshStatistics = async (tx: Transaction, before: number, after: number): Promise<void> => {
  const size = ANALYZED_AT.find((each) => before < each && after >= each)
  if (size !== undefined) await query.analyzeResults(tx, size)
}

/**
 * Stores the sightings of a source. Idempotent, however the sightings are split into batches. Keeps data that was seen
 * or changed after `source.seenAt`, and fields that people have set.
 *
 * @param targetsOf targets of a sighting's address
 * @returns ids of the results that are new or changed, the number of decisions about findings that are not known, and
 *   what was left out of lists that are too long
 */
export const recordSightings = async (
  tx: Transaction,
  clock: Clock,
  source: ResultSource,
  sightings: readonly Sighting[],
  targetsOf: (sighting: Sighting) => ResultTargets,
): Promise<{ created: string[]; changed: string[]; unknownDecisions: number; leftOut: LeftOut }> => {
  await lockInventory(tx, source.engagementId)
  const merged = mergeSightings(sightings)
  const known = knownBy(merged, await query.lockKnown(tx, source, identitiesOf(merged)))
  const plans = merged
    .filter((sighting) => !isOnlyAboutKnown(sighting) || known.has(sighting))
    .map((sighting) => plan(source, sighting, known.get(sighting)))
  const now = clock.now()
  const created = plans
    .filter(({ change }) => change === 'created')
    .map(({ sighting }) => toInsert(sighting, targetsOf(sighting), now))
  // Each statement is sent without waiting for those before, so that Postgres begins with the next one at once.
  const inserted = query.insertResults(tx, source, isoTime(now), created)
  const idOf = new Map(created.map(({ identity, id }) => [identity, id]))
  const updates = plans.flatMap((planned) => toUpdate(source, planned, now))
  const updated = query.updateResults(tx, source.organizationId, updates)
  const targeted = query.setTargets(
    tx,
    source.organizationId,
    plans.flatMap((planned) => toTargets(planned, targetsOf)),
  )
  const renames = plans.flatMap(({ sighting, known: row }) =>
    row && row.identity !== sighting.identity ? [{ id: row.id, identity: sighting.identity }] : [],
  )
  const renamed = query.renameResults(tx, source.organizationId, renames)
  const seenAgain = plans.filter(
    ({ sighting, change, known: row }) =>
      change === 'unchanged' && !isOnlyAboutKnown(sighting) && row && row.evidence_at < source.seenAt,
  )
  const touched = query.touchResults(
    tx,
    source,
    seenAgain.map(({ known: row }) => (row as query.KnownRow).id),
  )
  const observed = query.writeObservations(
    tx,
    source,
    isoTime(now),
    plans.flatMap((planned) => toObservation(planned, idOf)),
  )
  await Promise.all([inserted, updated, targeted, renamed, touched, observed])
  return {
    created: created.map(({ id }) => id),
    changed: updates.map(({ id }) => id),
    unknownDecisions: countUnknownDecisions(merged, known),
    leftOut: leftOutOfAll(merged, plans),
  }
}

const leftOutOfAll = (merged: readonly Sighting[], plans: readonly Plan[]): LeftOut =>
  sumLeftOut(...merged.map(({ leftOut }) => leftOut), ...plans.map(({ leftOut = {} }) => leftOut))

/** Computes the changes of `recordSightings` without storing them. */
export const previewSightings = async (tx: Transaction, source: ResultSource, sightings: readonly Sighting[]) => {
  const merged = mergeSightings(sightings)
  const known = knownBy(merged, await query.lockKnown(tx, source, identitiesOf(merged)))
  const plans = merged
    .filter((sighting) => !isOnlyAboutKnown(sighting) || known.has(sighting))
    .map((sighting) => plan(source, sighting, known.get(sighting)))
  // Missing results are compared by the stored fingerprint.
  const previews = plans.map(({ sighting, known: row, change }) => ({
    identity: row?.identity ?? sighting.identity,
    host: sighting.host,
    change,
  }))
  return {
    previews,
    unknownDecisions: countUnknownDecisions(merged, known),
    leftOut: leftOutOfAll(merged, plans),
  }
}

/** Decisions about findings that no tool has reported here. One decision may be about the findings of several tools. */
const countUnknownDecisions = (
  sightings: readonly Sighting[],
  known: ReadonlyMap<Sighting, query.KnownRow>,
): number => {
  const decisions = Map.groupBy(
    sightings.filter(({ verdict }) => verdict !== null),
    ({ asset, data }) => JSON.stringify([data['ruleId'], asset]),
  )
  return [...decisions.values()].filter((same) => !same.some((sighting) => known.has(sighting))).length
}

const identitiesOf = (sightings: readonly Sighting[]): string[] => [
  ...new Set(sightings.flatMap(({ identity, aliases }) => [identity, ...aliases])),
]

/**
 * Matches each sighting with a result: by its fingerprint, or by an older version's fingerprint that no other sighting
 * has.
 */
const knownBy = (sightings: readonly Sighting[], rows: readonly query.KnownRow[]): Map<Sighting, query.KnownRow> => {
  const left = new Map(rows.map((row) => [row.identity, row]))
  const known = new Map<Sighting, query.KnownRow>()
  const take = (sighting: Sighting, identity: string | undefined) => {
    const row = identity === undefined ? undefined : left.get(identity)
    if (row && left.delete(row.identity)) known.set(sighting, row)
  }
  for (const sighting of sightings) take(sighting, sighting.identity)
  for (const sighting of sightings) {
    if (!known.has(sighting))
      take(
        sighting,
        sighting.aliases.find((alias) => left.has(alias)),
      )
  }
  return known
}

const plan = (source: ResultSource, sighting: Sighting, known: query.KnownRow | undefined): Plan => {
  if (!known) return { sighting, known, change: 'created' }
  if (isOlder(source, known)) return { sighting, known, change: 'older' }
  const before = snapshotOf(known)
  if (isOnlyAboutKnown(sighting)) return planDecided(sighting, known, before)
  const { data, reported, leftOut } = mergeData(before.data, known.reported ?? [], sighting)
  const isReopened = known.status === 'fixed'
  const disposition = known.status === 'open' && known.status_changed_at === null ? sighting.disposition : null
  const after: ResultSnapshot = {
    ...before,
    data,
    title: titleOf(sighting, data),
    severity: known.is_severity_set ? known.severity : (severityNumber(sighting.severity) ?? known.severity),
    state: 'present',
    tools: known.tools.includes(source.tool) ? known.tools : [...known.tools, source.tool].toSorted(),
    ...(isReopened && { status: 'open', reopenedAt: source.seenAt }),
    ...(disposition !== null && { status: disposition }),
  }
  const { tools } = after
  if (!difference(stable({ ...before, tools }), stable(after))) {
    // A finding in moved code stays the same finding; only its line changes.
    const { location } = data
    const isSame = tools.length === before.tools.length && location === before.data['location']
    return {
      sighting,
      known,
      change: 'unchanged',
      leftOut,
      ...(!isSame && {
        after: { ...before, tools, data: { ...before.data, ...(location !== undefined && { location }) } },
        reported,
      }),
    }
  }
  return { sighting, known, change: known.state === 'gone' ? 'reappeared' : 'changed', after, reported, leftOut }
}

/** True for a passed check or a decision about a finding: it adds no result. */
const isOnlyAboutKnown = ({ passed, verdict }: Sighting): boolean => passed || verdict !== null

/**
 * Plans for a passed check or a decision about a finding. What a person has set stays. A fixed finding is gone; the
 * others are still there. If the same source also reports the finding, the finding wins.
 */
const planDecided = (sighting: Sighting, known: query.KnownRow, before: ResultSnapshot): Plan => {
  if (known.change !== null) return { sighting, known, change: 'unchanged' }
  const verdict = sighting.verdict ?? 'fixed'
  const mayChange = known.status_changed_at === null && (sighting.verdict !== null || known.status === 'open')
  const { analysis } = sighting.data
  const after: ResultSnapshot = {
    ...before,
    ...(verdict === 'fixed' && { state: 'gone' }),
    ...(mayChange && { status: verdict }),
    ...(analysis !== undefined && { data: { ...before.data, analysis } }),
  }
  const change = verdict === 'fixed' ? 'gone' : 'changed'
  return difference(before, after)
    ? { sighting, known, change, after, reported: analysis === undefined ? [] : ['analysis'] }
    : { sighting, known, change: 'unchanged' }
}

const stable = (reported: ResultSnapshot): ResultSnapshot => ({
  ...reported,
  data: withoutVolatileFields(reported.data),
})

/**
 * Newer data exists: a later scan, or a manual change of the status. The source's own reports do not count as newer.
 */
const isOlder = (source: ResultSource, { change, evidence_at, status_changed_at }: query.KnownRow): boolean =>
  change === 'older' || (change === null && (evidence_at > source.seenAt || (status_changed_at ?? '') > source.seenAt))

export const snapshotOf = (
  row: Pick<
    query.KnownRow,
    'title' | 'severity' | 'state' | 'status' | 'tools' | 'reopened_at' | 'data' | 'large_data'
  >,
): ResultSnapshot => ({
  title: row.title,
  severity: row.severity,
  state: row.state,
  status: row.status,
  tools: row.tools,
  reopenedAt: row.reopened_at,
  data: { ...row.data, ...row.large_data },
})

const toInsert = (sighting: Sighting, targets: ResultTargets, now: number): query.ResultInsert => {
  const { data, large } = splitData(sighting.data)
  return {
    id: newId('res', now),
    kind: sighting.kind,
    identity: sighting.identity,
    asset: sighting.asset,
    asset_key: sighting.assetKey,
    host: sighting.host,
    protocol: sighting.protocol,
    port: sighting.port,
    ...targets,
    title: titleOf(sighting, sighting.data),
    severity: severityNumber(sighting.severity),
    status: sighting.kind !== 'vulnerability' ? null : (sighting.disposition ?? 'open'),
    data,
    large_data: large,
  }
}

const toUpdate = (source: ResultSource, planned: Plan, now: number): query.ResultUpdate[] => {
  const { known, sighting } = planned
  if (!known || !('after' in planned)) return []
  const { after } = planned
  const { data, large } = splitData(after.data)
  return [
    {
      id: known.id,
      title: after.title,
      severity: after.severity,
      status: after.status,
      state: after.state,
      data,
      large_data: large,
      tools: after.tools,
      reopened_at: after.reopenedAt,
      last_seen_at:
        isOnlyAboutKnown(sighting) || known.last_seen_at > source.seenAt ? known.last_seen_at : source.seenAt,
      evidence_at: source.seenAt,
      updated_at: isoTime(Math.max(now, Date.parse(known.updated_at) + 1)),
    },
  ]
}

/** Only if the sighting is at another target than the stored one. */
const toTargets = (
  { sighting, known, change }: Plan,
  targetsOf: (sighting: Sighting) => ResultTargets,
): (ResultTargets & { id: string })[] => {
  if (!known || change === 'older' || isOnlyAboutKnown(sighting)) return []
  const targets = targetsSeenAgain(known, targetsOf(sighting))
  const fields = ['target_id', 'address_target_id', 'own_verdict'] as const
  return fields.every((field) => targets[field] === known[field]) ? [] : [{ id: known.id, ...targets }]
}

/** Combines the changes that one source makes to a result in several batches. */
const toObservation = (planned: Plan, idOf: ReadonlyMap<string, string>): query.ObservationWrite[] => {
  const { sighting, known, change } = planned
  const reported = Object.keys(sighting.data)
  if (!known) {
    const after = { state: 'present', title: sighting.title, severity: severityNumber(sighting.severity) }
    const id = idOf.get(sighting.identity) as string
    return [
      {
        result_id: id,
        change: 'created',
        reported,
        before: null,
        after,
        previous_seen_at: null,
        previous_evidence_at: null,
      },
    ]
  }
  const previous = { previous_seen_at: known.last_seen_at, previous_evidence_at: known.evidence_at }
  const hasSpoken = known.change !== null
  if (!('after' in planned)) {
    return hasSpoken
      ? []
      : [
          {
            result_id: known.id,
            change,
            reported: change === 'older' ? [] : reported,
            before: null,
            after: null,
            ...previous,
          },
        ]
  }
  const differing = difference(snapshotOf(known), planned.after) as NonNullable<ReturnType<typeof difference>>
  if (known.change === 'created')
    return [
      {
        result_id: known.id,
        change: 'created',
        reported: planned.reported,
        before: null,
        after: known.after,
        ...previous,
      },
    ]
  return [
    {
      result_id: known.id,
      change: hasSpoken && known.change !== 'unchanged' ? (known.change as string) : planned.change,
      reported: planned.reported,
      before: overlaid(differing.before, known.before),
      after: overlaid(known.after, differing.after),
      ...previous,
    },
  ]
}

export const countChanges = async (
  tx: Transaction,
  organizationId: string,
  sourceId: string,
): Promise<ChangeCounts> => {
  const rows = await query.countObservations(tx, organizationId, sourceId)
  return { ...NO_CHANGES, ...Object.fromEntries(rows.map(({ change, count }) => [change, count])) }
}
