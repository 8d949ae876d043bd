import type { ReportOptionsValue } from '@sortie/contract/reports/report-fields.ts'
import { type Insertable, type SqlBool, sql, type Updateable } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { ReportSections } from '../../../platform/database/types.gen.ts'

const COLUMNS = [
  'id',
  'engagement_id',
  'report_id',
  'key',
  'title',
  'body',
  'live_type',
  'hidden',
  'revision',
  'position',
  'updated_at',
] as const

const selectSections = (db: Database, organizationId: string) =>
  db
    .selectFrom('report_sections')
    .select(COLUMNS)
    .select(({ ref }) => ref('live_options').$castTo<ReportOptionsValue>().as('live_options'))
    .where('organization_id', '=', organizationId)

export type SectionRow = NonNullable<Awaited<ReturnType<typeof findSection>>>

/** The sections of a report, in their order. */
export const listSections = (db: Database, organizationId: string, reportId: string) =>
  selectSections(db, organizationId).where('report_id', '=', reportId).orderBy('position').orderBy('id').execute()

export const findSection = (db: Database, organizationId: string, reportId: string, sectionId: string) =>
  selectSections(db, organizationId).where('report_id', '=', reportId).where('id', '=', sectionId).executeTakeFirst()

/** Adds sections and the first revisions of their texts. */
export const insertSections = async (
  tx: Transaction,
  rows: readonly (Insertable<ReportSections> & { body: string })[],
): Promise<void> => {
  if (rows.length === 0) return
  await tx.insertInto('report_sections').values(rows).execute()
  await tx
    .insertInto('report_section_revisions')
    .values(
      rows.map(({ organization_id, engagement_id, id, body }) => ({
        organization_id,
        engagement_id,
        section_id: id,
        revision: 1,
        body,
      })),
    )
    .execute()
}

/** Changes a section of a report that the transaction has locked. */
export const updateSection = async (
  tx: Transaction,
  organizationId: string,
  sectionId: string,
  sectionColumns: Updateable<ReportSections>,
): Promise<void> => {
  await tx
    .updateTable('report_sections')
    .set(sectionColumns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', sectionId)
    .execute()
}

export const deleteSection = async (tx: Transaction, organizationId: string, sectionId: string): Promise<void> => {
  await tx
    .deleteFrom('report_sections')
    .where('organization_id', '=', organizationId)
    .where('id', '=', sectionId)
    .execute()
}

/** A text that others may still be editing from; undefined if it was replaced at or before `since`. */
export const findBase = (tx: Transaction, organizationId: string, sectionId: string, revision: number, since: string) =>
  tx
    .selectFrom('report_section_revisions')
    .select('body')
    .where('organization_id', '=', organizationId)
    .where('section_id', '=', sectionId)
    .where('revision', '=', revision)
    .where(sql<SqlBool>`coalesce(superseded_at, 'infinity') > ${since}`)
    .executeTakeFirst()

type Saved = Pick<SectionRow, 'id' | 'engagement_id' | 'revision'>

/** Ends the current revision of a text, and adds the next one. */
export const addRevision = async (
  tx: Transaction,
  section: Saved,
  organizationId: string,
  body: string,
  now: string,
): Promise<void> => {
  await tx
    .updateTable('report_section_revisions')
    .set({ superseded_at: now })
    .where('organization_id', '=', organizationId)
    .where('section_id', '=', section.id)
    .where('revision', '=', section.revision)
    .execute()
  await tx
    .insertInto('report_section_revisions')
    .values({
      organization_id: organizationId,
      engagement_id: section.engagement_id,
      section_id: section.id,
      revision: section.revision + 1,
      body,
    })
    .execute()
}

/**
 * Deletes texts that can no longer be the base of an edit.
 *
 * @returns how many, at most `limit`
 */
export const deleteRevisionsBefore = async (db: Database, moment: string, limit: number): Promise<number> => {
  const result = await sql`delete from report_section_revisions where (organization_id, section_id, revision) in (
    select organization_id, section_id, revision from report_section_revisions
    where superseded_at is not null and superseded_at < ${moment} limit ${limit})`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}
