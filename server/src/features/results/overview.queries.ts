import { sql } from 'kysely'
import type { Database } from '../../platform/database/open.ts'

/** Results by kind and state, and vulnerabilities by severity and status, in one look at each. */
export const summarizeResults = async (db: Database, organizationId: string, engagementId: string) => {
  const { rows } = await sql<{ kind: string; state: string; severity: number | null; status: string | null; count: number }>`
    select kind, state, severity, status, count(*) as count from results
    where organization_id = ${organizationId} and engagement_id = ${engagementId}
    group by kind, state, severity, status`.execute(db)
  return rows
}
