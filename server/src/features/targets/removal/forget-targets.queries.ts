import { sql } from 'kysely'
import type { Transaction } from '../../../platform/database/transaction.ts'

/** Deletes those of these targets that are unchanged since an import or scan created them. @returns their ids */
export const deleteUnchanged = async (
  tx: Transaction,
  organizationId: string,
  targetIds: readonly string[],
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    delete from targets t where t.organization_id = ${organizationId} and t.id = any(${targetIds}::text[])
      and t.source in ('import', 'scan') and t.updated_at = t.created_at
      and not exists (select from targets child where child.organization_id = t.organization_id and child.engagement_id = t.engagement_id and child.parent_id = t.id)
    returning t.id`.execute(tx)
  return rows.map(({ id }) => id)
}
