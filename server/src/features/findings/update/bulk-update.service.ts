import type { FindingSeverity, FindingState, RemediationStatus } from '@sortie/contract/findings/finding-fields.ts'
import type { Updateable } from 'kysely'
import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { Findings } from '../../../platform/database/types.gen.ts'
import { invalid } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import type { Selection } from '../../../platform/lists/list.ts'
import { weightOf } from '../../../platform/lists/severities.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { lockSelection } from '../../engagements/selections.service.ts'
import { listOtherStatuses, updateStatusOfAll } from '../affected/affected.queries.ts'
import { refreshStatus } from '../affected/refresh-status.service.ts'
import { lockWritableFindings, requirePeople } from '../finding-locks.service.ts'
import * as query from '../findings.queries.ts'
import { notifyPeople } from '../notify-people.service.ts'
import { readReviewRules, requireTransition, type ReviewRules } from '../review/review.service.ts'
import { stateColumns } from './update-finding.service.ts'

interface BulkSet {
  severity?: FindingSeverity
  state?: FindingState
  status?: RemediationStatus
  authorId?: string | null
  reviewerId?: string | null
  addTags?: readonly string[]
  removeTags?: readonly string[]
}

const MAX_TAGS = 50

export interface ChangedFinding {
  before: query.FindingRow
  after: query.FindingRow
  /** Assets that had another status before. */
  assets: readonly { status: RemediationStatus; ids: readonly string[] }[]
}

/**
 * Changes many findings alike.
 *
 * @returns how many were found, and those that changed, before and after, with the former status of their assets
 * @throws ApiError VALIDATION_ERROR for an invalid value, CONFLICT if the review or the trash refuses one of them:
 *   nothing changes then
 */
export const bulkUpdateFindings = (
  writer: Writer,
  actor: Actor,
  selection: Selection,
  set: BulkSet,
): Promise<{ found: number; changed: ChangedFinding[] }> =>
  writer.change(async (tx) => {
    const { clock } = writer
    const { organizationId } = actor
    const ids = await lockSelection(tx, actor, query.findingList, selection)
    const findings = await lockWritableFindings(tx, actor, ids)
    for (const engagementId of new Set(findings.map(({ engagement_id }) => engagement_id)))
      await requirePeople(tx, actor, engagementId, set)
    const rules = await readReviewRules(tx, organizationId)
    const changed: query.FindingRow[] = []
    const former =
      set.status === undefined ? [] : await listOtherStatuses(tx, organizationId, idsOf(findings), set.status)
    for (const finding of findings) {
      const columns = columnsFor(actor, rules, finding, set)
      const isStatusChanged = await setStatus(tx, organizationId, finding, set.status, isoTime(clock.now()))
      if (Object.keys(columns).length === 0 && !isStatusChanged) continue
      const updated_at = isoTime(Math.max(clock.now(), Date.parse(finding.updated_at) + 1))
      await query.updateFinding(tx, organizationId, finding.id, {
        ...columns,
        ...(isStatusChanged && set.status && { status: set.status }),
        updated_at,
      })
      const status = set.status ?? finding.status
      if (isStatusChanged) await refreshStatus(tx, clock, actor, { ...finding, updated_at, status }, { returns: false })
      changed.push(finding)
    }
    for (const engagementId of new Set(changed.map(({ engagement_id }) => engagement_id))) {
      const own = changed.filter(({ engagement_id }) => engagement_id === engagementId).map(({ id }) => id)
      const after = { findings: own.length, ...set }
      await recordAudit(tx, actor, clock, {
        action: 'findings.changed',
        object: { type: 'engagement', id: engagementId },
        after,
      })
      await announce(tx, { type: 'finding', engagementId, ids: own, change: 'updated' })
    }
    const before = new Map(changed.map((finding) => [finding.id, finding]))
    const now = await query.lockFindings(tx, organizationId, idsOf(changed))
    const both = now.map((after) => ({ before: before.get(after.id) as query.FindingRow, after }))
    await notifyPeople(tx, writer, actor, both)
    const assets = Map.groupBy(former, ({ finding_id }) => finding_id)
    return {
      found: findings.length,
      changed: both.map((each) => ({ ...each, assets: assets.get(each.after.id) ?? [] })),
    }
  })

const idsOf = (findings: readonly query.FindingRow[]): string[] => findings.map(({ id }) => id)

/** The columns that change. @throws ApiError CONFLICT, VALIDATION_ERROR for too many tags */
const columnsFor = (
  actor: Actor,
  rules: ReviewRules,
  finding: query.FindingRow,
  set: BulkSet,
): Updateable<Findings> => {
  const severity = set.severity === undefined ? finding.severity : weightOf(set.severity)
  const isContentChanged = severity !== finding.severity
  const from = isContentChanged && finding.state === 'approved' ? 'in_review' : finding.state
  const state = set.state ?? from
  requireTransition(actor, rules, { ...finding, severity }, from, state)
  const tags = [...new Set([...finding.tags.filter((tag) => !set.removeTags?.includes(tag)), ...(set.addTags ?? [])])]
  if (tags.length > MAX_TAGS) throw invalid(`set.addTags: one of these findings would have more than ${MAX_TAGS} tags`)
  const people = {
    ...(set.authorId !== undefined && set.authorId !== finding.author_id && { author_id: set.authorId }),
    ...(set.reviewerId !== undefined && set.reviewerId !== finding.reviewer_id && { reviewer_id: set.reviewerId }),
  }
  return {
    ...people,
    ...(isContentChanged && { severity }),
    ...(tags.join() !== finding.tags.join() && { tags }),
    ...stateColumns(actor, finding, state, finding.revision, people),
  }
}

const setStatus = async (
  tx: Transaction,
  organizationId: string,
  finding: query.FindingRow,
  wanted: RemediationStatus | undefined,
  now: string,
) =>
  wanted !== undefined &&
  ((await updateStatusOfAll(tx, organizationId, finding.id, wanted, now)) > 0 || wanted !== finding.status)
