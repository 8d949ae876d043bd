import type { Body } from '@sortie/contract/core/endpoint.ts'
import type * as contract from '@sortie/contract/inventory/targets.ts'
import type { Updateable } from 'kysely'
import type { Actor } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Targets } from '../../platform/database/types.gen.ts'
import { conflict, invalid } from '../../platform/errors.ts'
import { announce } from '../../platform/events/announce.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { setFields, withFields } from '../custom-fields/field-values.service.ts'
import { asBodyFieldError, requireFound, lockWritableEngagementForShare } from '../engagements/locks.service.ts'
import { isRefusal } from '../scope/rules/host.ts'
import { type Recognised, recognise, recogniseEntered } from '../scope/rules/recognise.ts'
import { findRuleSet } from '../scope/scope.service.ts'
import { lockInventory } from './inventory-lock.queries.ts'
import { criticalityOf, weightOf } from './lists/target-lists.queries.ts'
import { addTargets, beyondLimit, lockNewTargets, remainingTargetQuota } from './new-targets.service.ts'
import * as query from './targets.queries.ts'
import { trashTargets } from './undo/trash-targets.service.ts'

/** Kinds that cannot be recognised from a value. */
const NAMED_KINDS: readonly string[] = ['cloud', 'repository', 'other']

/** Who entered a target: a user, or a program with a key. */
export const sourceOf = ({ kind }: Actor): 'manual' | 'api' => (kind === 'key' ? 'api' : 'manual')

/**
 * @throws ApiError VALIDATION_ERROR for an invalid target or parent, CONFLICT for an existing one, for an archived
 *   engagement and beyond the limit
 */
export const createTarget = (
  { change, clock, config }: Writer,
  actor: Actor,
  wanted: Body<typeof contract.createTarget>,
): Promise<query.TargetRow> => {
  const { engagementId, value, kind, tags = [], criticality = 'none', notes = '', parentId = null, fields } = wanted
  const recognised = recogniseAs(value, kind)
  return change(async (tx) => {
    await asBodyFieldError(lockWritableEngagementForShare(tx, actor, engagementId))
    const { organizationId } = actor
    if (parentId !== null) await requireParent(tx, organizationId, engagementId, parentId)
    await lockNewTargets(tx, engagementId)
    const rules = await findRuleSet(tx, organizationId, engagementId)
    const remainingQuota = await remainingTargetQuota(tx, organizationId, engagementId, config.TARGET_LIMIT)
    const target = {
      ...recognised,
      value,
      tags,
      criticality: weightOf(criticality),
      notes,
      parentId,
      source: sourceOf(actor),
    }
    const [made] = await addTargets(
      tx,
      { organizationId, engagementId, rules, now: isoTime(clock.now()), remainingQuota },
      [target],
    )
    if (!made) throw beyondLimit(config.TARGET_LIMIT)
    if (!made.isNew) throw conflict('A target of this kind and value already exists.')
    const set = await setFields(tx, actor, { type: 'target', id: made.id, engagementId }, fields)
    const after = {
      kind: recognised.kind,
      canonical: recognised.canonical,
      tags,
      criticality,
      ...(set && { fields: set.after }),
    }
    await recordAudit(tx, actor, clock, {
      action: 'target.created',
      object: { type: 'target', id: made.id },
      engagementId,
      after,
    })
    await announce(tx, { type: 'target', engagementId, ids: [made.id], change: 'created' })
    return requireFound(query.findTarget(tx, organizationId, made.id))
  })
}

type RecognisedValue = Pick<Recognised<string>, 'kind' | 'canonical'> & { subject?: Recognised['subject'] }

/** @throws ApiError VALIDATION_ERROR for an invalid value, or one of another kind */
const recogniseAs = (value: string, kind: string | undefined): RecognisedValue => {
  if (kind !== undefined && NAMED_KINDS.includes(kind)) return { kind, canonical: value }
  const recognised = kind === undefined ? recogniseEntered(value) : recognise(value)
  if (isRefusal(recognised)) throw invalid(`value: ${recognised.refused}`)
  if (kind !== undefined && kind !== recognised.kind) throw invalid(`kind: the value is of the kind ${recognised.kind}`)
  return recognised
}

/** @throws ApiError VALIDATION_ERROR for a parent that is not a target of this engagement */
const requireParent = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  parentId: string,
): Promise<void> => {
  const parent = await query.findTarget(tx, organizationId, parentId)
  if (parent?.engagement_id !== engagementId) throw invalid('parentId: must be a target of this engagement')
}

/**
 * Unchanged values have no effect. @throws ApiError NOT_FOUND, CONFLICT for a stale change or an archived engagement,
 * VALIDATION_ERROR for an invalid parent
 */
export const updateTarget = (
  { change, clock }: Writer,
  actor: Actor,
  targetId: string,
  { ifUpdatedAt, fields: custom, ...wanted }: Body<typeof contract.updateTarget>,
): Promise<query.TargetRow> =>
  change(async (tx) => {
    const { organizationId } = actor
    const before = await lockWritableTarget(tx, actor, targetId)
    if (ifUpdatedAt !== undefined && ifUpdatedAt !== before.updated_at) {
      throw conflict('Someone else changed this target in the meantime. Reload it, then repeat the change.')
    }
    const current: Record<string, unknown> = {
      tags: before.tags,
      criticality: criticalityOf(before.criticality),
      notes: before.notes,
      parentId: before.parent_id,
    }
    const fields = Object.entries(wanted).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(current[field]),
    )
    const set = await setFields(tx, actor, { type: 'target', id: targetId, engagementId: before.engagement_id }, custom)
    if (fields.length === 0 && !set) return before
    const changed: Partial<typeof wanted> = Object.fromEntries(fields)
    if (changed.parentId) await requireNewParent(tx, organizationId, before, changed.parentId)
    const now = Math.max(clock.now(), Date.parse(before.updated_at) + 1)
    await query.updateTarget(tx, organizationId, targetId, { ...columnsOf(changed), updated_at: isoTime(now) })
    await recordAudit(tx, actor, clock, {
      action: 'target.changed',
      object: { type: 'target', id: targetId },
      engagementId: before.engagement_id,
      ...withFields(
        { before: Object.fromEntries(fields.map(([field]) => [field, current[field]])), after: changed },
        set,
      ),
    })
    await announce(tx, { type: 'target', engagementId: before.engagement_id, ids: [targetId], change: 'updated' })
    return requireFound(query.findTarget(tx, organizationId, targetId))
  })

const columnsOf = ({
  tags,
  criticality,
  notes,
  parentId,
}: Body<typeof contract.updateTarget>): Updateable<Targets> => ({
  ...(tags && { tags }),
  ...(criticality && { criticality: weightOf(criticality) }),
  ...(notes !== undefined && { notes }),
  ...(parentId !== undefined && { parent_id: parentId }),
})

/** @throws ApiError VALIDATION_ERROR for a parent of another engagement, for itself, and for targets below it */
const requireNewParent = async (
  tx: Transaction,
  organizationId: string,
  target: query.TargetRow,
  parentId: string,
): Promise<void> => {
  await requireParent(tx, organizationId, target.engagement_id, parentId)
  // Prevents a cycle from two concurrent changes.
  await lockNewTargets(tx, target.engagement_id)
  if (await query.findIsWithin(tx, organizationId, parentId, target.id))
    throw invalid('parentId: is this target, or below it')
}

/** Moves a target to the trash. @throws ApiError NOT_FOUND, CONFLICT for an archived engagement */
export const deleteTarget = ({ change, clock }: Writer, actor: Actor, targetId: string): Promise<void> =>
  change(async (tx) => {
    const { organizationId } = actor
    const seen = await requireFound(query.findTarget(tx, organizationId, targetId))
    await lockWritableEngagementForShare(tx, actor, seen.engagement_id)
    // Before the target: an import holds this lock while it changes targets.
    await lockInventory(tx, seen.engagement_id)
    const {
      engagement_id: engagementId,
      kind,
      canonical,
      tags,
      criticality,
      notes,
    } = await lockWritableTarget(tx, actor, targetId)
    await trashTargets(tx, organizationId, engagementId, [targetId], isoTime(clock.now()))
    const before = { kind, canonical, tags, criticality: criticalityOf(criticality), notes }
    await recordAudit(tx, actor, clock, {
      action: 'target.deleted',
      object: { type: 'target', id: targetId },
      engagementId,
      before,
    })
    await announce(tx, { type: 'target', engagementId, ids: [targetId], change: 'deleted' })
  })

const lockWritableTarget = async (tx: Transaction, actor: Actor, targetId: string): Promise<query.TargetRow> => {
  const { organizationId } = actor
  const target = await requireFound(query.findTarget(tx, organizationId, targetId))
  await lockWritableEngagementForShare(tx, actor, target.engagement_id)
  await query.lockTarget(tx, organizationId, targetId)
  // Others may have changed or deleted it before the locks were acquired.
  return requireFound(query.findTarget(tx, organizationId, targetId))
}
