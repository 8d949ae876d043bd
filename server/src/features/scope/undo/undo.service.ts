import type { Body } from '@sortie/contract/core/endpoint.ts'
import type * as contract from '@sortie/contract/engagement/scope-bulk.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Platform, Writer } from '../../../platform/context.ts'
import { hideTrash, showTrash } from '../../../platform/database/transaction.ts'
import type { Selection } from '../../../platform/lists/list.ts'
import { emptyTrash, ofTrash } from '../../../platform/lists/trash.ts'
import { requireEachOnce, summarizeReverted } from '../../../platform/lists/undo.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { byEffect, lockChosen } from '../scope-selection.service.ts'
import { deleteScopeRules, updateEffects } from '../scope.queries.ts'
import { announceRules, findRuleSet, type ReevaluateTargets, requireRuleQuota } from '../scope.service.ts'
import * as query from './undo.queries.ts'

/**
 * Restores rules from the trash: a change of the scope, with the guards, the locks and the audit entry of one.
 *
 * @returns the numbers of those that came back and of those that could not: their pattern has a rule again
 * @throws ApiError FORBIDDEN, CONFLICT for an archived engagement, beyond the limit and for a filter that matches too
 *   many
 */
export const restoreScopeRules = (
  writer: Writer,
  actor: Actor,
  reevaluateTargets: ReevaluateTargets,
  selection: Selection,
): Promise<{ restored: number; skipped: number }> =>
  writer.change(async (tx) => {
    const { organizationId } = actor
    await showTrash(tx)
    const chosen = await lockChosen(tx, actor, writer, ofTrash(selection))
    await hideTrash(tx)
    let [restored, skipped] = [0, 0]
    for (const [engagementId, rules] of chosen) {
      const wanted = rules.filter(({ trashed_at }) => trashed_at !== null).map(({ id }) => id)
      skipped += rules.length - wanted.length
      if (wanted.length === 0) continue
      await showTrash(tx)
      const back = await query.restoreRules(tx, organizationId, engagementId, wanted)
      await hideTrash(tx)
      skipped += wanted.length - back.length
      if (back.length === 0) continue
      requireRuleQuota(writer.config, await query.countRules(tx, organizationId, engagementId))
      await reevaluateTargets(tx, organizationId, engagementId, await findRuleSet(tx, organizationId, engagementId))
      const object = { type: 'engagement', id: engagementId }
      const after = { restored: back.length, patterns: byEffect(back) }
      await recordAudit(tx, actor, writer.clock, { action: 'scope-rules.restored', object, engagementId, after })
      await announceRules(
        tx,
        engagementId,
        back.map(({ id }) => id),
        'created',
      )
      restored += back.length
    }
    return { restored, skipped }
  })

type Item = Body<typeof contract.revertScopeRules>['items'][number]

/**
 * Gives rules their former effect back; skips those that have changed since.
 *
 * @returns the numbers of those that were changed and of those that were found, but skipped
 * @throws ApiError VALIDATION_ERROR for a rule that is named twice, FORBIDDEN, CONFLICT for an archived engagement
 */
export const revertScopeRules = (
  writer: Writer,
  actor: Actor,
  reevaluateTargets: ReevaluateTargets,
  items: readonly Item[],
): Promise<{ updated: number; skipped: number }> =>
  writer.change(async (tx) => {
    const { organizationId } = actor
    requireEachOnce(items)
    const wanted = new Map(items.map((item) => [item.id, item]))
    let [updated, found] = [0, 0]
    for (const [engagementId, chosen] of await lockChosen(tx, actor, writer, { ids: [...wanted.keys()] })) {
      const fresh = chosen.filter(({ id, updated_at }) => wanted.get(id)?.ifUpdatedAt === updated_at)
      updated += fresh.length
      found += chosen.length
      const rules = fresh.filter(({ id, effect }) => wanted.get(id)?.set.effect !== effect)
      if (rules.length === 0) continue
      for (const [effect, some] of Map.groupBy(rules, ({ id }) => (wanted.get(id) as Item).set.effect)) {
        await updateEffects(
          tx,
          organizationId,
          some.map(({ id }) => id),
          effect,
          isoTime(writer.clock.now()),
        )
      }
      await reevaluateTargets(tx, organizationId, engagementId, await findRuleSet(tx, organizationId, engagementId))
      const object = { type: 'engagement', id: engagementId }
      const [before, after] = [
        { patterns: byEffect(rules) },
        { changed: rules.length, values: summarizeReverted(rules.map(({ id }) => wanted.get(id) as Item)) },
      ]
      await recordAudit(tx, actor, writer.clock, {
        action: 'scope-rules.reverted',
        object,
        engagementId,
        before,
        after,
      })
      await announceRules(
        tx,
        engagementId,
        rules.map(({ id }) => id),
        'updated',
      )
    }
    return { updated, skipped: found - updated }
  })

/** Every hour: deletes rules that were in the trash for 30 days. */
export const emptyScopeTrash = (platform: Platform): Promise<void> =>
  emptyTrash(
    platform,
    'scope_rules',
    platform.config.SCOPE_RULE_LIMIT,
    async (tx, { organizationId, engagementId, ids }) => {
      await deleteScopeRules(tx, organizationId, ids)
      await recordAudit(tx, { system: 'trash', organizationId }, platform.clock, {
        action: 'scope-rules.purged',
        object: { type: 'engagement', id: engagementId },
        engagementId,
        before: { rules: ids.length },
      })
    },
  )
