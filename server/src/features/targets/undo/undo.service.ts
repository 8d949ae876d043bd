import { isDeepStrictEqual } from 'node:util'
import type { Body } from '@sortie/contract/core/endpoint.ts'
import type * as contract from '@sortie/contract/inventory/target-bulk.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Platform, Writer } from '../../../platform/context.ts'
import { hideTrash, showTrash, type Transaction } from '../../../platform/database/transaction.ts'
import { announce } from '../../../platform/events/announce.ts'
import type { Selection } from '../../../platform/lists/list.ts'
import { emptyTrash, ofTrash } from '../../../platform/lists/trash.ts'
import { requireEachOnce, summarizeReverted } from '../../../platform/lists/undo.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { evaluate, type RuleSet } from '../../scope/rules/rule-set.ts'
import { findRuleSet } from '../../scope/scope.service.ts'
import { lockInventory } from '../inventory-lock.queries.ts'
import { weightOf } from '../lists/target-lists.queries.ts'
import { beyondLimit, lockNewTargets, remainingTargetQuota } from '../new-targets.service.ts'
import { fingerprintOf, subjectOf } from '../target-keys.ts'
import { announceEach, concerned, lockChosen } from '../targets-bulk.service.ts'
import { listByIdentity } from '../targets.queries.ts'
import * as query from './undo.queries.ts'

/** Evaluates the results of an engagement whose verdict may differ from that of their target. */
export type ReevaluateResults = (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  rules: RuleSet,
) => Promise<void>

/**
 * Restores targets from the trash, evaluated by the rules of today, with the results and the targets below them that
 * still have no other.
 *
 * @returns the numbers of those that came back and of those that could not: there is a target of their value again
 * @throws ApiError VALIDATION_ERROR for an invalid selection, CONFLICT for an archived or full engagement
 */
export const restoreTargets = (
  writer: Writer,
  actor: Actor,
  reevaluateResults: ReevaluateResults,
  selection: Selection,
): Promise<{ restored: number; skipped: number }> =>
  writer.change(async (tx) => {
    const { clock, config } = writer
    const { organizationId } = actor
    await showTrash(tx)
    const { chosen } = await lockChosen(tx, actor, ofTrash(selection))
    await hideTrash(tx)
    let restored = 0
    for (const [engagementId, some] of Map.groupBy(chosen, (each) => each.engagementId as string)) {
      await lockInventory(tx, engagementId)
      await lockNewTargets(tx, engagementId)
      const rules = await findRuleSet(tx, organizationId, engagementId)
      await showTrash(tx)
      const trashed = await query.lockTrashed(
        tx,
        organizationId,
        engagementId,
        some.map(({ id }) => id),
      )
      await hideTrash(tx)
      const wanted = await withoutNamesakes(tx, organizationId, engagementId, trashed)
      if (wanted.length === 0) continue
      if ((await remainingTargetQuota(tx, organizationId, engagementId, config.TARGET_LIMIT)) < wanted.length)
        throw beyondLimit(config.TARGET_LIMIT)
      const ids = wanted.map(({ id }) => id)
      await showTrash(tx)
      await query.attachTargets(
        tx,
        { organizationId, engagementId },
        wanted.map((target) => ({ ...target, ...verdictOf(rules, target) })),
      )
      await hideTrash(tx)
      await attachChildren(tx, organizationId, ids)
      await reevaluateResults(tx, organizationId, engagementId, rules)
      const object = { type: 'engagement', id: engagementId }
      await recordAudit(tx, actor, clock, {
        action: 'targets.restored',
        object,
        engagementId,
        after: { targets: ids.length },
      })
      await announce(tx, { type: 'target', engagementId, ids, change: 'created' })
      restored += ids.length
    }
    return { restored, skipped: chosen.length - restored }
  })

/** Of targets of one value, the one that was deleted last; none if there is a new one. */
const withoutNamesakes = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  trashed: readonly query.TrashedTarget[],
) => {
  const named = trashed.map((target) => ({
    ...target,
    identity: fingerprintOf(engagementId, target.kind, target.canonical),
  }))
  const there = await listByIdentity(tx, organizationId, [...new Set(named.map(({ identity }) => identity))])
  const byIdentity = Map.groupBy(
    named.filter(({ identity }) => !there.has(identity)),
    ({ identity }) => identity,
  )
  return [...byIdentity.values()].map(([last]) => last as (typeof named)[number])
}

const verdictOf = (rules: RuleSet, { kind, canonical, order_key }: query.TrashedTarget) => {
  const { verdict, rule } = evaluate(rules, subjectOf(kind, canonical, order_key))
  return { verdict, ruleId: rule?.id ?? '' }
}

/** Puts targets below their former parents again, except those that these are below by now. */
const attachChildren = async (
  tx: Transaction,
  organizationId: string,
  restoredIds: readonly string[],
): Promise<void> => {
  const pairs = await query.listFormerChildren(tx, organizationId, restoredIds)
  const parentOf = await query.listAncestry(tx, organizationId, [...new Set(pairs.map(({ parent }) => parent))])
  const isBelow = (id: string, other: string): boolean => {
    for (let at: string | undefined = id, depth = 0; at !== undefined; at = parentOf.get(at), depth++)
      if (at === other || depth > MAX_DEPTH) return true
    return false
  }
  const fitting = pairs.filter(({ child, parent }) => {
    if (isBelow(parent, child)) return false
    parentOf.set(child, parent)
    return true
  })
  await query.attachChildren(tx, organizationId, fitting)
}

/** As for a new parent: a longer chain is refused. */
const MAX_DEPTH = 100

type Item = Body<typeof contract.revertTargets>['items'][number]

/**
 * Gives targets their former values back; skips those that have changed since.
 *
 * @returns the numbers of those that were changed and of those that were found, but skipped
 * @throws ApiError VALIDATION_ERROR for a target that is named twice, CONFLICT if one of the engagements is archived
 */
export const revertTargets = (
  { change, clock }: Writer,
  actor: Actor,
  items: readonly Item[],
): Promise<{ updated: number; skipped: number }> =>
  change(async (tx) => {
    const { organizationId } = actor
    requireEachOnce(items)
    const wanted = new Map(items.map((item) => [item.id, item]))
    const { ids } = await lockChosen(tx, actor, { ids: [...wanted.keys()] })
    const rows = await query.lockValues(tx, organizationId, ids)
    const fresh = rows.filter(({ id, updated_at }) => wanted.get(id)?.ifUpdatedAt === updated_at)
    const changed = fresh
      .map((row) => ({ row, values: valuesOf(wanted.get(row.id) as Item, row) }))
      .filter(
        ({ row, values }) =>
          !isDeepStrictEqual(
            { tags: row.tags, criticality: row.criticality },
            { tags: values.tags, criticality: values.criticality },
          ),
      )
    if (changed.length > 0) {
      await query.writeValues(
        tx,
        organizationId,
        changed.map(({ values }) => values),
        isoTime(clock.now()),
      )
      const engagementIds = [...new Set(changed.map(({ row }) => row.engagement_id))]
      const after = {
        targets: changed.length,
        values: summarizeReverted(changed.map(({ row }) => wanted.get(row.id) as Item)),
      }
      await recordAudit(tx, actor, clock, { action: 'targets.reverted', ...concerned(actor, engagementIds), after })
      await announceEach(
        tx,
        changed.map(({ row }) => ({ id: row.id, engagementId: row.engagement_id })),
        'updated',
      )
    }
    return { updated: fresh.length, skipped: rows.length - fresh.length }
  })

const valuesOf = ({ set }: Item, row: query.RevertedTarget): query.RevertedTarget => ({
  id: row.id,
  tags: set.tags ?? row.tags,
  criticality: set.criticality === undefined ? row.criticality : weightOf(set.criticality),
})

/** Every hour: deletes targets that were in the trash for 30 days. */
export const emptyTargetTrash = (platform: Platform): Promise<void> =>
  emptyTrash(platform, 'targets', platform.config.TARGET_LIMIT, async (tx, { organizationId, engagementId, ids }) => {
    await query.deleteTargets(tx, organizationId, ids)
    await recordAudit(tx, { system: 'trash', organizationId }, platform.clock, {
      action: 'targets.purged',
      object: { type: 'engagement', id: engagementId },
      engagementId,
      before: { targets: ids.length },
    })
  })
