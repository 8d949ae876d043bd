import * as contract from '@sortie/contract/findings/affected.ts'
import type { RemediationStatus } from '@sortie/contract/findings/finding-fields.ts'
import { sql, type Updateable } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { AffectedAssets, TargetVerdicts } from '../../../platform/database/types.gen.ts'
import { anyOf } from '../../../platform/lists/filters.ts'
import { byId, listQuery } from '../../../platform/lists/list.ts'
import type { ClientStatusRow } from '../findings.queries.ts'

const COLUMNS = [
  'a.id',
  'a.engagement_id',
  'a.finding_id',
  'a.asset',
  'a.target_id',
  'a.note',
  'a.status',
  'a.created_at',
  'a.updated_at',
] as const

const selectAffected = (db: Database, organizationId: string) =>
  db
    .selectFrom('affected_assets as a')
    .leftJoin('target_verdicts as v', (join) =>
      join.onRef('v.target_id', '=', 'a.target_id').onRef('v.organization_id', '=', 'a.organization_id'),
    )
    .select(COLUMNS)
    .select(({ ref }) => [
      ref('a.client_status').$castTo<ClientStatusRow | null>().as('client_status'),
      sql<TargetVerdicts['verdict']>`coalesce(v.verdict, 'unknown')`.as('verdict'),
      sql<string[]>`array(select r.result_id from affected_results r
        where r.organization_id = a.organization_id and r.affected_id = a.id order by r.result_id limit 100)`.as(
        'result_ids',
      ),
      sql<
        'fixed' | null
      >`case when a.status in ('open', 'partly_fixed') and (select bool_and(r.state = 'gone' or r.status is not distinct from 'fixed')
        from affected_results p join results r on r.organization_id = p.organization_id and r.id = p.result_id
        where p.organization_id = a.organization_id and p.affected_id = a.id) then 'fixed' end`.as('suggested_status'),
    ])
    .where('a.organization_id', '=', organizationId)

export type AffectedRow = NonNullable<Awaited<ReturnType<typeof findAffected>>>

export const affectedList = listQuery(contract.affectedList, {
  rows: selectAffected,
  id: 'a.id',
  engagementId: 'a.engagement_id',
  sorts: { createdAt: byId },
  filters: { findingId: anyOf('a.finding_id'), status: anyOf('a.status') },
})

export const findAffected = (db: Database, organizationId: string, affectedId: string) =>
  selectAffected(db, organizationId).where('a.id', '=', affectedId).executeTakeFirst()

/** All assets of these findings, in their order. */
export const listAffectedOf = (db: Database, organizationId: string, findingIds: readonly string[]) =>
  selectAffected(db, organizationId)
    .where(sql<boolean>`a.finding_id = any(${findingIds})`)
    .orderBy('a.finding_id')
    .orderBy('a.id')
    .execute()

/** Counting stops at `max`. */
export const countAffected = async (
  tx: Transaction,
  organizationId: string,
  findingId: string,
  max: number,
): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
    select from affected_assets where organization_id = ${organizationId} and finding_id = ${findingId} limit ${max}) counted`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

export interface NewAsset {
  id: string
  asset: string
  fingerprint: string
  target_id: string | null
}

/** Adds the assets that the finding does not have. @returns ids of those that were added */
export const insertAffected = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  findingId: string,
  assets: readonly NewAsset[],
  now: string,
): Promise<Set<string>> => {
  const { rows } = await sql<{ id: string }>`insert into affected_assets
      (id, organization_id, engagement_id, finding_id, asset, fingerprint, target_id, created_at, updated_at)
    select r.id, ${organizationId}, ${engagementId}, ${findingId}, r.asset, r.fingerprint, r.target_id, ${now}::timestamptz, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(assets)}::jsonb) as r (id text, asset text, fingerprint text, target_id text)
    on conflict (finding_id, fingerprint) do nothing
    returning id`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** Links results to the assets of a finding with these fingerprints. @returns how many links are new */
export const insertAffectedResults = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  findingId: string,
  seen: readonly { fingerprint: string; result_id: string }[],
): Promise<number> => {
  const result =
    await sql`insert into affected_results (organization_id, engagement_id, finding_id, affected_id, result_id)
    select ${organizationId}, ${engagementId}, ${findingId}, a.id, r.result_id
    from jsonb_to_recordset(${JSON.stringify(seen)}::jsonb) as r (fingerprint text, result_id text)
    join affected_assets a on a.organization_id = ${organizationId} and a.finding_id = ${findingId} and a.fingerprint = r.fingerprint
    on conflict do nothing`.execute(tx)
  return Number(result.numAffectedRows ?? 0)
}

export const updateAffected = async (
  tx: Transaction,
  organizationId: string,
  affectedId: string,
  affectedColumns: Updateable<AffectedAssets>,
): Promise<void> => {
  await tx
    .updateTable('affected_assets')
    .set(affectedColumns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', affectedId)
    .execute()
}

/** True if another asset of the finding has this fingerprint. */
export const findIsTaken = async (
  tx: Transaction,
  organizationId: string,
  findingId: string,
  fingerprint: string,
): Promise<boolean> => {
  const row = await tx
    .selectFrom('affected_assets')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('finding_id', '=', findingId)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst()
  return row !== undefined
}

export interface AlikeAffected {
  status: RemediationStatus | undefined
  note: string | undefined
  /** Null clears it; undefined leaves it as it is. */
  clientStatus: ClientStatusRow | null | undefined
}

/** Sets the values where they are not so already. @returns ids of the findings whose assets changed */
export const updateAffectedAlike = async (
  tx: Transaction,
  organizationId: string,
  affectedIds: readonly string[],
  alike: AlikeAffected,
  now: string,
): Promise<string[]> => {
  const { status = null, note = null, clientStatus } = alike
  const isClientSet = clientStatus !== undefined
  const client = clientStatus ? JSON.stringify(clientStatus) : null
  const { rows } = await sql<{ finding_id: string }>`with changed as (
      update affected_assets a set status = coalesce(${status}::text, a.status), note = coalesce(${note}::text, a.note),
        client_status = case when ${isClientSet}::boolean then ${client}::jsonb else a.client_status end,
        updated_at = greatest(${now}::timestamptz, a.updated_at + interval '1 millisecond')
      where a.organization_id = ${organizationId} and a.id = any(${affectedIds})
        and (a.status <> coalesce(${status}::text, a.status) or a.note <> coalesce(${note}::text, a.note)
          or ${isClientSet}::boolean and (a.client_status - 'by' - 'at') is distinct from (${client}::jsonb - 'by' - 'at'))
      returning a.finding_id
    ) select distinct finding_id from changed order by 1`.execute(tx)
  return rows.map(({ finding_id }) => finding_id)
}

/** Sets the status of every asset of a finding that has another one. @returns how many changed */
export const updateStatusOfAll = async (
  tx: Transaction,
  organizationId: string,
  findingId: string,
  status: RemediationStatus,
  now: string,
): Promise<number> => {
  const result =
    await sql`update affected_assets set status = ${status}, updated_at = greatest(${now}::timestamptz, updated_at + interval '1 millisecond')
    where organization_id = ${organizationId} and finding_id = ${findingId} and status <> ${status}`.execute(tx)
  return Number(result.numAffectedRows ?? 0)
}

/**
 * Assets of findings that have another status than this, by finding and status. The findings are locked.
 *
 * @param onlyIds only of these assets
 */
export const listOtherStatuses = async (
  tx: Transaction,
  organizationId: string,
  findingIds: readonly string[],
  status: RemediationStatus,
  onlyIds: readonly string[] | null = null,
): Promise<{ finding_id: string; status: RemediationStatus; ids: string[] }[]> => {
  const { rows } = await sql<{ finding_id: string; status: RemediationStatus; ids: string[] }>`
    select finding_id, status, array_agg(id order by id) as ids from affected_assets
    where organization_id = ${organizationId} and finding_id = any(${findingIds}) and status <> ${status}
      and (${onlyIds}::text[] is null or id = any(${onlyIds}::text[]))
    group by finding_id, status`.execute(tx)
  return rows
}

/** Sets the status of assets of one locked finding. */
export const updateStatusOf = async (
  tx: Transaction,
  organizationId: string,
  findingId: string,
  affectedIds: readonly string[],
  status: RemediationStatus,
  now: string,
): Promise<void> => {
  await sql`update affected_assets set status = ${status}, updated_at = greatest(${now}::timestamptz, updated_at + interval '1 millisecond')
    where organization_id = ${organizationId} and finding_id = ${findingId} and id = any(${affectedIds}) and status <> ${status}`.execute(
    tx,
  )
}

export const deleteAffected = async (
  tx: Transaction,
  organizationId: string,
  affectedIds: readonly string[],
): Promise<void> => {
  await sql`delete from affected_assets where organization_id = ${organizationId} and id = any(${affectedIds})`.execute(
    tx,
  )
}

/** The findings of these assets, in the order of their ids. */
export const listFindingsOf = async (
  db: Database,
  organizationId: string,
  affectedIds: readonly string[],
): Promise<string[]> => {
  const { rows } = await sql<{ finding_id: string }>`select distinct finding_id from affected_assets
    where organization_id = ${organizationId} and id = any(${affectedIds}) order by 1`.execute(db)
  return rows.map(({ finding_id }) => finding_id)
}

/** Numbers of assets by status. */
export const countByStatus = async (
  tx: Transaction,
  organizationId: string,
  findingId: string,
): Promise<Partial<Record<RemediationStatus, number>>> => {
  const rows = await tx
    .selectFrom('affected_assets')
    .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
    .where('organization_id', '=', organizationId)
    .where('finding_id', '=', findingId)
    .groupBy('status')
    .execute()
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

/** Targets of the engagement among these, with the text that names them. */
export const listTargetsForFinding = async (
  db: Database,
  organizationId: string,
  engagementId: string,
  targetIds: readonly string[],
) => {
  const { rows } = await sql<{ id: string; canonical: string }>`select id, canonical from targets
    where organization_id = ${organizationId} and engagement_id = ${engagementId} and id = any(${targetIds}) order by id`.execute(
    db,
  )
  return rows
}

export interface SeenResult {
  id: string
  asset: string
  target_id: string | null
  title: string
  severity: number | null
  /** Whether a person has set the severity. */
  is_severity_set: boolean
  has_tools: boolean
  /** What a tool or a person recorded: requests, responses, output. */
  has_proof: boolean
  data: {
    synopsis?: string
    description?: string
    impact?: string
    solution?: string
    references?: string[]
    cve?: string[]
    cwe?: string[]
    cvssVector?: string
  }
}

/** Results of the engagement among these, without large data. */
export const listResultsForFinding = async (
  db: Database,
  organizationId: string,
  engagementId: string,
  resultIds: readonly string[],
): Promise<SeenResult[]> => {
  const { rows } =
    await sql<SeenResult>`select id, asset, target_id, title, severity, is_severity_set, cardinality(tools) > 0 as has_tools,
      large_data ?| array['request', 'response', 'exchanges', 'evidence'] or data ?| array['output', 'extracted'] as has_proof, data from results
    where organization_id = ${organizationId} and engagement_id = ${engagementId} and id = any(${resultIds}) order by id`.execute(
      db,
    )
  return rows
}
