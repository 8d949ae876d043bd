import { sql } from 'kysely'
import type { Database } from './connection/open.ts'
import { referringFirst } from './engagement-rows.ts'
import type { Transaction } from './transaction.ts'

/**
 * Lists the tables whose rows belong to an organization, in an order in which they can be emptied: referring tables
 * before the tables that they refer to. Finds new tables automatically.
 */
export const listOrganizationTables = async (db: Database): Promise<string[]> => {
  const { rows } = await sql<{ name: string; refers_to: string[] }>`
    with tables as (
      select c.oid, c.relname from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped)
    )
    select t.relname as name, coalesce((
      select jsonb_agg(r.relname) from pg_constraint k join tables r on r.oid = k.confrelid
      where k.conrelid = t.oid and k.contype = 'f' and k.confrelid <> t.oid), '[]') as refers_to
    from tables t order by t.relname`.execute(db)
  return referringFirst(rows)
}

/** @returns how many rows were deleted: fewer than `limit` means that none are left */
export const deleteOrganizationRows = async (
  tx: Transaction,
  table: string,
  organizationId: string,
  limit: number,
): Promise<number> => {
  if (table === 'audit_entries') return deleteAuditEntries(tx, organizationId, limit)
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where organization_id = ${organizationId} limit ${limit}))`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** The server's role may not delete them, except through this function of the database. */
const deleteAuditEntries = async (tx: Transaction, organizationId: string, limit: number): Promise<number> => {
  const { rows } = await sql<{
    count: number
  }>`select delete_audit_entries_of(${organizationId}, ${limit}::integer) as count`.execute(tx)
  return rows[0]?.count ?? 0
}

export const countOrganizationRows = async (
  tx: Transaction,
  table: string,
  organizationId: string,
): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)} where organization_id = ${organizationId}`.execute(tx)
  return rows[0]?.count ?? 0
}
