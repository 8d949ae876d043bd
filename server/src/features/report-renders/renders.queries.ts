import * as contract from '@sortie/contract/reports/report-renders.ts'
import { type Insertable, type SqlBool, sql, type Updateable } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { ReportRenders } from '../../platform/database/types.gen.ts'
import { anyOf } from '../../platform/lists/filters.ts'
import { byId, listQuery } from '../../platform/lists/list.ts'
import type { WriterProblem } from '../report-templates/report-document.ts'

const selectRenders = (db: Database, organizationId: string) =>
  db
    .selectFrom('report_renders as r')
    .leftJoin('users as u', 'u.id', 'r.created_by')
    .select([
      'r.id',
      'r.engagement_id',
      'r.report_id',
      'r.finding_id',
      'r.format',
      'r.state',
      'r.pages',
      'r.file_id',
      'r.file_name',
      'r.sha256',
      'r.duration_ms',
      'r.work_id',
      'r.redactions',
      'r.created_by',
      'r.created_at',
      'u.name as creator_name',
    ])
    .select(({ ref }) => [
      ref('r.size').$castTo<number | null>().as('size'),
      ref('r.problems').$castTo<WriterProblem[]>().as('problems'),
    ])
    .where('r.organization_id', '=', organizationId)

export type RenderRow = NonNullable<Awaited<ReturnType<typeof findRender>>>

export const findRender = (db: Database, organizationId: string, id: string) =>
  selectRenders(db, organizationId).where('r.id', '=', id).executeTakeFirst()

/** Without files that may show what was redacted since: they are not given out. */
const selectGiven = (db: Database, organizationId: string) =>
  selectRenders(db, organizationId).where(
    sql<SqlBool>`(r.file_id is null or r.redactions >= (select count(*) from file_redactions f
      where f.organization_id = r.organization_id and f.engagement_id = r.engagement_id))`,
  )

export const renderList = listQuery(contract.renderList, {
  rows: selectGiven,
  id: 'r.id',
  engagementId: 'r.engagement_id',
  sorts: { createdAt: byId },
  filters: { reportId: anyOf('r.report_id'), format: anyOf('r.format') },
})

/** Reads a render and locks it for a change; lock its engagement first. */
export const lockRender = async (
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<RenderRow | undefined> => {
  await tx
    .selectFrom('report_renders')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .execute()
  return findRender(tx, organizationId, id)
}

/** Its file goes with it. */
export const deleteRender = async (tx: Transaction, organizationId: string, id: string): Promise<void> => {
  await tx.deleteFrom('report_renders').where('organization_id', '=', organizationId).where('id', '=', id).execute()
}

export const insertRender = async (tx: Transaction, row: Insertable<ReportRenders>): Promise<void> => {
  await tx.insertInto('report_renders').values(row).execute()
}

export const updateRender = async (
  tx: Transaction,
  organizationId: string,
  id: string,
  renderColumns: Updateable<ReportRenders>,
): Promise<void> => {
  await tx
    .updateTable('report_renders')
    .set(renderColumns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

/**
 * Those of every organization that were made before this time, and those that may show what was redacted since; their
 * files go with them.
 */
export const deleteRendersBefore = async (db: Database, before: string): Promise<void> => {
  await db.deleteFrom('report_renders').where('created_at', '<', before).execute()
  await sql`delete from report_renders r
    using (select organization_id, engagement_id, count(*) as redactions from file_redactions group by 1, 2) f
    where r.organization_id = f.organization_id and r.engagement_id = f.engagement_id
      and r.file_id is not null and r.redactions < f.redactions`.execute(db)
}

/** A finding that is not in the trash. */
export const findRenderable = (db: Database, organizationId: string, findingId: string) =>
  db
    .selectFrom('findings')
    .select(['id', 'engagement_id', 'title'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', findingId)
    .where('trashed_at', 'is', null)
    .executeTakeFirst()
