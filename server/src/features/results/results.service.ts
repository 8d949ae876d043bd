import { SEVERITIES, type Severity } from '@sortie/contract/core/values.ts'
import { scoreOf, severityOfScore } from '@sortie/contract/inventory/cvss.ts'
import type * as contract from '@sortie/contract/inventory/results.ts'
import type { Static } from 'typebox'
import type { Actor } from '../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import type { RunChange } from '../../platform/database/change.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { conflict, invalid, notFound } from '../../platform/errors.ts'
import { announce } from '../../platform/events/announce.ts'
import { newId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { findEngagement } from '../engagements/engagements.queries.ts'
import { lockWritableEngagementForShare } from '../engagements/locks.service.ts'
import { findNearestTarget } from '../inventory/ingest/nearest-target.service.ts'
import { ownVerdictOf, subjectOfAsset } from '../inventory/ingest/own-verdicts.ts'
import { resultQuotaExceeded, remainingResultQuota } from '../inventory/ingest/quota.service.ts'
import { type Data, splitData } from '../inventory/merge/merge.ts'
import { orderKey } from '../inventory/sightings/fingerprints.ts'
import { findRuleSet } from '../scope/scope.service.ts'
import { findTarget } from '../targets/targets.queries.ts'
import * as query from './results.queries.ts'
import { notifyAssignees } from './triage/notify-assignees.service.ts'
import { insertOwnObservation } from './triage/own-observation.queries.ts'
import { holdTarget, requireMember, requireTarget } from './triage/references.service.ts'
import { trashResults } from './undo/trash-results.service.ts'

type CreateResultInput = Static<(typeof contract.createResult)['body']>

/**
 * Creates a vulnerability by hand.
 *
 * @throws ApiError VALIDATION_ERROR for an unknown reference or if both severity and vector are missing; CONFLICT for
 *   an archived or full engagement
 */
export const createResult = (
  { change, clock, config }: Pick<Writer, 'change' | 'clock' | 'config'>,
  actor: Actor,
  wanted: CreateResultInput,
): Promise<query.WholeResultRow> =>
  change(async (tx) => {
    const { organizationId } = actor
    const { engagementId, title, tags = [], notes = '', includes = [] } = wanted
    if (!(await findEngagement(tx, organizationId, engagementId)))
      throw invalid('engagementId: there is no such engagement')
    await lockWritableEngagementForShare(tx, actor, engagementId)
    const limit = config.RESULT_LIMIT
    if ((await remainingResultQuota(tx, organizationId, engagementId, limit)) < 1) throw resultQuotaExceeded(limit)
    const target =
      wanted.targetId === undefined ? undefined : await requireTarget(tx, organizationId, engagementId, wanted.targetId)
    const asset = wanted.asset ?? target?.canonical
    if (asset === undefined) throw invalid('asset: one of asset and targetId is needed')
    const placed = await placeResult(tx, { organizationId, engagementId }, asset, wanted.targetId ?? null)
    const found = await query.listIn(tx, organizationId, engagementId, includes)
    if (includes.some((id) => !found.has(id))) throw invalid('includes: names a result that is not in this engagement')
    // May be in another engagement: a retest usually has its own engagement.
    if (wanted.retestOf !== undefined && !(await query.findResult(tx, organizationId, wanted.retestOf)))
      throw invalid('retestOf: there is no such result')
    const scored = scoredData(wanted.data)
    const severity = wanted.severity ?? scored.severity
    if (severity === undefined) throw invalid('severity: is needed where data has no cvssVector')
    const { data, large } = splitData(scored.data)
    const now = clock.now()
    const time = isoTime(now)
    const id = newId('res', now)
    await query.insertResult(tx, {
      id,
      organization_id: organizationId,
      engagement_id: engagementId,
      kind: 'vulnerability',
      identity: null,
      asset,
      asset_key: orderKey({ asset, host: null, port: null }),
      ...placed,
      title,
      severity: SEVERITIES.indexOf(severity),
      is_severity_set: wanted.severity !== undefined,
      status: 'open',
      data: JSON.stringify(data),
      large_data: JSON.stringify(large),
      tags: sortedTags(tags),
      notes,
      includes: [...new Set(includes)],
      retest_of: wanted.retestOf ?? null,
      first_seen_at: time,
      last_seen_at: time,
      evidence_at: time,
      edited_at: time,
      created_at: time,
      updated_at: time,
    })
    await insertOwnObservation(tx, {
      organizationId,
      engagementId,
      resultId: id,
      now: time,
      after: { state: 'present', title, severity: SEVERITIES.indexOf(severity) },
    })
    await recordAudit(tx, actor, clock, {
      action: 'result.created',
      object: { type: 'result', id },
      engagementId,
      after: { title, asset, severity },
    })
    await announce(tx, { type: 'result', engagementId, ids: [id], change: 'created' })
    return (await query.findResult(tx, organizationId, id)) as query.WholeResultRow
  })

/** Returns the target of a manual result (by default the nearest one), and its own verdict if that differs. */
const placeResult = async (
  tx: Transaction,
  of: { organizationId: string; engagementId: string },
  asset: string,
  targetId: string | null,
) => {
  const subject = subjectOfAsset(asset)
  const target_id = targetId ?? (subject ? await findNearestTarget(tx, of, subject) : null)
  if (target_id !== null) await holdTarget(tx, of.organizationId, target_id)
  const target_verdict =
    target_id === null ? null : ((await findTarget(tx, of.organizationId, target_id))?.verdict ?? null)
  const rules = await findRuleSet(tx, of.organizationId, of.engagementId)
  const nowhere = { host: null, protocol: null, port: null, location: null, target_name: null }
  const place = { kind: 'vulnerability', identity: null, asset, ...nowhere, target_id, target_verdict }
  return { target_id, own_verdict: ownVerdictOf(rules, place) }
}

const placeMoved = async (
  tx: Transaction,
  of: { organizationId: string; engagementId: string },
  asset: string,
  targetId: string | null,
) => {
  const placed = await placeResult(tx, of, asset, null)
  return placed.target_id === null ? placeResult(tx, of, asset, targetId) : placed
}

/**
 * Adds the score of the CVSS vector, and derives the severity. @throws ApiError VALIDATION_ERROR for an invalid vector
 */
const scoredData = (data: Data = {}): { data: Data; severity: Severity | undefined } => {
  const vector = data['cvssVector']
  if (vector === undefined) return { data, severity: undefined }
  const score = scoreOf(vector as string)
  if (score === undefined) throw invalid('data.cvssVector: must be a complete vector of CVSS 3.0, 3.1 or 4.0')
  return { data: { ...data, cvssScore: score }, severity: severityOfScore(score) }
}

const sortedTags = (tags: readonly string[]): string[] => [...new Set(tags)].toSorted()

type WantedChange = Static<(typeof contract.updateResult)['body']>

/**
 * Updates the triage fields of a result. Equal values change nothing.
 *
 * @throws ApiError NOT_FOUND, CONFLICT for a stale change, VALIDATION_ERROR for fields that this result does not have
 */
export const updateResult = (
  writer: Pick<Writer, 'change' | 'clock' | 'jobs'>,
  actor: Actor,
  resultId: string,
  wanted: WantedChange,
): Promise<query.WholeResultRow> =>
  writer.change(async (tx) => {
    const { clock } = writer
    const { organizationId } = actor
    const before = await lockVisibleResult(tx, actor, resultId)
    if (wanted.ifUpdatedAt !== undefined && wanted.ifUpdatedAt !== before.updated_at) {
      throw conflict('Someone else changed this result in the meantime. Reload it, then repeat the change.')
    }
    requireFitting(before, wanted)
    if (wanted.assigneeId != null) await requireMember(tx, organizationId, wanted.assigneeId)
    const columns = changedColumns(before, wanted)
    const changed = Object.keys(columns)
    // Evaluates the new place like that of a new result; keeps the target if no nearer one exists.
    const isMoved = columns.asset !== undefined
    const of = { organizationId, engagementId: before.engagement_id }
    const placed = isMoved ? await placeMoved(tx, of, columns.asset as string, before.target_id) : {}
    if (changed.length > 0) {
      const now = isoTime(Math.max(clock.now(), Date.parse(before.updated_at) + 1))
      const isStatus = 'status' in columns
      await query.updateResult(tx, organizationId, resultId, {
        ...columns,
        ...placed,
        ...(wanted.severity !== undefined && { is_severity_set: true }),
        ...(isStatus && { status_changed_at: now }),
        edited_at: now,
        updated_at: now,
      })
      const fields = changed.filter((field) => field !== 'data' && field !== 'large_data' && field !== 'asset_key')
      await recordAudit(tx, actor, clock, {
        action: 'result.changed',
        object: { type: 'result', id: resultId },
        engagementId: before.engagement_id,
        before: Object.fromEntries(fields.map((field) => [field, before[field as keyof query.LockedResult]])),
        after: Object.fromEntries(fields.map((field) => [field, columns[field as keyof typeof columns]])),
      })
      await announce(tx, { type: 'result', engagementId: before.engagement_id, ids: [resultId], change: 'updated' })
      const { assignee_id = before.assignee_id, status = before.status } = columns
      await notifyAssignees(tx, writer, actor, [
        { id: resultId, engagement_id: before.engagement_id, before, after: { status, assignee_id } },
      ])
    }
    return (await query.findResult(tx, organizationId, resultId)) as query.WholeResultRow
  })

/** Locks a result and its engagement. @throws ApiError NOT_FOUND, CONFLICT for an archived engagement */
export const lockVisibleResult = async (
  tx: Transaction,
  actor: Actor,
  resultId: string,
): Promise<query.LockedResult> => {
  const seen = await query.findResult(tx, actor.organizationId, resultId)
  if (!seen) throw notFound()
  await lockWritableEngagementForShare(tx, actor, seen.engagement_id)
  const [row] = await query.lockResults(tx, actor.organizationId, [resultId])
  if (!row) throw notFound()
  return row
}

const requireFitting = (row: query.LockedResult, wanted: WantedChange): void => {
  if (row.kind !== 'vulnerability' && (wanted.status !== undefined || wanted.acceptedUntil !== undefined))
    throw invalid('status: only vulnerabilities have one')
  const status = wanted.status ?? row.status
  if (wanted.acceptedUntil != null && status !== 'accepted')
    throw invalid('acceptedUntil: only with the status accepted')
  const isOwn = row.identity === null
  if (!isOwn && (wanted.title ?? wanted.asset ?? wanted.data) !== undefined)
    throw invalid('title, asset and data: can be changed only for results added by hand')
}

const changedColumns = (row: query.LockedResult, wanted: WantedChange) => {
  const scored = wanted.data && scoredData(wanted.data)
  const parts = scored && splitData(scored.data)
  const severity = wanted.severity ?? scored?.severity
  const columns = {
    status: wanted.status,
    severity: severity && SEVERITIES.indexOf(severity),
    assignee_id: wanted.assigneeId,
    notes: wanted.notes,
    tags: wanted.tags && sortedTags(wanted.tags),
    accepted_until: wanted.status !== undefined && wanted.status !== 'accepted' ? null : wanted.acceptedUntil,
    title: wanted.title,
    asset: wanted.asset,
    ...(wanted.asset !== undefined && { asset_key: orderKey({ asset: wanted.asset, host: null, port: null }) }),
    ...(parts && { data: JSON.stringify(parts.data), large_data: JSON.stringify(parts.large) }),
  }
  const isSame = (field: string, value: unknown) =>
    JSON.stringify(row[field as keyof query.LockedResult]) === JSON.stringify(value)
  return Object.fromEntries(
    Object.entries(columns).filter(([field, value]) => value !== undefined && !isSame(field, value)),
  ) as Partial<typeof columns>
}

/** Moves a manual result to the trash. @throws ApiError NOT_FOUND, CONFLICT if a tool reported the result */
export const deleteResult = (change: RunChange, actor: Actor, clock: Clock, resultId: string): Promise<void> =>
  change(async (tx) => {
    const row = await lockVisibleResult(tx, actor, resultId)
    if (row.identity !== null)
      throw conflict('A tool saw this result: only results added by hand can be deleted one by one.')
    await trashResults(tx, actor.organizationId, [resultId], isoTime(clock.now()))
    const { title, asset, engagement_id: engagementId } = row
    await recordAudit(tx, actor, clock, {
      action: 'result.deleted',
      object: { type: 'result', id: resultId },
      engagementId,
      before: { title, asset },
    })
    await announce(tx, { type: 'result', engagementId, ids: [resultId], change: 'deleted' })
  })
