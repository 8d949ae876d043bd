import { sql } from 'kysely'
import type { Database } from './connection/open.ts'
import type { Transaction } from './transaction.ts'

/**
 * Lists the tables whose rows belong to an engagement, in an order in which they can be emptied: referring tables
 * before the tables that they refer to. Finds new tables automatically. Omits the tables of who sees an engagement:
 * their rows are deleted with it.
 */
export const listEngagementTables = async (db: Database): Promise<string[]> => {
  const { rows } = await sql<{ name: string; refers_to: string[] }>`
    with tables as (
      select c.oid, c.relname from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'engagement_id' and not a.attisdropped)
        and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped)
        and c.relname not in ('engagement_restrictions', 'engagement_members', 'api_key_engagements')
    )
    select t.relname as name, coalesce((
      select jsonb_agg(r.relname) from pg_constraint k join tables r on r.oid = k.confrelid
      where k.conrelid = t.oid and k.contype = 'f' and k.confrelid <> t.oid), '[]') as refers_to
    from tables t order by t.relname`.execute(db)
  return referringFirst(rows)
}

/** @throws Error if tables refer to each other in a circle */
export const referringFirst = (tables: readonly { name: string; refers_to: readonly string[] }[]): string[] => {
  const order: string[] = []
  const left = new Map(tables.map(({ name, refers_to }) => [name, refers_to]))
  while (left.size > 0) {
    const referred = new Set([...left.values()].flat())
    const free = [...left.keys()].filter((name) => !referred.has(name))
    if (free.length === 0) throw new Error(`tables refer to each other in a circle: ${[...left.keys()].join(', ')}`)
    order.push(...free)
    for (const name of free) left.delete(name)
  }
  return order
}

/** @returns how many rows were deleted: fewer than `limit` means that none are left */
export const deleteEngagementRows = async (
  tx: Transaction,
  table: string,
  organizationId: string,
  engagementId: string,
  limit: number,
): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where organization_id = ${organizationId} and engagement_id = ${engagementId} limit ${limit}))`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0)
}

export const countEngagementRows = async (
  db: Database,
  table: string,
  organizationId: string,
  engagementId: string,
): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)} where organization_id = ${organizationId} and engagement_id = ${engagementId}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
