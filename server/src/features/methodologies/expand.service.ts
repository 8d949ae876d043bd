import type { MethodologyItem } from '@sortie/contract/tasks/methodologies.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Writer } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { conflict, forbidden, invalid, notFound } from '../../platform/errors.ts'
import { announce } from '../../platform/events/announce.ts'
import type { Selection } from '../../platform/lists/list.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { asBodyFieldError, lockWritableEngagementForShare } from '../engagements/locks.service.ts'
import { targetList } from '../targets/lists/target-lists.queries.ts'
import { addChecks, type NewCheck } from '../tasks/checks/checks.service.ts'
import { taskOrder } from '../tasks/order/task-order.ts'
import { listChecks, listTargetsOf } from './coverage.queries.ts'
import { findMethodology } from './methodologies.queries.ts'

/** The engagement and targets that a methodology is expanded to. */
export interface Expansion {
  engagementId: string
  targets: Selection
  itemKeys?: readonly string[] | undefined
  /** Counts only. */
  dryRun?: boolean | undefined
}

const MAX_NEW = 10_000

/**
 * Creates a task for each item and each target that it applies to, and one for each item that applies to none. Skips
 * existing ones; two concurrent calls create each task once.
 *
 * @returns the numbers of new and of existing tasks, and the ids of the new ones
 *
 * @throws ApiError NOT_FOUND without the methodology, FORBIDDEN without the scope that reads targets, VALIDATION_ERROR
 *   for invalid keys, targets or engagement, CONFLICT for an archived engagement and for too many tasks
 */
export const expandMethodology = (
  writer: Writer,
  actor: Actor,
  methodologyId: string,
  { engagementId, targets, itemKeys, dryRun }: Expansion,
): Promise<{ created: number; existing: number; ids: string[] }> =>
  writer.change(async (tx) => {
    const { organizationId } = actor
    const methodology = await findMethodology(tx, organizationId, methodologyId)
    if (!methodology) throw notFound()
    await asBodyFieldError(lockWritableEngagementForShare(tx, actor, engagementId))
    if (!actor.scopes.has('targets:read')) throw forbidden('Expanding a methodology also needs the scope targets:read.')
    const wanted = pairsOf(
      chooseItems(methodology.items, itemKeys),
      await chooseTargets(tx, actor, engagementId, targets),
    )
    await taskOrder.lock(tx, { organizationId, engagementId })
    const there = new Set(
      (await listChecks(tx, organizationId, engagementId, methodologyId)).map(({ item_key, target_id }) =>
        nameOf(item_key, target_id),
      ),
    )
    const missing = wanted.filter(({ itemKey, targetId }) => !there.has(nameOf(itemKey, targetId)))
    if (missing.length > MAX_NEW)
      throw conflict(`These items and targets would create more than ${MAX_NEW} new tasks: choose fewer.`)
    const existing = wanted.length - missing.length
    if (dryRun) return { created: missing.length, existing, ids: [] }
    const ids = await addChecks(writer, tx, actor, { engagementId, methodologyId }, missing)
    if (ids.length > 0) {
      await recordAudit(tx, actor, writer.clock, {
        action: 'methodology.expanded',
        object: { type: 'methodology', id: methodologyId },
        engagementId,
        after: { name: methodology.name, created: ids.length },
      })
      await announce(tx, { type: 'task', engagementId, ids, change: 'created' })
    }
    return { created: ids.length, existing, ids }
  })

const nameOf = (itemKey: string, targetId: string | null): string => `${itemKey}\n${targetId ?? ''}`

const chooseItems = (
  items: readonly MethodologyItem[],
  keys: readonly string[] | undefined,
): readonly MethodologyItem[] => {
  if (!keys) return items
  const wanted = new Set(keys)
  const known = new Set(items.map(({ key }) => key))
  const unknown = keys.findIndex((key) => !known.has(key))
  if (unknown >= 0) throw invalid(`itemKeys.${unknown}: must be a key of this methodology`)
  return items.filter(({ key }) => wanted.has(key))
}

interface ChosenTarget {
  id: string
  kind: string
  value: string
}

/** @throws ApiError VALIDATION_ERROR unless there are either ids or a filter, and for ids of another engagement */
const chooseTargets = async (
  tx: Transaction,
  actor: Actor,
  engagementId: string,
  { ids, filter }: Selection,
): Promise<ChosenTarget[]> => {
  const chosen = await targetList.choose(tx, actor, { ids, filter: filter && { ...filter, engagementId } })
  const own = chosen.filter((target) => target.engagementId === engagementId).map(({ id }) => id)
  if (ids && own.length < new Set(ids).size) throw invalid('targets.ids: each must be a target of this engagement')
  return listTargetsOf(tx, actor.organizationId, own)
}

/** Item by item, the order in which testers work. */
const pairsOf = (items: readonly MethodologyItem[], targets: readonly ChosenTarget[]): NewCheck[] =>
  items.flatMap(({ key: itemKey, title, appliesTo }): NewCheck[] => {
    if (appliesTo.length === 0) return [{ itemKey, targetId: null, title }]
    const fitting = targets.filter(({ kind }) => appliesTo.some((other) => other === kind))
    return fitting.map(({ id, value }) => ({ itemKey, targetId: id, title: `${title}: ${value}` }))
  })
