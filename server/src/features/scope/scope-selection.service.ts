import type { Actor } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Writer } from '../../platform/http/routes/context.ts'
import type { Selection } from '../../platform/lists/list.ts'
import { recordAudit } from '../audit/audit.service.ts'
import type { Effect } from './rules/rule-set.ts'
import * as query from './scope.queries.ts'
import { announceRules, findRuleSet, type ReevaluateTargets, lockScope } from './scope.service.ts'

/** Patterns that an audit entry names. */
const MAX_NAMED = 100

/**
 * Rules that already have the effect do not count. @throws ApiError FORBIDDEN, CONFLICT for an archived engagement and a filter
 * that matches too many
 */
export const updateScopeRules = (
  writer: Writer,
  actor: Actor,
  reevaluateTargets: ReevaluateTargets,
  selection: Selection,
  effect: Effect,
): Promise<number> =>
  writer.change(async (tx) => {
    const { organizationId } = actor
    let updated = 0
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
      updated += ids.length
    }
    return updated
  })

/** @throws ApiError FORBIDDEN, CONFLICT for an archived engagement and a filter that matches too many */
export const deleteScopeRules = (
  writer: Writer,
  actor: Actor,
  reevaluateTargets: ReevaluateTargets,
  selection: Selection,
): Promise<number> =>
  writer.change(async (tx) => {
    const { organizationId } = actor
    let deleted = 0
    for (const [engagementId, rules] of await lockChosen(tx, actor, writer, selection)) {
      const ids = rules.map(({ id }) => id)
      await query.deleteScopeRules(tx, organizationId, ids)
      await reevaluateTargets(tx, organizationId, engagementId, await findRuleSet(tx, organizationId, engagementId))
      const object = { type: 'engagement', id: engagementId }
      await recordAudit(tx, actor, writer.clock, {
        action: 'scope-rules.deleted',
        object,
        engagementId,
        before: { deleted: ids.length, patterns: byEffect(rules) },
      })
      await announceRules(tx, engagementId, ids, 'deleted')
      deleted += ids.length
    }
    return deleted
  })

/** The chosen rules by engagement; locks each engagement for a change of its rules. */
const lockChosen = async (tx: Transaction, actor: Actor, { config }: Writer, selection: Selection) => {
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

const byEffect = (rules: readonly { effect: string; pattern: string }[]) =>
  Object.fromEntries(
    [...Map.groupBy(rules.slice(0, MAX_NAMED), ({ effect }) => effect)].map(([effect, of]) => [
      effect,
      of.map(({ pattern }) => pattern),
    ]),
  )
