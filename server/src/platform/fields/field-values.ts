import { type SqlBool, sql } from 'kysely'
import type { Database } from '../database/connection/open.ts'
import { badRequest } from '../errors.ts'
import type { Filter } from '../lists/filters.ts'

/** Values by key; a person as `{id, name}`. */
export type FieldValues = Record<string, string | number | boolean | string[] | { id: string; name: string }>

/**
 * Selects the custom fields of each row, by key.
 *
 * @param table alias of a table with `organization_id` and `id`
 */
export const fieldsOf = (table: string) => sql<FieldValues>`(
  select coalesce(jsonb_object_agg(d.key, case when d.type = 'person'
    then (select jsonb_build_object('id', u.id, 'name', u.name) from users u where u.id = v.value #>> '{}') else v.value end), '{}')
  from field_values v
  join field_definitions d on d.organization_id = v.organization_id and d.id = v.definition_id and d.deleted_at is null
  where v.organization_id = ${sql.ref(`${table}.organization_id`)} and v.object_id = ${sql.ref(`${table}.id`)})`

/**
 * The filter `field`, for `FieldFilter`: rows in which every `key:value` matches. A key without a definition is refused.
 *
 * @param objectType of the definitions
 * @param table alias of a table with `organization_id` and `id`
 */
export const hasFields = (objectType: string, table: string): Filter => ({
  where: (wanted: readonly string[]) =>
    sql<SqlBool>`(${sql.join(
      wanted.map((field) => hasField(objectType, table, field)),
      sql` and `,
    )})`,
  check: (wanted: readonly string[], { db, actor }) => requireKnownFields(db, actor.organizationId, objectType, wanted),
})

const hasField = (objectType: string, table: string, field: string) => {
  const value = valueOf(field)
  return sql<SqlBool>`exists (
    select from field_values v
    join field_definitions d on d.organization_id = v.organization_id and d.id = v.definition_id and d.deleted_at is null
    where v.organization_id = ${sql.ref(`${table}.organization_id`)} and v.object_id = ${sql.ref(`${table}.id`)}
      and d.object_type = ${objectType} and d.key = ${keyOf(field)}
      and case jsonb_typeof(v.value)
        when 'array' then v.value @> to_jsonb(${value}::text)
        when 'number' then v.value = ${JSON.stringify(numberOf(value))}::jsonb
        else v.value #>> '{}' = ${value} end)`
}

/** A value as a cell of a table; empty without a value. */
export const fieldCell = (value: FieldValues[string] | undefined): string => {
  if (value === undefined) return ''
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'object' ? value.name : String(value)
}

/** The first colon ends the key. */
const keyOf = (field: string): string => field.slice(0, field.indexOf(':'))
const valueOf = (field: string): string => field.slice(field.indexOf(':') + 1)

/** Null for other text, which equals no number. */
const numberOf = (value: string): number | null =>
  value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : null

/** @throws ApiError BAD_REQUEST for a key that has no definition */
const requireKnownFields = async (
  db: Database,
  organizationId: string,
  objectType: string,
  wanted: readonly string[],
): Promise<void> => {
  const keys = [...new Set(wanted.map(keyOf))]
  const rows = await db
    .selectFrom('field_definitions')
    .select('key')
    .where('organization_id', '=', organizationId)
    .where(sql<SqlBool>`object_type = ${objectType} and deleted_at is null and key = any(${keys})`)
    .execute()
  const unknown = keys.find((key) => !rows.some((row) => row.key === key))
  if (unknown !== undefined) throw badRequest(`field: there is no field ${unknown}`)
}
