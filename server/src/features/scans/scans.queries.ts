import * as contract from '@sortie/contract/inventory/scans.ts'
import { type Insertable, type SqlBool, sql, type Updateable } from 'kysely'
import type { Static } from 'typebox'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Scans } from '../../platform/database/types.gen.ts'
import { anyOf, condition } from '../../platform/lists/filters.ts'
import { byId, listQuery } from '../../platform/lists/list.ts'
import type { Difference } from './inputs/known-services.ts'

type Scan = Static<typeof contract.Scan>
export type Counts = Omit<Scan['counts'], 'skipped'>

const COLUMNS = [
  's.id',
  's.organization_id',
  's.engagement_id',
  's.name',
  's.out_of_scope',
  's.state',
  's.state_reason',
  's.skipped',
  's.trigger',
  's.schedule_id',
  's.retest_id',
  's.override_reason',
  's.requested_by',
  's.actor_id',
  's.actor_name',
  's.work_id',
  's.created_at',
  's.started_at',
  's.finished_at',
] as const

/** Stored when the scan ends; counted from its observations while it runs. */
const COUNTS = sql<Partial<Counts> | null>`coalesce(s.counts, case when s.state = 'running' then (
  select jsonb_object_agg(c.change, c.count) from (
    select o.change, count(*) as count from observations o where o.organization_id = s.organization_id and o.source_id = s.id group by o.change
  ) c) end)`

const selectScans = (db: Database, organizationId: string) =>
  db
    .selectFrom('scans as s')
    .leftJoin('users as u', 'u.id', 's.requested_by')
    .leftJoin('background_jobs as w', (join) =>
      join.onRef('w.organization_id', '=', 's.organization_id').onRef('w.id', '=', 's.work_id'),
    )
    .select((select) => [
      ...COLUMNS,
      select.ref('s.scanners').$castTo<Scan['scanners']>().as('scanners'),
      select.ref('s.targets').$castTo<Scan['targets']>().as('targets'),
      COUNTS.as('counts'),
      'u.name as requested_by_name',
      select.ref('w.done').$castTo<number | null>().as('done'),
      select.ref('w.total').$castTo<number | null>().as('total'),
    ])
    .where('s.organization_id', '=', organizationId)

const usesScanner = condition((ids: readonly string[]) => {
  const wanted = ids.map((id) => sql<SqlBool>`s.scanners @> ${JSON.stringify([{ id }])}::jsonb`)
  return sql`(${sql.join(wanted, sql` or `)})`
})

export const scanList = listQuery(contract.scanList, {
  rows: selectScans,
  id: 's.id',
  engagementId: 's.engagement_id',
  sorts: { createdAt: byId },
  filters: { state: anyOf('s.state'), scanner: usesScanner },
})

export const findScan = (db: Database, organizationId: string, scanId: string) =>
  selectScans(db, organizationId).where('s.id', '=', scanId).executeTakeFirst()

export type ScanRow = NonNullable<Awaited<ReturnType<typeof findScan>>>

export const lockScan = async (
  tx: Transaction,
  organizationId: string,
  scanId: string,
): Promise<ScanRow | undefined> => {
  await tx
    .selectFrom('scans')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', scanId)
    .forUpdate()
    .execute()
  return findScan(tx, organizationId, scanId)
}

/** Targets as they were chosen when the scan was asked for. */
/** Ids of the targets, and of a scan of differences what is different of each. */
export const findChosenTargets = async (db: Database, organizationId: string, scanId: string) => {
  const row = await db
    .selectFrom('scans')
    .select((select) => [
      'target_ids',
      select.ref('diff_services').$castTo<Record<string, Difference> | null>().as('diff_services'),
    ])
    .where('organization_id', '=', organizationId)
    .where('id', '=', scanId)
    .executeTakeFirst()
  return { ids: row?.target_ids ?? [], differences: new Map(Object.entries(row?.diff_services ?? {})) }
}

export const insertScan = async (tx: Transaction, row: Insertable<Scans>): Promise<void> => {
  await tx.insertInto('scans').values(row).execute()
}

export const updateScan = async (
  tx: Transaction,
  organizationId: string,
  scanId: string,
  scanColumns: Updateable<Scans>,
): Promise<void> => {
  await tx
    .updateTable('scans')
    .set(scanColumns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', scanId)
    .execute()
}

export const addSkipped = async (
  tx: Transaction,
  organizationId: string,
  scanId: string,
  skipped: number,
): Promise<void> => {
  await sql`update scans set skipped = least(skipped::bigint + ${skipped}, 2147483647) where organization_id = ${organizationId} and id = ${scanId}`.execute(
    tx,
  )
}

/** Returns true if a scan (the last one of a schedule) has not ended. */
export const findIsUnderWay = async (db: Database, organizationId: string, scanId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('scans')
    .select('state')
    .where('organization_id', '=', organizationId)
    .where('id', '=', scanId)
    .executeTakeFirst()
  return row?.state === 'queued' || row?.state === 'running'
}

/** Counts queued scans of the organization, up to `max`. */
export const countQueuedScans = async (tx: Transaction, organizationId: string, max: number): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
    select from scans where organization_id = ${organizationId} and state = 'queued' limit ${max}) waiting`.execute(tx)
  return rows[0]?.count ?? 0
}

export const countRunningScans = async (
  db: Database,
  organizationId: string,
  engagementId: string,
): Promise<number> => {
  const row = await db
    .selectFrom('scans')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirstOrThrow()
  return row.count
}

export const listScanTitles = (db: Database, organizationId: string, scanIds: readonly string[]) =>
  db
    .selectFrom('scans')
    .select(['id', 'name', 'engagement_id'])
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`id = any(${scanIds})`)
    .execute()

/** Returns the time of the database, for callers without a clock. */
export const currentTime = async (tx: Transaction): Promise<string> => {
  const { rows } = await sql<{ now: string }>`select date_trunc('milliseconds', clock_timestamp()) as now`.execute(tx)
  return rows[0]?.now as string
}
