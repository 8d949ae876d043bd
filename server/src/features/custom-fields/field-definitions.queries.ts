import type { FieldObjectType } from '@sortie/contract/custom-fields/fields.ts'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { FieldDefinitions } from '../../platform/database/types.gen.ts'

const COLUMNS = [
  'id',
  'object_type',
  'key',
  'type',
  'label',
  'options',
  'required',
  'help',
  'position',
  'created_at',
  'updated_at',
] as const

const selectDefinitions = (db: Database, organizationId: string) =>
  db
    .selectFrom('field_definitions')
    .select(COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)

export type DefinitionRow = NonNullable<Awaited<ReturnType<typeof findDefinition>>>

/** In their order; of every object type if none is given. */
export const listDefinitions = (db: Database, organizationId: string, objectType: FieldObjectType | undefined) =>
  selectDefinitions(db, organizationId)
    .$if(objectType !== undefined, (query) => query.where('object_type', '=', objectType as FieldObjectType))
    .orderBy('object_type')
    .orderBy('position')
    .orderBy('id')
    .execute()

export const findDefinition = (db: Database, organizationId: string, definitionId: string) =>
  selectDefinitions(db, organizationId).where('id', '=', definitionId).executeTakeFirst()

export const lockDefinition = (tx: Transaction, organizationId: string, definitionId: string) =>
  selectDefinitions(tx, organizationId).where('id', '=', definitionId).forUpdate().executeTakeFirst()

/** The newest definition of this key and type that was deleted at or after `since`. */
export const findDeleted = (
  tx: Transaction,
  organizationId: string,
  objectType: FieldObjectType,
  key: string,
  fieldType: DefinitionRow['type'],
  since: string,
) =>
  tx
    .selectFrom('field_definitions')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('object_type', '=', objectType)
    .where('key', '=', key)
    .where('type', '=', fieldType)
    .where('deleted_at', '>=', since)
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

export const insertDefinition = async (tx: Transaction, definition: Insertable<FieldDefinitions>): Promise<void> => {
  await tx.insertInto('field_definitions').values(definition).execute()
}

export const updateDefinition = async (
  tx: Transaction,
  organizationId: string,
  definitionId: string,
  definitionColumns: Updateable<FieldDefinitions>,
): Promise<void> => {
  await tx
    .updateTable('field_definitions')
    .set(definitionColumns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', definitionId)
    .execute()
}

/**
 * Definitions of all organizations that were deleted before this moment. Their values go with them, so none of an
 * organization that has an engagement on legal hold.
 */
export const listDeletedBefore = (db: Database, before: string, limit: number) =>
  db
    .selectFrom('field_definitions')
    .select(['id', 'organization_id'])
    .where('deleted_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('engagement_restrictions as r')
            .whereRef('r.organization_id', '=', 'field_definitions.organization_id')
            .where('r.is_held', '=', true)
            .select('r.engagement_id'),
        ),
      ),
    )
    .orderBy('deleted_at')
    .limit(limit)
    .execute()

/** @returns how many were deleted, at most `limit` */
export const deleteStaleValues = async (
  db: Database,
  organizationId: string,
  definitionId: string,
  limit: number,
): Promise<number> => {
  const result = await sql`delete from field_values where (organization_id, object_id, definition_id) in (
    select organization_id, object_id, definition_id from field_values
    where organization_id = ${organizationId} and definition_id = ${definitionId} limit ${limit})`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}

/** Once its values are gone. */
export const deleteStaleDefinition = async (
  db: Database,
  organizationId: string,
  definitionId: string,
): Promise<void> => {
  await db
    .deleteFrom('field_definitions')
    .where('organization_id', '=', organizationId)
    .where('id', '=', definitionId)
    .execute()
}
