import { type Selectable, sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Results } from '../../../platform/database/types.gen.ts'

/** Counts results by kind and state, and vulnerabilities by severity and status, in one scan of the table. */
export const summarizeResults = async (db: Database, organizationId: string, engagementId: string) => {
  const { rows } = await sql<Pick<Selectable<Results>, 'kind' | 'state' | 'severity' | 'status'> & { count: number }>`
    select kind, state, severity, status, count(*) as count from results
    where organization_id = ${organizationId} and engagement_id = ${engagementId}
    group by kind, state, severity, status`.execute(db)
  return rows
}

/**
 * Counts new results by week since a Monday, with vulnerabilities counted separately. A week is named by its Monday
 * (`2026-11-16`, in UTC).
 */
export const countNewByWeek = async (db: Database, organizationId: string, engagementId: string, since: string) => {
  const { rows } = await sql<{ week: string; is_vulnerability: boolean; count: number }>`
    select to_char(date_trunc('week', first_seen_at at time zone 'UTC'), 'YYYY-MM-DD') as week, kind = 'vulnerability' as is_vulnerability, count(*) as count
    from results
    where organization_id = ${organizationId} and engagement_id = ${engagementId} and first_seen_at >= ${since}
    group by 1, 2`.execute(db)
  return rows
}

/** Counts vulnerabilities by severity and status, without those that are out of scope. */
export const countVulnerabilities = async (db: Database, organizationId: string, engagementId: string) => {
  const { rows } = await sql<{ severity: number | null; status: NonNullable<Results['status']>; count: number }>`
    select r.severity, r.status, count(*) as count from results r
      left join target_verdicts v on v.target_id = r.target_id and v.engagement_id = r.engagement_id
      left join target_verdicts d on d.target_id = r.address_target_id and d.engagement_id = r.engagement_id and d.verdict = 'out'
    where r.organization_id = ${organizationId} and r.engagement_id = ${engagementId} and r.kind = 'vulnerability'
      and coalesce(d.verdict, r.own_verdict, v.verdict, 'unknown') <> 'out'
    group by r.severity, r.status`.execute(db)
  return rows
}

/** Counts the targets in scope, and those that have been seen. */
export const countSeenTargets = async (
  db: Database,
  organizationId: string,
  engagementId: string,
): Promise<{ inScope: number; seen: number }> => {
  const { rows } = await sql<{ inScope: number; seen: number }>`
    select count(*) as "inScope", count(t.last_seen_at) as seen
    from targets t join target_verdicts v on v.organization_id = t.organization_id and v.target_id = t.id
    where t.organization_id = ${organizationId} and t.engagement_id = ${engagementId} and v.verdict in ('in', 'caution')`.execute(
    db,
  )
  return rows[0] ?? { inScope: 0, seen: 0 }
}
