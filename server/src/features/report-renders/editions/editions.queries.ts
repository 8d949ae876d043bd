import type { ReportDataValue } from '@sortie/contract/reports/report-data.ts'
import type { RenderFormat } from '@sortie/contract/reports/report-renders.ts'
import { type Insertable, sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { ReportEditionFiles, ReportEditions } from '../../../platform/database/types.gen.ts'

export interface EditionFile {
  format: RenderFormat
  fileId: string
  fileName: string
  size: number
  sha256: string
}

const selectEditions = (db: Database, organizationId: string) =>
  db
    .selectFrom('report_editions as e')
    .leftJoin('users as a', 'a.id', 'e.approved_by')
    .leftJoin('users as c', 'c.id', 'e.created_by')
    .select([
      'e.id',
      'e.report_id',
      'e.engagement_id',
      'e.number',
      'e.note',
      'e.template_id',
      'e.template_version',
      'e.compiler_version',
      'e.signed_by',
      'e.encrypted',
      'e.approved_by',
      'a.name as approver_name',
      'e.created_by',
      'c.name as creator_name',
      'e.created_at',
      sql<boolean>`exists (select from report_templates t where t.organization_id = e.organization_id and t.id = e.template_id)`.as(
        'has_template',
      ),
      sql<EditionFile[]>`(select coalesce(jsonb_agg(jsonb_build_object('format', f.format, 'fileId', f.file_id,
          'fileName', f.file_name, 'size', f.size, 'sha256', f.sha256) order by f.format), '[]')
        from report_edition_files f where f.organization_id = e.organization_id and f.edition_id = e.id)`.as('files'),
    ])
    .where('e.organization_id', '=', organizationId)

export type EditionRow = NonNullable<Awaited<ReturnType<typeof findEdition>>>

export const findEdition = (db: Database, organizationId: string, id: string) =>
  selectEditions(db, organizationId).where('e.id', '=', id).executeTakeFirst()

/** Latest first. */
export const listEditions = (db: Database, organizationId: string, reportId: string) =>
  selectEditions(db, organizationId).where('e.report_id', '=', reportId).orderBy('e.number', 'desc').execute()

/** The edition that has a file with this hash, among those that the caller sees; the latest one if several do. */
export const findEditionOfFile = (db: Database, organizationId: string, sha256: string) =>
  db
    .selectFrom('report_edition_files')
    .select(['edition_id', 'format'])
    .where('organization_id', '=', organizationId)
    .where('sha256', '=', sha256)
    .orderBy('edition_id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The frozen report-data of an edition of a report; of its latest one for null. */
export const findEditionData = async (
  db: Database,
  organizationId: string,
  reportId: string,
  editionId: string | null,
): Promise<ReportDataValue | undefined> => {
  const row = await db
    .selectFrom('report_editions')
    .select(({ ref }) => ref('data').$castTo<ReportDataValue>().as('data'))
    .where('organization_id', '=', organizationId)
    .where('report_id', '=', reportId)
    .$if(editionId !== null, (query) => query.where('id', '=', editionId))
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.data
}

export const insertEdition = async (
  tx: Transaction,
  edition: Insertable<ReportEditions>,
  files: readonly Insertable<ReportEditionFiles>[],
): Promise<void> => {
  await tx.insertInto('report_editions').values(edition).execute()
  await tx
    .insertInto('report_edition_files')
    .values([...files])
    .execute()
}

interface Delivery {
  organizationId: string
  engagementId: string
  reportId: string
  token: string
  now: string
}

/**
 * Begins a delivery, unless one is under way that began after `staleBefore`.
 *
 * @returns whether it has begun
 */
export const lockDelivery = async (
  tx: Transaction,
  { organizationId, engagementId, reportId, token, now }: Delivery,
  staleBefore: string,
): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('report_deliveries')
    .values({
      organization_id: organizationId,
      engagement_id: engagementId,
      report_id: reportId,
      token,
      started_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'report_id'])
        .doUpdateSet({ token, started_at: now })
        .where('report_deliveries.started_at', '<', staleBefore),
    )
    .executeTakeFirstOrThrow()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** @returns whether this delivery was still the one under way */
export const endDelivery = async (
  tx: Transaction,
  organizationId: string,
  reportId: string,
  token: string,
): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('report_deliveries')
    .where('organization_id', '=', organizationId)
    .where('report_id', '=', reportId)
    .where('token', '=', token)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
