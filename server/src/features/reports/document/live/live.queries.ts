import { sql } from 'kysely'
import type { Database } from '../../../../platform/database/connection/open.ts'

/** Rows that a live section lists at most; one more shows that there are more. */
export const MAX_ROWS = 1_000

/** Addresses that testing came from, by the operation log. */
export const listSourceAddresses = async (db: Database, organizationId: string, engagementId: string) => {
  const { rows } = await sql<{ address: string }>`
    select distinct host(source_address) as address from operation_log_entries
    where organization_id = ${organizationId} and engagement_id = ${engagementId} and source_address is not null
    order by 1 limit ${MAX_ROWS}`.execute(db)
  return rows.map(({ address }) => address)
}

/** Services that were seen last, by host and port; hosts without one have no port. */
export const listServices = async (db: Database, organizationId: string, engagementId: string) => {
  const { rows } = await sql<{ host: string; port: number | null; protocol: string | null; title: string; id: string }>`
    select r.id, r.host, r.port, r.protocol, r.title from results r
    where r.organization_id = ${organizationId} and r.engagement_id = ${engagementId} and r.trashed_at is null
      and r.state = 'present' and r.host is not null and (r.kind = 'service' or r.kind = 'host' and not exists (
        select from results s where s.organization_id = r.organization_id and s.engagement_id = r.engagement_id
          and s.trashed_at is null and s.state = 'present' and s.kind = 'service' and s.host = r.host))
    order by r.host, r.port, r.protocol, r.id limit ${MAX_ROWS + 1}`.execute(db)
  return rows
}

/** Hosts of results that findings are about. */
export const listAffectedHosts = async (
  db: Database,
  organizationId: string,
  engagementId: string,
): Promise<Set<string>> => {
  const { rows } = await sql<{ host: string }>`
    select distinct r.host from affected_results a
    join results r on r.organization_id = a.organization_id and r.id = a.result_id
    where a.organization_id = ${organizationId} and a.engagement_id = ${engagementId} and r.host is not null`.execute(
    db,
  )
  return new Set(rows.map(({ host }) => host))
}

/** Programs that were used: those of imported files with their versions, and those that scanned. */
export const listTools = async (db: Database, organizationId: string, engagementId: string) => {
  const { rows } = await sql<{ tool: string; version: string }>`
    with named as (
      select tool, coalesce(tool_version, '') as version from imports
        where organization_id = ${organizationId} and engagement_id = ${engagementId} and tool is not null
      union
      select unnest(tools), '' from results
        where organization_id = ${organizationId} and engagement_id = ${engagementId} and trashed_at is null
    )
    select n.tool, n.version from named n
    where n.version <> '' or not exists (select from named v where lower(v.tool) = lower(n.tool) and v.version <> '')
    order by lower(n.tool), n.version limit ${MAX_ROWS}`.execute(db)
  return rows
}

/** The operation log, oldest first. */
export const listOperations = async (db: Database, organizationId: string, engagementId: string) => {
  const { rows } = await sql<{
    kind: 'scan' | 'request' | 'import' | 'manual' | 'run'
    started_at: string
    ended_at: string | null
    source: string | null
    target: string
    actor_name: string | null
    note: string | null
  }>`
    select kind, started_at, ended_at, host(source_address) as source, actor_name, note,
      concat_ws(':', coalesce(host, host(address), ''), coalesce(ports, port::text)) as target
    from operation_log_entries
    where organization_id = ${organizationId} and engagement_id = ${engagementId}
    order by started_at, id limit ${MAX_ROWS + 1}`.execute(db)
  return rows
}

/** The methodology with the most outcomes. */
export const findMostUsedMethodology = async (
  db: Database,
  organizationId: string,
  engagementId: string,
): Promise<string | null> => {
  const { rows } = await sql<{ methodology_id: string }>`
    select methodology_id from tasks
    where organization_id = ${organizationId} and engagement_id = ${engagementId} and methodology_id is not null and trashed_at is null
    group by methodology_id order by count(*) filter (where outcome <> 'untested') desc, count(*) desc, methodology_id limit 1`.execute(
    db,
  )
  return rows[0]?.methodology_id ?? null
}
