import type { MethodologyItem } from '@sortie/contract/tasks/methodologies.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import { acquireFairLocks } from '../../platform/database/scope/fair-locks.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { conflict, invalid, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/audit.service.ts'
import * as query from './methodologies.queries.ts'

/** An item in a request. */
export interface WrittenItem {
  key: string
  title: string
  description?: string | undefined
  group?: string | undefined
  appliesTo?: MethodologyItem['appliesTo'] | undefined
}

interface Fields {
  description?: string | undefined
  version?: string | undefined
  items?: readonly WrittenItem[] | undefined
}

export type NewMethodology = Fields & { name: string }
export type MethodologyChange = Fields & { name?: string | undefined; ifUpdatedAt?: string | undefined }

const MAX_METHODOLOGIES = 200

/** @throws ApiError VALIDATION_ERROR for a duplicate key */
export const createMethodology = (
  { change, clock }: Writer,
  actor: Actor,
  { name, description = '', version = '', items = [] }: NewMethodology,
) =>
  change(async (tx) => {
    const { organizationId } = actor
    await acquireFairLocks(tx, { exclusive: [`methodologies ${organizationId}`] })
    if ((await query.countMethodologies(tx, organizationId)) >= MAX_METHODOLOGIES) {
      throw conflict(`An organization has at most ${MAX_METHODOLOGIES} methodologies.`)
    }
    const now = clock.now()
    const id = newId('mth', now)
    const whole = wholeItems(items)
    await query.insertMethodology(tx, {
      id,
      organization_id: organizationId,
      name,
      description,
      version,
      items: JSON.stringify(whole),
      item_count: whole.length,
      created_at: isoTime(now),
      updated_at: isoTime(now),
    })
    const after = { name, version, items: whole.length }
    await recordAudit(tx, actor, clock, { action: 'methodology.created', object: { type: 'methodology', id }, after })
    return requireMethodology(tx, actor, id)
  })

/** Unchanged values have no effect. @throws ApiError NOT_FOUND, CONFLICT for a built-in one or a stale change */
export const updateMethodology = (
  { change, clock }: Writer,
  actor: Actor,
  methodologyId: string,
  { ifUpdatedAt, ...wanted }: MethodologyChange,
) =>
  change(async (tx) => {
    const before = await lockOwn(tx, actor, methodologyId)
    if (ifUpdatedAt !== undefined && ifUpdatedAt !== before.updated_at) {
      throw conflict('Someone else changed this methodology in the meantime. Reload it, then repeat the change.')
    }
    const items = wanted.items && wholeItems(wanted.items)
    const heads = { name: wanted.name, description: wanted.description, version: wanted.version }
    const changed = Object.entries(heads).filter(
      ([field, value]) => value !== undefined && value !== before[field as keyof typeof heads],
    )
    const isOtherList = items !== undefined && itemsText(items) !== itemsText(before.items)
    if (changed.length === 0 && !isOtherList) return before
    const columns = {
      ...Object.fromEntries(changed),
      ...(isOtherList && { items: JSON.stringify(items), item_count: items.length }),
    }
    const updated_at = isoTime(Math.max(clock.now(), Date.parse(before.updated_at) + 1))
    await query.updateMethodology(tx, actor.organizationId, methodologyId, { ...columns, updated_at })
    await recordAudit(tx, actor, clock, {
      action: 'methodology.changed',
      object: { type: 'methodology', id: methodologyId },
      before: {
        ...Object.fromEntries(changed.map(([field]) => [field, before[field as keyof typeof heads]])),
        ...(isOtherList && { items: before.item_count }),
      },
      after: { ...Object.fromEntries(changed), ...(isOtherList && { items: items.length }) },
    })
    return requireMethodology(tx, actor, methodologyId)
  })

/** Its tasks stay. @throws ApiError NOT_FOUND, CONFLICT for a built-in one */
export const deleteMethodology = ({ change, clock }: Writer, actor: Actor, methodologyId: string): Promise<void> =>
  change(async (tx) => {
    const { name, version } = await lockOwn(tx, actor, methodologyId)
    await query.deleteMethodology(tx, actor.organizationId, methodologyId)
    await recordAudit(tx, actor, clock, {
      action: 'methodology.deleted',
      object: { type: 'methodology', id: methodologyId },
      before: { name, version },
    })
  })

/** @throws ApiError NOT_FOUND */
export const copyMethodology = async (writer: Writer, actor: Actor, methodologyId: string) => {
  const original = await query.findMethodology(writer.db, actor.organizationId, methodologyId)
  if (!original) throw notFound()
  const { name, description, version, items } = original
  return createMethodology(writer, actor, {
    name: `${[...name].slice(0, 193).join('')} (copy)`,
    description,
    version,
    items,
  })
}

const requireMethodology = async (
  tx: Transaction,
  { organizationId }: Actor,
  methodologyId: string,
): Promise<query.MethodologyRow> => {
  const methodology = await query.findMethodology(tx, organizationId, methodologyId)
  if (!methodology) throw notFound()
  return methodology
}

const lockOwn = async (tx: Transaction, actor: Actor, methodologyId: string): Promise<query.MethodologyRow> => {
  const methodology = await query.lockMethodology(tx, actor.organizationId, methodologyId)
  if (methodology) return methodology
  if ((await requireMethodology(tx, actor, methodologyId)).built_in)
    throw conflict('This methodology is built in: duplicate it, and edit the copy.')
  throw notFound()
}

/** Fills in every field of every item. @throws ApiError VALIDATION_ERROR for a duplicate key */
const wholeItems = (items: readonly WrittenItem[]): MethodologyItem[] => {
  const keys = new Set<string>()
  return items.map(({ key, title, description = '', group = '', appliesTo = [] }, index) => {
    if (keys.has(key)) throw invalid(`items.${index}.key: must not occur twice`)
    keys.add(key)
    return { key, title, description, group, appliesTo: [...new Set(appliesTo)] }
  })
}

/** Equal items have equal texts: Postgres does not keep the order of keys. */
const itemsText = (items: readonly MethodologyItem[]): string =>
  JSON.stringify(
    items.map(({ key, title, description, group, appliesTo }) => [key, title, description, group, appliesTo]),
  )
