import { SEVERITIES } from '@sortie/contract/core/values.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { ResultSource } from '../ingest/sources.ts'
import { cleanText } from '../sightings/clean.ts'
import type { Coverage, Range } from './coverage.ts'

/** Deletes the coverage of a source. */
export const deleteCoverages = async (tx: Transaction, organizationId: string, sourceId: string): Promise<void> => {
  await tx
    .deleteFrom('scan_coverage')
    .where('organization_id', '=', organizationId)
    .where('source_id', '=', sourceId)
    .execute()
}

export const insertCoverages = async (
  tx: Transaction,
  { organizationId, engagementId, id }: ResultSource,
  coverages: readonly Coverage[],
): Promise<void> => {
  if (coverages.length === 0) return
  await sql`insert into scan_coverage (organization_id, engagement_id, source_id, what, host, protocol, ports, closed, rule_id, location, detail, severities)
    select ${organizationId}, ${engagementId}, ${id}, x.what, x.host, x.protocol, x.ports::int4multirange, x.closed::int4multirange, x.rule_id, x.location,
      x.detail, x.severities
    from jsonb_to_recordset(${JSON.stringify(coverages.map(toRow))}::jsonb)
      as x (what text, host text, protocol text, ports text, closed text, rule_id text, location text, detail text, severities smallint[])`.execute(
    tx,
  )
}

const toRow = (coverage: Coverage) => {
  const { what, host } = coverage
  if (what === 'ports')
    return {
      what,
      host,
      protocol: coverage.protocol,
      ports: multirange(coverage.ranges),
      closed: multirange(coverage.closed),
    }
  if (what === 'rule') return { what, host, rule_id: cleanText(coverage.ruleId), ...placeOfRule(coverage) }
  if (what === 'nothing') return { what, host, rule_id: coverage.ruleId && cleanText(coverage.ruleId) }
  if (what === 'vulnerabilities') {
    const severities = coverage.severities?.map((severity) => SEVERITIES.indexOf(severity))
    return { what, host, detail: coverage.site && cleanText(coverage.site), severities }
  }
  if (what === 'records') return { what, host, detail: coverage.recordType }
  if (what === 'url') return { what, host, detail: cleanText(coverage.url) }
  if (what === 'certificate')
    return { what, host, ports: multirange([[coverage.port, coverage.port]]), detail: coverage.serverName }
  return { what, host }
}

const placeOfRule = (coverage: Extract<Coverage, { what: 'rule' }>) =>
  'location' in coverage
    ? { location: cleanText(coverage.location) }
    : {
        ports: coverage.ports && multirange(coverage.ports.map((port) => [port, port])),
        detail: coverage.beneath && cleanText(coverage.beneath),
      }

const multirange = (ranges: readonly Range[]): string => `{${ranges.map(([from, to]) => `[${from},${to}]`).join(',')}}`

/** Marks every host of the source's results as fully covered by its tool. */
export const coverSeenHosts = async (
  tx: Transaction,
  { organizationId, engagementId, id }: ResultSource,
): Promise<void> => {
  await sql`insert into scan_coverage (organization_id, engagement_id, source_id, what, host)
    select distinct ${organizationId}, ${engagementId}, ${id}, 'everything', r.host
    from observations o join results r on r.organization_id = o.organization_id and r.id = o.result_id
    where o.organization_id = ${organizationId} and o.source_id = ${id} and r.host is not null`.execute(tx)
}

/** Lists the engagement's next result ids after this one. */
export const listNext = async (
  tx: Transaction,
  { organizationId, engagementId }: ResultSource,
  after: string,
  limit: number,
): Promise<string[]> => {
  const rows = await tx
    .selectFrom('results')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Lists results of the engagement after this one that the source has not reported.
 *
 * @param limit the most results to read
 * @param maxIds the most to return
 * @returns the ids, and the last id that was considered; undefined if there are no more
 */
export const listUnreported = async (
  tx: Transaction,
  { organizationId, engagementId, id }: ResultSource,
  after: string,
  limit: number,
  maxIds: number,
): Promise<{ ids: string[]; next: string | undefined }> => {
  // `offset 0` looks up each result by its key: without statistics, a join would read all observations of the source.
  const { rows } = await sql<{ ids: string[]; last: string | null; count: number }>`
    with page as materialized (select r.id from results r
      where r.organization_id = ${organizationId} and r.engagement_id = ${engagementId} and r.id > ${after} order by r.id limit ${limit})
    select array(select p.id from page p
        where not exists (select from observations o where o.source_id = ${id} and o.result_id = p.id offset 0)
        order by p.id limit ${maxIds}) as ids,
      (select max(id) from page) as last, (select count(*) from page) as count`.execute(tx)
  const { ids = [], last = null, count = 0 } = rows[0] ?? {}
  if (ids.length === maxIds) return { ids, next: ids.at(-1) }
  return { ids, next: count === limit ? (last ?? undefined) : undefined }
}

/**
 * Kinds that the program behind a port reports. Findings are excluded: their own tools and people decide when they are
 * gone.
 */
const ANSWERS = ['http_response', 'web_path', 'tls_certificate', 'technology']

/** These kinds store no protocol over HTTP or TLS. A technology has an origin or `host:port/protocol` as its asset. */
const PROTOCOL = sql`coalesce(r.protocol, case when r.kind = 'technology' then substring(r.asset from '/(tcp|udp|sctp)$') end, 'tcp')`

/**
 * Present results among the ids that the source covers but does not report. Newer data wins: a later scan, or a manual
 * change of the status. `offset 0` evaluates each subquery per result: a join would read all observations of the source
 * for each call.
 */
const missed = (
  { organizationId, id, tool, allTools = [tool], seenAt }: ResultSource,
  ids: readonly string[],
  isSpokenOf: RawBuilder<unknown>,
): RawBuilder<unknown> => {
  const isOfTool = sql`r.tools && ${allTools}::text[]`
  const looked = (
    at: RawBuilder<unknown>,
  ) => sql`exists (select from scan_coverage c where c.organization_id = ${organizationId} and c.source_id = ${id} and ${at} and case c.what
        when 'host' then r.kind = 'host'
        when 'ports' then c.protocol = ${PROTOCOL} and r.port <@ case when r.kind = 'service' then c.ports when r.kind = any(${ANSWERS}::text[]) then c.closed end
        when 'records' then r.kind = 'dns_record' and r.data ->> 'type' = c.detail
        when 'url' then r.kind = 'http_response' and r.data ->> 'url' = c.detail
        when 'certificate' then r.kind = 'tls_certificate' and r.port <@ c.ports and r.data ->> 'serverName' is not distinct from c.detail
        when 'vulnerabilities' then r.kind = 'vulnerability' and ${isOfTool} and c.detail is null
          and (c.severities is null or (r.severity = any(c.severities) and not r.is_severity_set))
        when 'rule' then r.kind = 'vulnerability' and ${isOfTool} and r.data ->> 'ruleId' = c.rule_id
          and case when c.location is not null then r.data ->> 'location' = c.location
            else ((c.ports is null and r.port is null) or r.port <@ c.ports) and (c.detail is null or starts_with(r.data ->> 'location', c.detail)) end
        when 'nothing' then false
        else ${isOfTool} end offset 0)`
  // A site also covers its findings at other hosts.
  const isOfSite = sql`r.kind = 'vulnerability' and ${isOfTool} and exists (select from scan_coverage c
      where c.organization_id = ${organizationId} and c.source_id = ${id} and c.what = 'vulnerabilities' and c.detail = r.asset offset 0)`
  const isLeftOut = sql`select from scan_coverage c where c.organization_id = ${organizationId} and c.source_id = ${id} and c.host = r.host and c.what = 'nothing'
      and (c.rule_id is null or c.rule_id = r.data ->> 'ruleId')`
  return sql`from results r
    where r.organization_id = ${organizationId} and r.id = any(${ids}::text[]) and r.state = 'present' and r.identity is not null
      and r.evidence_at <= ${seenAt} and coalesce(r.status_changed_at, '-infinity') <= ${seenAt}
      and not exists (${isSpokenOf} offset 0)
      and not exists (${isLeftOut} offset 0)
      and (${looked(sql`c.host = r.host`)} or ${looked(sql`c.host is null`)} or (${isOfSite}))`
}

/**
 * Marks results as gone that the source covers but does not report.
 *
 * @returns their ids
 */
export const markAsGone = async (
  tx: Transaction,
  source: ResultSource,
  now: string,
  among: readonly string[],
): Promise<string[]> => {
  const isSpokenOf = sql`select from observations o where o.source_id = ${source.id} and o.result_id = r.id`
  const { organizationId, engagementId, kind, id, seenAt } = source
  // Separate statements: without table statistics, a join would compare all chosen results with all others.
  const { rows } = await sql<{
    id: string
  }>`select r.id ${missed(source, among, isSpokenOf)} order by r.id for no key update of r`.execute(tx)
  const ids = rows.map((row) => row.id)
  if (ids.length === 0) return []
  await sql`
    insert into observations (organization_id, engagement_id, source_kind, source_id, seen_at, created_at, result_id, change, before, after,
      previous_seen_at, previous_evidence_at)
    select ${organizationId}, ${engagementId}, ${kind}, ${id}, ${seenAt}, ${now}, r.id, 'gone', '{"state": "present"}', '{"state": "gone"}',
      r.last_seen_at, r.evidence_at
    from results r where r.organization_id = ${organizationId} and r.id = any(${ids}::text[])`.execute(tx)
  await sql`
    update results set state = 'gone', evidence_at = ${seenAt}, updated_at = greatest(${now}::timestamptz, updated_at + interval '1 millisecond')
    where organization_id = ${organizationId} and id = any(${ids}::text[])`.execute(tx)
  return ids
}

/** Counts the results that would be marked as gone, for a preview that recorded the fingerprints of its file. */
export const countMissed = async (tx: Transaction, source: ResultSource, among: readonly string[]): Promise<number> => {
  const isSpokenOf = sql`select from import_previews p where p.import_id = ${source.id} and p.identity = r.identity`
  const { rows } = await sql<{ count: number }>`select count(*) as count ${missed(source, among, isSpokenOf)}`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}
