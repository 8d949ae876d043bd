import type { Actor } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Selection } from '../../platform/lists/list.ts'
import { moveToTrash } from '../../platform/lists/trash.ts'
import { recordAudit } from '../audit/audit.service.ts'
import type { Effect } from './rules/rule-set.ts'
import * as query from './scope.queries.ts'
import { announceRules, findRuleSet, type ReevaluateTargets, lockScope } from './scope.service.ts'

/** Patterns that an audit entry names. */
const MAX_NAMED = 100

/** The former effect of a rule, and the time of the change that replaced it. */
export interface FormerRule {
  id: string
  updatedAt: string
  effect: Effect
}

/**
 * Rules that already have the effect do not count. @throws ApiError FORBIDDEN, CONFLICT for an archived engagement and
 * a filter that matches too many
 */
export const bulkUpdateScopeRules = (
  writer: Writer,
  actor: Actor,
  reevaluateTargets: ReevaluateTargets,
  selection: Selection,
  effect: Effect,
): Promise<FormerRule[]> =>
  writer.change(async (tx) => {
    const { organizationId } = actor
    const former: FormerRule[] = []
    for (const [engagementId, chosen] of await lockChosen(tx, actor, writer, selection)) {
      const rules = chosen.filter((rule) => rule.effect !== effect)
      const ids = rules.map(({ id }) => id)
      if (ids.length === 0) continue
      await query.updateEffects(tx, organizationId, ids, effect, isoTime(writer.clock.now()))
      await reevaluateTargets(tx, organizationId, engagementId, await findRuleSet(tx, organizationId, engagementId))
      const object = { type: 'engagement', id: engagementId }
      const [before, after] = [{ patterns: byEffect(rules) }, { effect, changed: ids.length }]
      await recordAudit(tx, actor, writer.clock, { action: 'scope-rules.changed', object, engagementId, before, after })
      await announceRules(tx, engagementId, ids, 'updated')
      const changed = await query.listRulesByIds(tx, organizationId, ids)
      former.push(
        ...changed.map(({ id, updated_at: updatedAt }, index) => ({
          id,
          updatedAt,
          effect: (rules[index] as { effect: Effect }).effect,
        })),
      )
    }
    return former
  })

/**
 * Moves rules to the trash. @returns their ids. @throws ApiError FORBIDDEN, CONFLICT for an archived engagement and a
 * filter that matches too many
 */
export const bulkDeleteScopeRules = (
  writer: Writer,
  actor: Actor,
  reevaluateTargets: ReevaluateTargets,
  selection: Selection,
): Promise<string[]> =>
  writer.change(async (tx) => {
    const { organizationId } = actor
    const deleted: string[] = []
    for (const [engagementId, rules] of await lockChosen(tx, actor, writer, selection)) {
      const ids = rules.map(({ id }) => id)
      await moveToTrash(tx, 'scope_rules', organizationId, ids, isoTime(writer.clock.now()))
      await reevaluateTargets(tx, organizationId, engagementId, await findRuleSet(tx, organizationId, engagementId))
      const object = { type: 'engagement', id: engagementId }
      await recordAudit(tx, actor, writer.clock, {
        action: 'scope-rules.deleted',
        object,
        engagementId,
        before: { deleted: ids.length, patterns: byEffect(rules) },
      })
      await announceRules(tx, engagementId, ids, 'deleted')
      deleted.push(...ids)
    }
    return deleted
  })

/** The chosen rules by engagement, in the order of ids; locks each engagement for a change of its rules. */
export const lockChosen = async (tx: Transaction, actor: Actor, { config }: Writer, selection: Selection) => {
  const named = selection.filter?.['engagementId'] as string | undefined
  if (named !== undefined) await lockScope(tx, actor, config, named)
  const seen = await query.scopeRuleList.choose(tx, actor, selection)
  const engagementIds = [...new Set(seen.map(({ engagementId }) => engagementId as string))].toSorted()
  if (named === undefined) for (const id of engagementIds) await lockScope(tx, actor, config, id)
  // Read again: others may have changed or deleted rules before the locks were acquired.
  const rules = await query.listRulesByIds(
    tx,
    actor.organizationId,
    seen.map(({ id }) => id),
  )
  return Map.groupBy(rules, ({ engagement_id }) => engagement_id)
}

export const byEffect = (rules: readonly { effect: string; pattern: string }[]) =>
  Object.fromEntries(
    [...Map.groupBy(rules.slice(0, MAX_NAMED), ({ effect }) => effect)].map(([effect, of]) => [
      effect,
      of.map(({ pattern }) => pattern),
    ]),
  )
