import type { Body } from '@sortie/contract/core/endpoint.ts'
import { ONE_ENGAGEMENT_ARCHIVED } from '@sortie/contract/core/values.ts'
import type * as bulk from '@sortie/contract/inventory/target-bulk.ts'
import type * as contract from '@sortie/contract/inventory/targets.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { ApiError, conflict } from '../../platform/errors.ts'
import { announce, type EventChange } from '../../platform/events/announce.ts'
import type { Selection } from '../../platform/lists/list.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { asBodyFieldError, lockWritableEngagementForShare } from '../engagements/locks.service.ts'
import { type LineOutcome, recogniseLines } from '../scope/bulk/line-outcomes.ts'
import { isRefusal } from '../scope/rules/host.ts'
import { recogniseEntered } from '../scope/rules/recognise.ts'
import { findRuleSet } from '../scope/scope.service.ts'
import { targetList, weightOf } from './lists/target-lists.queries.ts'
import { addTargets, beyondLimit, lockNewTargets, remainingTargetQuota } from './new-targets.service.ts'
import * as query from './targets.queries.ts'
import { sourceOf } from './targets.service.ts'
import { trashTargets } from './undo/trash-targets.service.ts'

/**
 * Creates one target for each line with a valid value that is not a target yet, in one transaction.
 *
 * @throws ApiError CONFLICT for an archived engagement and beyond the limit, VALIDATION_ERROR for too many lines
 */
export const createTargets = async (
  { change, clock, config }: Writer,
  actor: Actor,
  { engagementId, text, tags = [] }: Body<typeof contract.createTargets>,
): Promise<LineOutcome[]> => {
  const lines = await recogniseLines(text, (meant) => ({ meant, recognised: recogniseEntered(meant) }))
  return change(async (tx) => {
    await asBodyFieldError(lockWritableEngagementForShare(tx, actor, engagementId))
    const { organizationId } = actor
    const wanted = lines.flatMap(({ found: { meant, recognised } }) =>
      isRefusal(recognised) ? [] : [{ ...recognised, value: meant, tags, source: sourceOf(actor) }],
    )
    await lockNewTargets(tx, engagementId)
    const rules = await findRuleSet(tx, organizationId, engagementId)
    const remainingQuota = await remainingTargetQuota(tx, organizationId, engagementId, config.TARGET_LIMIT)
    const made = await addTargets(
      tx,
      { organizationId, engagementId, rules, now: isoTime(clock.now()), remainingQuota },
      wanted,
    )
    if (made.includes(undefined)) throw beyondLimit(config.TARGET_LIMIT)
    const next = made.values()
    const outcomes = lines.map(({ line, input, found: { recognised } }): LineOutcome => {
      if (isRefusal(recognised)) return { line, input, outcome: 'rejected', id: null, reason: recognised.refused }
      const target = next.next().value
      return { line, input, outcome: target?.isNew ? 'created' : 'known', id: target?.id ?? null, reason: null }
    })
    const ids = made.flatMap((target) => (target?.isNew ? [target.id] : []))
    if (ids.length > 0) {
      const object = { type: 'engagement', id: engagementId }
      await recordAudit(tx, actor, clock, {
        action: 'targets.created',
        object,
        engagementId,
        after: { created: ids.length, tags, source: sourceOf(actor) },
      })
      await announce(tx, { type: 'target', engagementId, ids, change: 'created' })
    }
    return outcomes
  })
}

/**
 * @throws ApiError CONFLICT for an archived engagement, a filter that matches too many, and more tags than a target may
 *   have
 */
export const bulkUpdateTargets = (
  { change, clock }: Writer,
  actor: Actor,
  { set, withUndo: _, ...selection }: Body<typeof bulk.bulkUpdateTargets>,
): Promise<{ updated: number; changed: query.FormerTarget[] }> =>
  change(async (tx) => {
    const { ids, chosen } = await lockChosen(tx, actor, selection)
    const { criticality, addTags = [], removeTags = [] } = set
    const columns = { criticality: criticality && weightOf(criticality), addTags, removeTags }
    const { most, changed } = await query.updateTargets(tx, actor.organizationId, ids, columns, isoTime(clock.now()))
    if (most > MAX_TAGS) throw conflict(`A target has at most ${MAX_TAGS} tags.`)
    const isChanged = new Set(changed.map(({ id }) => id))
    const targets = chosen.filter(({ id }) => isChanged.has(id))
    const engagementIds = [...new Set(targets.map(({ engagementId }) => engagementId as string))]
    if (targets.length > 0)
      await recordAudit(tx, actor, clock, {
        action: 'targets.changed',
        ...concerned(actor, engagementIds),
        after: { targets: targets.length, ...set },
      })
    await announceEach(tx, targets, 'updated')
    return { updated: ids.length, changed }
  })

export const MAX_TAGS = 50

/**
 * Moves targets to the trash. @returns their ids. @throws ApiError CONFLICT for an archived engagement and a filter
 * that matches too many
 */
export const bulkDeleteTargets = ({ change, clock }: Writer, actor: Actor, selection: Selection): Promise<string[]> =>
  change(async (tx) => {
    const { ids, engagementIds, chosen } = await lockChosen(tx, actor, selection)
    for (const [engagementId, some] of Map.groupBy(chosen, (each) => each.engagementId as string)) {
      await trashTargets(
        tx,
        actor.organizationId,
        engagementId,
        some.map(({ id }) => id),
        isoTime(clock.now()),
      )
    }
    if (ids.length > 0)
      await recordAudit(tx, actor, clock, {
        action: 'targets.deleted',
        ...concerned(actor, engagementIds),
        before: { targets: ids.length },
      })
    await announceEach(tx, chosen, 'deleted')
    return ids
  })

/** The selected targets; their engagements are locked until the transaction ends. */
export const lockChosen = async (tx: Transaction, actor: Actor, selection: Selection) => {
  const named = selection.filter?.['engagementId'] as string | undefined
  if (named !== undefined) await lockWritableEngagementForShare(tx, actor, named)
  const seen = await targetList.choose(tx, actor, selection)
  const engagementIds = [...new Set(seen.map(({ engagementId }) => engagementId as string))].toSorted()
  for (const id of engagementIds) await lockEngagementIfVisible(tx, actor, id)
  // Callers who lost access to an engagement before the lock was acquired no longer see its targets.
  const chosen = named === undefined && engagementIds.length > 0 ? await targetList.choose(tx, actor, selection) : seen
  return { ids: chosen.map(({ id }) => id).toSorted(), engagementIds, chosen }
}

export const announceEach = async (
  tx: Transaction,
  chosen: readonly { id: string; engagementId: string | null }[],
  change: EventChange,
): Promise<void> => {
  for (const [engagementId, targets] of Map.groupBy(chosen, (each) => each.engagementId)) {
    await announce(tx, { type: 'target', engagementId, ids: targets.map(({ id }) => id), change })
  }
}

const lockEngagementIfVisible = async (tx: Transaction, actor: Actor, engagementId: string): Promise<void> => {
  try {
    await lockWritableEngagementForShare(tx, actor, engagementId)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'CONFLICT') throw conflict(ONE_ENGAGEMENT_ARCHIVED)
    if (error.code !== 'NOT_FOUND') throw error
  }
}

/** The object of the audit entry: the engagement or, if there are several, the organization. */
export const concerned = (actor: Actor, [engagementId, ...others]: readonly string[]) =>
  engagementId !== undefined && others.length === 0
    ? { object: { type: 'engagement', id: engagementId }, engagementId }
    : { object: { type: 'organization', id: actor.organizationId } }
