import type { FindingFilterValue, ReportOptionsValue } from '@sortie/contract/reports/report-fields.ts'
import * as contract from '@sortie/contract/reports/reports.ts'
import { type Insertable, type SqlBool, sql, type Updateable } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Reports } from '../../platform/database/types.gen.ts'
import { anyOf, condition, containsFolded } from '../../platform/lists/filters.ts'
import { byId, listQuery } from '../../platform/lists/list.ts'

interface PersonRow {
  id: string
  name: string
}

const COLUMNS = [
  'r.id',
  'r.engagement_id',
  'r.title',
  'r.kind',
  'r.language',
  'r.template_id',
  'r.template_version',
  'r.state',
  'r.author_ids',
  'r.writers',
  'r.approved_by',
  'r.approved_at',
  'r.approved_digest',
  'r.latest_edition',
  'r.created_by',
  'r.created_at',
  'r.updated_at',
] as const

const selectReports = (db: Database, organizationId: string) =>
  db
    .selectFrom('reports as r')
    .leftJoin('users as approver', 'approver.id', 'r.approved_by')
    .leftJoin('users as creator', 'creator.id', 'r.created_by')
    .select(COLUMNS)
    .select(({ ref }) => [
      ref('r.finding_filter').$castTo<FindingFilterValue>().as('finding_filter'),
      ref('r.options').$castTo<ReportOptionsValue>().as('options'),
      'approver.name as approver_name',
      'creator.name as creator_name',
      sql<
        PersonRow[]
      >`(select coalesce(jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name) order by a.place), '[]')
        from unnest(r.author_ids) with ordinality as a (id, place) join users u on u.id = a.id)`.as('authors'),
    ])
    .where('r.organization_id', '=', organizationId)

export type ReportRow = NonNullable<Awaited<ReturnType<typeof findReport>>>

export const findReport = (db: Database, organizationId: string, reportId: string) =>
  selectReports(db, organizationId).where('r.id', '=', reportId).executeTakeFirst()

const ofClient = (clientIds: readonly string[]) =>
  sql<SqlBool>`r.engagement_id in (select e.id from engagements e where e.organization_id = r.organization_id and e.client_id = any(${clientIds}))`

export const reportList = listQuery(contract.reportList, {
  rows: selectReports,
  id: 'r.id',
  engagementId: 'r.engagement_id',
  sorts: { createdAt: byId, updatedAt: 'r.updated_at' },
  filters: {
    clientId: condition(ofClient),
    state: anyOf('r.state'),
    kind: anyOf('r.kind'),
    q: containsFolded('r.searched'),
  },
})

export const findEngagementOfReport = async (
  db: Database,
  organizationId: string,
  reportId: string,
): Promise<string | undefined> => {
  const row = await db
    .selectFrom('reports')
    .select('engagement_id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', reportId)
    .executeTakeFirst()
  return row?.engagement_id
}

/** Reads a report and locks it for a change; lock its engagement first. */
export const lockReport = async (
  tx: Transaction,
  organizationId: string,
  reportId: string,
): Promise<ReportRow | undefined> => {
  await tx
    .selectFrom('reports')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', reportId)
    .forUpdate()
    .execute()
  return findReport(tx, organizationId, reportId)
}

/** Counting stops at `max`. */
export const countReports = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  max: number,
): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
    select from reports where organization_id = ${organizationId} and engagement_id = ${engagementId} limit ${max}) counted`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

export const insertReport = async (tx: Transaction, report: Insertable<Reports>): Promise<void> => {
  await tx.insertInto('reports').values(report).execute()
}

/** Changes a report that the transaction has locked. */
export const updateReport = async (
  tx: Transaction,
  organizationId: string,
  reportId: string,
  reportColumns: Updateable<Reports>,
): Promise<void> => {
  await tx
    .updateTable('reports')
    .set(reportColumns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', reportId)
    .execute()
}

export const deleteReport = async (tx: Transaction, organizationId: string, reportId: string): Promise<void> => {
  await tx.deleteFrom('reports').where('organization_id', '=', organizationId).where('id', '=', reportId).execute()
}

/** Titles of these reports; hidden ones are omitted. */
export const listReportTitles = (db: Database, organizationId: string, reportIds: readonly string[]) =>
  db
    .selectFrom('reports')
    .select(['id', 'title', 'engagement_id'])
    .where('organization_id', '=', organizationId)
    .where(sql<SqlBool>`id = any(${reportIds})`)
    .execute()

/** Filters these ids to findings of the engagement that are not in the trash. */
export const listFindingIds = async (
  db: Database,
  organizationId: string,
  engagementId: string,
  findingIds: readonly string[],
): Promise<Set<string>> => {
  const rows = await db
    .selectFrom('findings')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .where('trashed_at', 'is', null)
    .where(sql<SqlBool>`id = any(${findingIds})`)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Reports whether a report of the organization names a template. */
export const findIsTemplateUsed = async (
  db: Database,
  organizationId: string,
  templateId: string,
): Promise<boolean> => {
  const row = await db
    .selectFrom('reports')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('template_id', '=', templateId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether an edition of this report has this id. */
export const hasEdition = async (
  db: Database,
  organizationId: string,
  reportId: string,
  editionId: string,
): Promise<boolean> => {
  const row = await db
    .selectFrom('report_editions')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('report_id', '=', reportId)
    .where('id', '=', editionId)
    .executeTakeFirst()
  return row !== undefined
}
