import { sql } from 'kysely'
import type { Transaction } from '../../platform/database/transaction.ts'

interface OfImport {
  organizationId: string
  engagementId: string
  importId: string
}

/** Stores once whether a target is new: a resumed import finds it already created. */
export const insertImportTargets = async (
  tx: Transaction,
  { organizationId, engagementId, importId }: OfImport,
  rows: readonly { host: string; target_id: string | null; is_new: boolean }[],
): Promise<void> => {
  if (rows.length === 0) return
  await sql`insert into import_targets (organization_id, engagement_id, import_id, host, target_id, is_new)
    select ${organizationId}, ${engagementId}, ${importId}, x.host, x.target_id, x.is_new
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x (host text, target_id text, is_new boolean)
    on conflict (import_id, host) do nothing`.execute(tx)
}

export const countImportTargets = async (
  tx: Transaction,
  organizationId: string,
  importId: string,
): Promise<{ created: number; known: number }> => {
  const { rows } = await sql<{ created: number; known: number }>`
    select count(*) filter (where is_new)::int as created, count(*) filter (where not is_new)::int as known
    from import_targets where organization_id = ${organizationId} and import_id = ${importId}`.execute(tx)
  return rows[0] ?? { created: 0, known: 0 }
}

/** Lists targets that only this import created and uses: no other import has met them, and they have no results. */
export const listOwnTargets = async (
  tx: Transaction,
  organizationId: string,
  importId: string,
  limit: number,
): Promise<string[]> => {
  const { rows } = await sql<{ target_id: string }>`
    select t.target_id from import_targets t
    where t.organization_id = ${organizationId} and t.import_id = ${importId} and t.is_new and t.target_id is not null
      and not exists (select from import_targets other join imports i on i.id = other.import_id
        where other.organization_id = t.organization_id and other.target_id = t.target_id and other.import_id <> t.import_id and i.mode = 'apply')
      and not exists (select from results r where r.organization_id = t.organization_id and r.engagement_id = t.engagement_id and r.target_id = t.target_id)
      and not exists (select from results r where r.organization_id = t.organization_id and r.address_target_id = t.target_id)
    order by t.target_id limit ${limit}`.execute(tx)
  return rows.map(({ target_id }) => target_id)
}

/** Reassigns targets that other imports have also met to the next of those; undoing that import then deletes them. */
export const reassignTargets = async (tx: Transaction, organizationId: string, importId: string): Promise<void> => {
  await sql`update import_targets next set is_new = true
    from (select other.target_id, min(other.import_id) as import_id
      from import_targets own
        join import_targets other on other.organization_id = own.organization_id and other.target_id = own.target_id and other.import_id <> own.import_id
        join imports i on i.organization_id = other.organization_id and i.id = other.import_id and i.mode = 'apply'
      where own.organization_id = ${organizationId} and own.import_id = ${importId} and own.is_new
      group by other.target_id) as passed
    where next.organization_id = ${organizationId} and next.import_id = passed.import_id and next.target_id = passed.target_id`.execute(
    tx,
  )
}

export const deleteImportTargets = async (tx: Transaction, organizationId: string, importId: string): Promise<void> => {
  await tx
    .deleteFrom('import_targets')
    .where('organization_id', '=', organizationId)
    .where('import_id', '=', importId)
    .execute()
}
