import type { RemediationStatus } from '@sortie/contract/findings/finding-fields.ts'
import * as contract from '@sortie/contract/findings/retests.ts'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { RetestItems, Retests } from '../../platform/database/types.gen.ts'
import { anyOf, anyOfOrNone, contains } from '../../platform/lists/filters.ts'
import { byId, listQuery } from '../../platform/lists/list.ts'

export type Outcome = (typeof contract.RETEST_OUTCOMES)[number]

const selectRetests = (db: Database, organizationId: string) =>
  db
    .selectFrom('retests as r')
    .leftJoin('users as u', 'u.id', 'r.created_by')
    .select([
      'r.id',
      'r.engagement_id',
      'r.name',
      'r.starts_on',
      'r.ends_on',
      'r.state',
      'r.created_by',
      'r.created_at',
      'r.updated_at',
    ])
    .select([
      'u.name as creator_name',
      sql<Record<string, number>>`(select coalesce(jsonb_object_agg(c.outcome, c.count), '{}') from (
        select coalesce(i.outcome, 'none') as outcome, count(*) as count from retest_items i
        where i.organization_id = r.organization_id and i.retest_id = r.id group by 1) c)`.as('counts'),
    ])
    .where('r.organization_id', '=', organizationId)

export type RetestRow = NonNullable<Awaited<ReturnType<typeof findRetest>>>

export const findRetest = (db: Database, organizationId: string, retestId: string) =>
  selectRetests(db, organizationId).where('r.id', '=', retestId).executeTakeFirst()

export const retestList = listQuery(contract.retestList, {
  rows: selectRetests,
  id: 'r.id',
  engagementId: 'r.engagement_id',
  sorts: { createdAt: byId },
  filters: { state: anyOf('r.state') },
})

const selectItems = (db: Database, organizationId: string) =>
  db
    .selectFrom('retest_items as i')
    .leftJoin('users as u', 'u.id', 'i.tested_by')
    .innerJoin('findings as f', (join) =>
      join.onRef('f.organization_id', '=', 'i.organization_id').onRef('f.id', '=', 'i.finding_id'),
    )
    .leftJoin('affected_assets as a', (join) =>
      join.onRef('a.organization_id', '=', 'i.organization_id').onRef('a.id', '=', 'i.affected_id'),
    )
    .select([
      'i.id',
      'i.engagement_id',
      'i.retest_id',
      'i.finding_id',
      'i.affected_id',
      'i.asset',
      'i.outcome',
      'i.note',
      'i.tested_by',
      'i.tested_at',
    ])
    .select(['i.updated_at', 'i.status_before', 'u.name as tester_name'])
    .select([
      'f.number as finding_number',
      'f.title as finding_title',
      'f.severity as finding_severity',
      'f.trashed_at as finding_trashed_at',
    ])
    .select(
      sql<RemediationStatus | null>`case when i.affected_id is not null then a.status when i.asset is null then f.status end`.as(
        'status',
      ),
    )
    .where('i.organization_id', '=', organizationId)

export type ItemRow = NonNullable<Awaited<ReturnType<typeof findItem>>>

export const findItem = (db: Database, organizationId: string, retestId: string, itemId: string) =>
  selectItems(db, organizationId).where('i.retest_id', '=', retestId).where('i.id', '=', itemId).executeTakeFirst()

export const retestItemList = listQuery(contract.retestItemList, {
  rows: selectItems,
  id: 'i.id',
  sorts: { createdAt: byId },
  filters: {
    retestId: anyOf('i.retest_id'),
    outcome: anyOfOrNone('i.outcome'),
    findingId: anyOf('i.finding_id'),
    q: contains(sql`coalesce(i.asset, '')`),
  },
})

/** Reads a retest and locks it for a change; lock its engagement first. */
export const lockRetest = async (
  tx: Transaction,
  organizationId: string,
  retestId: string,
): Promise<RetestRow | undefined> => {
  await tx
    .selectFrom('retests')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', retestId)
    .forUpdate()
    .execute()
  return findRetest(tx, organizationId, retestId)
}

/** Counting stops at `max`. */
export const countRetests = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  max: number,
): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
    select from retests where organization_id = ${organizationId} and engagement_id = ${engagementId} limit ${max}) counted`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

export const insertRetest = async (tx: Transaction, row: Insertable<Retests>): Promise<void> => {
  await tx.insertInto('retests').values(row).execute()
}

export const updateRetest = async (
  tx: Transaction,
  organizationId: string,
  retestId: string,
  retestColumns: Updateable<Retests>,
): Promise<void> => {
  await tx
    .updateTable('retests')
    .set(retestColumns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', retestId)
    .execute()
}

export const deleteRetest = async (tx: Transaction, organizationId: string, retestId: string): Promise<void> => {
  await tx.deleteFrom('retests').where('organization_id', '=', organizationId).where('id', '=', retestId).execute()
}

/** Filters these ids to findings of the engagement that are not in the trash. */
export const listRetestable = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  findingIds: readonly string[],
): Promise<string[]> => {
  const { rows } = await sql<{
    id: string
  }>`select id from findings where organization_id = ${organizationId} and engagement_id = ${engagementId}
    and id = any(${findingIds}) and trashed_at is null order by position`.execute(tx)
  return rows.map(({ id }) => id)
}

export interface AffectedPlace {
  finding_id: string
  affected_id: string | null
  asset: string | null
}

/**
 * The affected assets of findings, in the order of the findings; a finding without assets is one place. Withdrawn ones
 * are left out.
 */
export const listPlaces = async (
  tx: Transaction,
  organizationId: string,
  findingIds: readonly string[],
  max: number,
): Promise<AffectedPlace[]> => {
  const { rows } = await sql<AffectedPlace>`
    select f.id as finding_id, a.id as affected_id, a.asset
    from findings f left join affected_assets a on a.organization_id = f.organization_id and a.finding_id = f.id
    where f.organization_id = ${organizationId} and f.id = any(${findingIds}) and a.status is distinct from 'withdrawn'
    order by f.position, f.id, a.id limit ${max}`.execute(tx)
  return rows
}

export const insertItems = async (tx: Transaction, rows: Insertable<RetestItems>[]): Promise<void> => {
  await tx.insertInto('retest_items').values(rows).execute()
}

export const updateItem = async (
  tx: Transaction,
  organizationId: string,
  itemId: string,
  itemColumns: Updateable<RetestItems>,
): Promise<void> => {
  await tx
    .updateTable('retest_items')
    .set(itemColumns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', itemId)
    .execute()
}

/** Marks the items without an outcome. @returns how many */
export const markRest = async (
  tx: Transaction,
  organizationId: string,
  retestId: string,
  by: string | null,
  now: string,
): Promise<number> => {
  const result = await tx
    .updateTable('retest_items')
    .set({ outcome: 'not_retested', tested_by: by, tested_at: now, updated_at: now })
    .where('organization_id', '=', organizationId)
    .where('retest_id', '=', retestId)
    .where('outcome', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** A run that is recorded as a proof, or of a saved request the last one before a moment, otherwise the last one. */
export const findRecordedRun = async (
  db: Database,
  organizationId: string,
  engagementId: string,
  proofId: string,
  before: string,
): Promise<{ id: string; request_id: string | null } | undefined> =>
  db
    .selectFrom('request_runs')
    .select(['id', 'request_id'])
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .where(proofId.startsWith('run_') ? 'id' : 'request_id', '=', proofId)
    .where('state', '<>', 'running')
    .orderBy(sql`created_at < ${before}`, 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
