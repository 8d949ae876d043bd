import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { announce } from '../../../platform/events/announce.ts'
import { weightOf } from '../../../platform/lists/severities.ts'
import { requireEachOnce, summarizeReverted } from '../../../platform/lists/undo.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { lockSelection } from '../../engagements/selections.service.ts'
import { updateStatusOf } from '../affected/affected.queries.ts'
import { refreshStatus } from '../affected/refresh-status.service.ts'
import * as query from '../findings.queries.ts'
import { readReviewRules, type ReviewRules, transitionRefusal } from '../review/review.service.ts'
import { stateColumns } from '../update/update-finding.service.ts'
import type { FormerFinding } from './former-values.ts'

interface Reverted {
  item: FormerFinding
  finding: query.FindingRow
}

/**
 * Restores former values of findings. Skips those that have changed since or are in the trash, those whose former
 * author or reviewer lost access, and those whose former state the review does not allow.
 *
 * @returns the numbers of those that were changed and of those that were found, but skipped
 * @throws ApiError VALIDATION_ERROR for a finding that is named twice, CONFLICT if one of the engagements is archived
 */
export const revertFindings = (
  { change, clock }: Writer,
  actor: Actor,
  items: readonly FormerFinding[],
): Promise<{ updated: number; skipped: number }> =>
  change(async (tx) => {
    const { organizationId } = actor
    requireEachOnce(items)
    const ids = await lockSelection(tx, actor, query.findingList, { ids: items.map(({ id }) => id) })
    const findings = new Map((await query.lockFindings(tx, organizationId, ids)).map((row) => [row.id, row]))
    const rules = await readReviewRules(tx, organizationId)
    const fresh = items.flatMap((item): Reverted[] => {
      const finding = findings.get(item.id)
      return finding && isFresh(actor, rules, { item, finding }) ? [{ item, finding }] : []
    })
    let updated = 0
    for (const [engagementId, some] of Map.groupBy(fresh, ({ finding }) => finding.engagement_id)) {
      const named = some.flatMap(({ item: { set } }) => [set.authorId, set.reviewerId]).filter((id) => id != null)
      const seers = await query.lockMembersWithAccess(tx, organizationId, engagementId, [...new Set(named)])
      const wanted = some.filter(({ item: { set } }) =>
        [set.authorId, set.reviewerId].every((id) => id == null || seers.has(id)),
      )
      for (const each of wanted) await revert(tx, actor, isoTime(clock.now()), each, clock)
      if (wanted.length === 0) continue
      updated += wanted.length
      await recordAudit(tx, actor, clock, {
        action: 'findings.reverted',
        object: { type: 'engagement', id: engagementId },
        after: { findings: wanted.length, values: summarizeReverted(wanted.map(({ item }) => item)) },
      })
      const changed = wanted.map(({ finding: { id } }) => id)
      await announce(tx, { type: 'finding', engagementId, ids: changed, change: 'updated' })
    }
    return { updated, skipped: findings.size - updated }
  })

/** Nothing changed since, and the review allows the former state. */
const isFresh = (actor: Actor, rules: ReviewRules, { item: { set, ifUpdatedAt }, finding }: Reverted): boolean => {
  if (finding.updated_at !== ifUpdatedAt || finding.trashed_at !== null) return false
  const severity = set.severity === undefined ? finding.severity : weightOf(set.severity)
  const from = severity !== finding.severity && finding.state === 'approved' ? 'in_review' : finding.state
  return transitionRefusal(actor, rules, { ...finding, severity }, from, set.state ?? from) === undefined
}

const revert = async (
  tx: Transaction,
  actor: Actor,
  now: string,
  { item: { set }, finding }: Reverted,
  clock: Writer['clock'],
): Promise<void> => {
  const { organizationId } = actor
  const isRated = set.severity !== undefined && weightOf(set.severity) !== finding.severity
  const state = set.state ?? (isRated && finding.state === 'approved' ? 'in_review' : finding.state)
  const updated_at = isoTime(Math.max(Date.parse(now), Date.parse(finding.updated_at) + 1))
  const status = set.status ?? finding.status
  await query.updateFinding(tx, organizationId, finding.id, {
    ...(set.severity !== undefined && { severity: weightOf(set.severity) }),
    ...(set.authorId !== undefined && { author_id: set.authorId }),
    ...(set.reviewerId !== undefined && { reviewer_id: set.reviewerId }),
    ...(set.tags !== undefined && { tags: [...new Set(set.tags)] }),
    ...stateColumns(actor, finding, state, finding.revision, {
      ...(set.reviewerId !== undefined && { reviewer_id: set.reviewerId }),
    }),
    status,
    updated_at,
  })
  for (const { status: former, ids } of set.assets ?? [])
    await updateStatusOf(tx, organizationId, finding.id, ids, former, now)
  // The status of a finding with assets follows from theirs.
  await refreshStatus(tx, clock, actor, { ...finding, status, state, updated_at }, { returns: false })
}
