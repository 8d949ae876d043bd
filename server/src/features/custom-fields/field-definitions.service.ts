import { type FieldObjectType, type FieldType, MAX_FIELDS } from '@sortie/contract/custom-fields/fields.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Platform, Writer } from '../../platform/context.ts'
import { acquireFairLocks } from '../../platform/database/scope/fair-locks.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { conflict, invalid, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/audit.service.ts'
import * as query from './field-definitions.queries.ts'

interface Changeable {
  label?: string
  options?: string[]
  required?: boolean
  help?: string
  position?: number
}

type NewDefinition = Changeable & { objectType: FieldObjectType; key: string; type: FieldType; label: string }

/** How long the values of a deleted field can come back. */
const DELETED_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000

/**
 * Defines a field. The same key and type as one that was deleted within 30 days gets its values.
 *
 * @throws ApiError CONFLICT for a known key or too many fields, VALIDATION_ERROR for options that do not fit the type
 */
export const createFieldDefinition = (
  { change, clock }: Writer,
  actor: Actor,
  wanted: NewDefinition,
): Promise<query.DefinitionRow> =>
  change(async (tx) => {
    const { organizationId } = actor
    const { objectType, key, type, label, options = [], required = false, help = '' } = wanted
    requireOptions(type, options)
    await acquireFairLocks(tx, { exclusive: [`field definitions ${organizationId}`] })
    const others = await query.listDefinitions(tx, organizationId, objectType)
    if (others.some((other) => other.key === key)) throw conflict('This object type already has a field with this key.')
    if (others.length >= MAX_FIELDS) throw conflict(`An object type has at most ${MAX_FIELDS} custom fields.`)
    const position = wanted.position ?? Math.min(9_999, Math.max(-1, ...others.map((other) => other.position)) + 1)
    const now = clock.now()
    const fields = { label, options, required, help, position }
    const deleted = await query.findDeleted(
      tx,
      organizationId,
      objectType,
      key,
      type,
      isoTime(now - DELETED_LIFETIME_MS),
    )
    const id = deleted?.id ?? newId('fdn', now)
    const times = { created_at: isoTime(now), updated_at: isoTime(now) }
    if (deleted) await query.updateDefinition(tx, organizationId, id, { ...fields, ...times, deleted_at: null })
    else
      await query.insertDefinition(tx, {
        id,
        organization_id: organizationId,
        object_type: objectType,
        key,
        type,
        ...fields,
        ...times,
      })
    const after = { objectType, key, type, name: label, ...fields }
    await recordAudit(tx, actor, clock, {
      action: 'field-definition.created',
      object: { type: 'field-definition', id },
      after,
    })
    return requireDefinition(tx, organizationId, id)
  })

/**
 * Unchanged values have no effect. @throws ApiError NOT_FOUND, CONFLICT for a stale change, VALIDATION_ERROR for wrong
 * options
 */
export const updateFieldDefinition = (
  { change, clock }: Writer,
  actor: Actor,
  definitionId: string,
  { ifUpdatedAt, ...wanted }: Changeable & { ifUpdatedAt?: string },
): Promise<query.DefinitionRow> =>
  change(async (tx) => {
    const { organizationId } = actor
    const before = await query.lockDefinition(tx, organizationId, definitionId)
    if (!before) throw notFound()
    if (ifUpdatedAt !== undefined && ifUpdatedAt !== before.updated_at) {
      throw conflict('This field was changed in the meantime. Read it again, then repeat the change.')
    }
    if (wanted.options) requireOptions(before.type, wanted.options)
    const changed = Object.entries(wanted).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof Changeable]),
    )
    if (changed.length === 0) return before
    const updated_at = isoTime(Math.max(clock.now(), Date.parse(before.updated_at) + 1))
    await query.updateDefinition(tx, organizationId, definitionId, { ...Object.fromEntries(changed), updated_at })
    await recordAudit(tx, actor, clock, {
      action: 'field-definition.changed',
      object: { type: 'field-definition', id: definitionId },
      before: {
        name: before.label,
        ...Object.fromEntries(changed.map(([field]) => [field, before[field as keyof Changeable]])),
      },
      after: Object.fromEntries(changed),
    })
    return requireDefinition(tx, organizationId, definitionId)
  })

/** Hides its values, which a job deletes 30 days later. @throws ApiError NOT_FOUND */
export const deleteFieldDefinition = ({ change, clock }: Writer, actor: Actor, definitionId: string): Promise<void> =>
  change(async (tx) => {
    const { organizationId } = actor
    const before = await query.lockDefinition(tx, organizationId, definitionId)
    if (!before) throw notFound()
    await query.updateDefinition(tx, organizationId, definitionId, { deleted_at: isoTime(clock.now()) })
    const { object_type: objectType, key, type, label: name } = before
    const object = { type: 'field-definition', id: definitionId }
    await recordAudit(tx, actor, clock, {
      action: 'field-definition.deleted',
      object,
      before: { objectType, key, type, name },
    })
  })

const requireDefinition = async (
  tx: Transaction,
  organizationId: string,
  definitionId: string,
): Promise<query.DefinitionRow> => {
  const definition = await query.findDefinition(tx, organizationId, definitionId)
  if (!definition) throw notFound()
  return definition
}

const requireOptions = (type: FieldType, options: readonly string[]): void => {
  const isChoice = type === 'choice' || type === 'choices'
  if (isChoice && options.length === 0) throw invalid(`options: a field of the type ${type} needs at least one`)
  if (!isChoice && options.length > 0) throw invalid(`options: a field of the type ${type} has none`)
}

const DEFINITIONS_AT_ONCE = 50
const VALUES_AT_ONCE = 5_000

/** Every hour: deletes fields that were deleted 30 days ago, with their values. */
export const cleanFields = async ({ db, clock }: Platform): Promise<void> => {
  const before = isoTime(clock.now() - DELETED_LIFETIME_MS)
  for (let found = DEFINITIONS_AT_ONCE; found === DEFINITIONS_AT_ONCE;) {
    const old = await query.listDeletedBefore(db, before, DEFINITIONS_AT_ONCE)
    for (const { organization_id: organizationId, id } of old) {
      for (let deleted = VALUES_AT_ONCE; deleted === VALUES_AT_ONCE;)
        deleted = await query.deleteStaleValues(db, organizationId, id, VALUES_AT_ONCE)
      await query.deleteStaleDefinition(db, organizationId, id)
    }
    found = old.length
  }
}
