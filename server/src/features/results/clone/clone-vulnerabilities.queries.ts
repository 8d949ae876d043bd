import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'

/** Lists the vulnerabilities that a retest covers, with the target that finds the target of each copy. */
export const listForCloning = async (
  db: Database,
  organizationId: string,
  engagementId: string,
  after: string,
  limit: number,
) => {
  const { rows } = await sql<{
    id: string
    title: string
    severity: number | null
    target_kind: string | null
    target_canonical: string | null
  }>`
    select r.id, r.title, r.severity, t.kind as target_kind, t.canonical as target_canonical
    from results r left join targets t on t.id = r.target_id
    where r.organization_id = ${organizationId} and r.engagement_id = ${engagementId} and r.id > ${after}
      and r.kind = 'vulnerability' and r.status in ('open', 'confirmed', 'accepted')
    order by r.id limit ${limit}`.execute(db)
  return rows
}

export interface VulnerabilityCopy {
  from: string
  id: string
  target_id: string | null
}

/** Inserts unassigned copies, without history. @returns ids of the copies that are new */
export const insertVulnerabilityCopies = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  now: string,
  copies: readonly VulnerabilityCopy[],
): Promise<Set<string>> => {
  const { rows } = await sql<{ id: string }>`
    insert into results (organization_id, engagement_id, id, kind, identity, asset, asset_key, host, protocol, port, target_id, title, severity,
      is_severity_set, status, state, data, large_data, tools, tags, notes, accepted_until, reopened_at, retest_of, first_seen_at, last_seen_at,
      evidence_at, status_changed_at, created_at, updated_at)
    select r.organization_id, ${engagementId}, c.id, r.kind, r.identity, r.asset, r.asset_key, r.host, r.protocol, r.port, c.target_id, r.title, r.severity,
      r.is_severity_set, r.status, r.state, r.data, r.large_data, r.tools, r.tags, r.notes, r.accepted_until, r.reopened_at, r.id, r.first_seen_at,
      r.last_seen_at, r.evidence_at, r.status_changed_at, ${now}::timestamptz, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(copies)}::jsonb) as c ("from" text, id text, target_id text)
    join results r on r.id = c."from" and r.organization_id = ${organizationId} and r.id = any(${copies.map(({ from }) => from)}::text[])
    on conflict (identity, engagement_id) do nothing
    returning id`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}
