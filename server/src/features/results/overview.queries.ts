import { type Selectable, sql } from 'kysely'
import type { Database } from '../../platform/database/open.ts'
import type { Results } from '../../platform/database/types.gen.ts'

/** Results by kind and state, and vulnerabilities by severity and status, in one look at each. */
export const summarizeResults = async (db: Database, organizationId: string, engagementId: string) => {
  const { rows } = await sql<Pick<Selectable<Results>, 'kind' | 'state' | 'severity' | 'status'> & { count: number }>`
    select kind, state, severity, status, count(*) as count from results
    where organization_id = ${organizationId} and engagement_id = ${engagementId}
    group by kind, state, severity, status`.execute(db)
  return rows
}

/** Results that were first seen since a Monday, by the Monday of their week (`2026-11-16`, in UTC), vulnerabilities apart. */
export const countNewByWeek = async (db: Database, organizationId: string, engagementId: string, since: string) => {
  const { rows } = await sql<{ week: string; is_vulnerability: boolean; count: number }>`
    select to_char(date_trunc('week', first_seen_at at time zone 'UTC'), 'YYYY-MM-DD') as week, kind = 'vulnerability' as is_vulnerability, count(*) as count
    from results
    where organization_id = ${organizationId} and engagement_id = ${engagementId} and first_seen_at >= ${since}
    group by 1, 2`.execute(db)
  return rows
}

/** Vulnerabilities by severity and status. */
export const countVulnerabilities = async (db: Database, organizationId: string, engagementId: string) => {
  const { rows } = await sql<{ severity: number | null; status: NonNullable<Results['status']>; count: number }>`
    select severity, status, count(*) as count from results
    where organization_id = ${organizationId} and engagement_id = ${engagementId} and kind = 'vulnerability'
    group by severity, status`.execute(db)
  return rows
}

/** Targets in scope, and how many of them something has seen. */
export const countSeenTargets = async (db: Database, organizationId: string, engagementId: string): Promise<{ inScope: number; seen: number }> => {
  const { rows } = await sql<{ inScope: number; seen: number }>`
    select count(*) as "inScope", count(t.last_seen_at) as seen
    from targets t join target_verdicts v on v.organization_id = t.organization_id and v.target_id = t.id
    where t.organization_id = ${organizationId} and t.engagement_id = ${engagementId} and v.verdict in ('in', 'caution')`.execute(db)
  return rows[0] ?? { inScope: 0, seen: 0 }
}
