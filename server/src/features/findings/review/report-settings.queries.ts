import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'

export interface ReportSettings {
  /** A finding must be approved by someone who wrote none of its text. */
  fourEyes: boolean
  language: string
}

export const findReportSettings = async (db: Database, organizationId: string): Promise<ReportSettings> => {
  const row = await db
    .selectFrom('report_settings')
    .select(['four_eyes', 'language'])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return { fourEyes: row?.four_eyes ?? false, language: row?.language ?? 'en' }
}

export const upsertReportSettings = async (
  tx: Transaction,
  organizationId: string,
  reportSettings: ReportSettings,
  now: string,
): Promise<void> => {
  const { fourEyes, language } = reportSettings
  const columns = { four_eyes: fourEyes, language, updated_at: now }
  await tx
    .insertInto('report_settings')
    .values({ organization_id: organizationId, ...columns })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(columns))
    .execute()
}
