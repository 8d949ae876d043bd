import type { FieldObjectType, WrittenFieldValue } from '@sortie/contract/custom-fields/fields.ts'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'

/** Values of one object as they were written, by the key of their definition. */
export const findValues = async (
  db: Database,
  organizationId: string,
  objectId: string,
): Promise<Record<string, WrittenFieldValue>> => {
  const rows = await db
    .selectFrom('field_values as v')
    .innerJoin('field_definitions as d', (join) =>
      join.onRef('d.organization_id', '=', 'v.organization_id').onRef('d.id', '=', 'v.definition_id'),
    )
    .select(['d.key', 'v.value'])
    .where('v.organization_id', '=', organizationId)
    .where('v.object_id', '=', objectId)
    .where('d.deleted_at', 'is', null)
    .execute()
  return Object.fromEntries(rows.map(({ key, value }) => [key, value as WrittenFieldValue]))
}

/** Values by the id of their definition. */
type JsonById = Readonly<Record<string, unknown>>

interface FieldOwner {
  /** Null for an object of the organization. */
  engagementId: string | null
  id: string
}

/** Sets values by the id of their definition. */
export const upsertValues = async (
  tx: Transaction,
  organizationId: string,
  fieldOwner: FieldOwner,
  fieldValues: JsonById,
): Promise<void> => {
  const { engagementId, id } = fieldOwner
  await sql`insert into field_values (organization_id, engagement_id, definition_id, object_id, value)
    select ${organizationId}, ${engagementId}, v.key, ${id}, v.value from jsonb_each(${JSON.stringify(fieldValues)}::jsonb) as v
    on conflict (organization_id, object_id, definition_id) do update set value = excluded.value`.execute(tx)
}

export const deleteValues = async (
  tx: Transaction,
  organizationId: string,
  objectId: string,
  definitionIds: readonly string[],
): Promise<void> => {
  await tx
    .deleteFrom('field_values')
    .where('organization_id', '=', organizationId)
    .where('object_id', '=', objectId)
    .where(sql<boolean>`definition_id = any(${definitionIds})`)
    .execute()
}

/** Copies all values of objects to their copies, which belong to this engagement. */
export const insertCopiedValues = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  ids: readonly string[],
  copyIds: readonly string[],
): Promise<void> => {
  await sql`insert into field_values (organization_id, engagement_id, definition_id, object_id, value)
    select v.organization_id, ${engagementId}, v.definition_id, c.copy_id, v.value
    from unnest(${ids}::text[], ${copyIds}::text[]) as c (id, copy_id)
    join field_values v on v.organization_id = ${organizationId} and v.object_id = c.id`.execute(tx)
}

/** True for a member of the organization who sees this engagement; kept so until the transaction ends. */
export const lockIsMemberWithAccess = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string | null,
  userId: string,
): Promise<boolean> => {
  const { rows } = await sql`select from memberships m
    where m.organization_id = ${organizationId} and m.user_id = ${userId}
      and (${engagementId}::text is null or m.role in ('owner', 'admin') or ${engagementId} not in (select hidden_engagements(${organizationId}, m.user_id)))
    for key share of m`.execute(tx)
  return rows.length > 0
}

/** Definitions with what a value must meet, in their order. */
export const listRules = (db: Database, organizationId: string, objectType: FieldObjectType) =>
  db
    .selectFrom('field_definitions')
    .select(['id', 'key', 'type', 'options', 'required', 'label'])
    .where('organization_id', '=', organizationId)
    .where('object_type', '=', objectType)
    .where('deleted_at', 'is', null)
    .orderBy('position')
    .orderBy('id')
    .execute()
