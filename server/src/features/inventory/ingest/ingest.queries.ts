import { sql } from 'kysely'
import { type Transaction, skipOnTimeout } from '../../../platform/database/transaction.ts'
import type { Data, PartialSnapshot } from '../merge/merge.ts'
import { STORED_RESULT, type StoredResult } from '../merge/stored-result.ts'
import type { ResultTargets } from './result-targets.ts'
import type { ResultSource } from './sources.ts'

/** A result that a source reports, with the source's earlier observation of it. */
export interface KnownRow extends StoredResult, ResultTargets {
  identity: string
  /** The source's own observation; null if it has not reported the result yet. */
  change: string | null
  reported: string[] | null
}

/**
 * Locks known results against manual changes, in the order of ids as every bulk change does. The engagement is compared
 * so that no index fits: for a new engagement Postgres expects a row or two and would read all its rows instead of
 * looking up fingerprints (`results_identity`).
 */
export const lockKnown = async (
  tx: Transaction,
  { organizationId, engagementId, id }: ResultSource,
  identities: readonly string[],
): Promise<KnownRow[]> => {
  const { rows } = await sql<KnownRow>`
    select ${STORED_RESULT}, r.identity, r.target_id, r.address_target_id, r.own_verdict, o.change, o.reported
    from results r left join lateral (
      select change, reported, before, after from observations where source_id = ${id} and result_id = r.id offset 0) o on true
    where r.identity = any(${identities}::text[])
      and r.organization_id is not distinct from ${organizationId} and r.engagement_id is not distinct from ${engagementId}
    order by r.id for no key update of r`.execute(tx)
  return rows
}

/**
 * Analyzes the table if its statistics are from fewer than `fewer` rows. If that takes too long, as on a busy machine,
 * the database does it by itself within a minute.
 */
export const analyzeResults = async (tx: Transaction, fewer: number): Promise<void> => {
  await skipOnTimeout(tx, () =>
    sql`select analyze_results() from pg_class where oid = 'results'::regclass and reltuples < ${fewer}`.execute(tx),
  )
}

export const postponeWords = async (tx: Transaction): Promise<void> => {
  await sql`select set_config('sortie.words', 'later', true)`.execute(tx)
}

export const writeWords = async (tx: Transaction, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  await sql`select write_words_of_results(${ids}::text[])`.execute(tx)
}

/**
 * Lists the results without words among those that a source created last.
 *
 * @param limit how many of the last to look at
 */
export const listWordless = async (
  tx: Transaction,
  organizationId: string,
  sourceId: string,
  limit: number,
): Promise<string[]> => {
  const { rows } = await sql<{ result_id: string }>`select last.result_id from (
      select result_id from observations where organization_id = ${organizationId} and source_id = ${sourceId} and change = 'created'
      order by sequence desc limit ${limit}) last
    where not exists (select from object_words w where w.object_id = last.result_id)`.execute(tx)
  return rows.map(({ result_id }) => result_id)
}

export interface ResultInsert extends ResultTargets {
  id: string
  kind: string
  identity: string
  asset: string
  asset_key: string
  host: string | null
  protocol: string | null
  port: number | null
  title: string
  severity: number | null
  status: string | null
  data: Data
  large_data: Data
}

/** Inserts results as present, with this source as first and last sighting. */
export const insertResults = async (
  tx: Transaction,
  source: ResultSource,
  now: string,
  rows: readonly ResultInsert[],
): Promise<void> => {
  if (rows.length === 0) return
  await sql`
    insert into results (organization_id, engagement_id, id, kind, identity, asset, asset_key, host, protocol, port, target_id, address_target_id, own_verdict, title, severity, status,
      data, large_data, tools, first_seen_at, last_seen_at, evidence_at, created_at, updated_at)
    select ${source.organizationId}, ${source.engagementId}, x.id, x.kind, x.identity, x.asset, x.asset_key, x.host, x.protocol, x.port, x.target_id, x.address_target_id, x.own_verdict, x.title,
      x.severity, x.status, x.data, x.large_data, array[${source.tool}::text], ${source.seenAt}, ${source.seenAt}, ${source.seenAt}, ${now}, ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x (id text, kind text, identity text, asset text, asset_key text, host text, protocol text,
      port integer, target_id text, address_target_id text, own_verdict text, title text, severity smallint, status text, data jsonb, large_data jsonb)`.execute(
    tx,
  )
}

export interface ResultUpdate {
  id: string
  title: string
  severity: number | null
  status: string | null
  state: string
  data: Data
  large_data: Data
  tools: readonly string[]
  reopened_at: string | null
  last_seen_at: string
  evidence_at: string
  updated_at: string
}

/**
 * Repeats the ids as a list: without table statistics Postgres expects one row of the organization, and would compare
 * every row with every update.
 */
export const updateResults = async (
  tx: Transaction,
  organizationId: string,
  resultRows: readonly ResultUpdate[],
): Promise<void> => {
  if (resultRows.length === 0) return
  await sql`
    update results r set title = x.title, severity = x.severity, status = x.status, state = x.state, data = x.data, large_data = x.large_data,
      tools = x.tools, reopened_at = x.reopened_at, last_seen_at = x.last_seen_at, evidence_at = x.evidence_at,
      updated_at = x.updated_at
    from jsonb_to_recordset(${JSON.stringify(resultRows)}::jsonb) as x (id text, title text, severity smallint, status text, state text, data jsonb,
      large_data jsonb, tools text[], reopened_at timestamptz, last_seen_at timestamptz, evidence_at timestamptz, updated_at timestamptz)
    where r.organization_id = ${organizationId} and r.id = x.id and r.id = any(${resultRows.map(({ id }) => id)}::text[])`.execute(
    tx,
  )
}

/** Replaces fingerprints that an older version computed. */
export const renameResults = async (
  tx: Transaction,
  organizationId: string,
  resultRows: readonly { id: string; identity: string }[],
): Promise<void> => {
  if (resultRows.length === 0) return
  await sql`
    update results r set identity = x.identity from jsonb_to_recordset(${JSON.stringify(resultRows)}::jsonb) as x (id text, identity text)
    where r.organization_id = ${organizationId} and r.id = x.id and r.id = any(${resultRows.map(({ id }) => id)}::text[])`.execute(
    tx,
  )
}

export const setTargets = async (
  tx: Transaction,
  organizationId: string,
  resultRows: readonly (ResultTargets & { id: string })[],
): Promise<void> => {
  if (resultRows.length === 0) return
  await sql`
    update results r set target_id = x.target_id, address_target_id = x.address_target_id, own_verdict = x.own_verdict
    from jsonb_to_recordset(${JSON.stringify(resultRows)}::jsonb) as x (id text, target_id text, address_target_id text, own_verdict text)
    where r.organization_id = ${organizationId} and r.id = x.id and r.id = any(${resultRows.map(({ id }) => id)}::text[])`.execute(
    tx,
  )
}

/** Updates only the times of results that were seen unchanged. */
export const touchResults = async (
  tx: Transaction,
  { organizationId, seenAt }: ResultSource,
  ids: readonly string[],
): Promise<void> => {
  if (ids.length === 0) return
  await sql`update results set last_seen_at = greatest(last_seen_at, ${seenAt}), evidence_at = ${seenAt}
    where organization_id = ${organizationId} and id = any(${ids}::text[])`.execute(tx)
}

export interface ObservationWrite {
  result_id: string
  change: string
  reported: readonly string[]
  before: PartialSnapshot | null
  after: PartialSnapshot | null
  previous_seen_at: string | null
  previous_evidence_at: string | null
}

/** If the source has already reported the result, its earlier observation keeps its "before" state. */
export const writeObservations = async (
  tx: Transaction,
  source: ResultSource,
  now: string,
  rows: readonly ObservationWrite[],
): Promise<void> => {
  if (rows.length === 0) return
  await sql`
    insert into observations (organization_id, engagement_id, source_kind, source_id, seen_at, created_at, result_id, change, reported, before, after,
      previous_seen_at, previous_evidence_at)
    select ${source.organizationId}, ${source.engagementId}, ${source.kind}, ${source.id}, ${source.seenAt}, ${now}, x.result_id, x.change, x.reported,
      x.before, x.after, x.previous_seen_at, x.previous_evidence_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x (result_id text, change text, reported text[], before jsonb, after jsonb,
      previous_seen_at timestamptz, previous_evidence_at timestamptz)
    on conflict (source_id, result_id) do update set change = excluded.change, reported = excluded.reported, before = excluded.before, after = excluded.after`.execute(
    tx,
  )
}

/** Counts a source's observations by change. */
export const countObservations = async (
  tx: Transaction,
  organizationId: string,
  sourceId: string,
): Promise<{ change: string; count: number }[]> => {
  const rows = await tx
    .selectFrom('observations')
    .select((select) => ['change', select.fn.countAll<number>().as('count')])
    .where('organization_id', '=', organizationId)
    .where('source_id', '=', sourceId)
    .groupBy('change')
    .execute()
  return rows
}

/** @param max upper limit of the count */
export const countResultsUpTo = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  max: number,
): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
    select from results where organization_id = ${organizationId} and engagement_id = ${engagementId} limit ${max}) counted`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}
