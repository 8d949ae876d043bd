import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'

/** Assigned results that an import or a scan found again after they were fixed, and that are open since. */
export const listReopenedBy = async (
  db: Database,
  organizationId: string,
  sourceId: string,
): Promise<{ id: string; assignee_id: string }[]> => {
  const { rows } = await sql<{ id: string; assignee_id: string }>`select r.id, r.assignee_id from observations o
    join results r on r.organization_id = o.organization_id and r.engagement_id = o.engagement_id and r.id = o.result_id
    where o.organization_id = ${organizationId} and o.source_id = ${sourceId} and o.change in ('changed', 'reappeared')
      and o.before->>'status' = 'fixed' and o.after->>'status' = 'open'
      and r.status = 'open' and r.assignee_id is not null and r.trashed_at is null
    order by r.id`.execute(db)
  return rows
}
