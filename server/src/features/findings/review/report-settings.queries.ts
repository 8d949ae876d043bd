import type { FindingSeverity } from '@sortie/contract/findings/finding-fields.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'

export interface ReportSettings {
  /** A finding must be approved by someone who wrote none of its text. */
  fourEyes: boolean
  language: string
  /** Null: the built-in one for the kind of a report. */
  defaultTemplateId: string | null
  severityNames: Partial<Record<FindingSeverity, string>>
  severityColors: Partial<Record<FindingSeverity, string>>
  fileNamePattern: string
  /** Words that the spelling check accepts. */
  words: string[]
}

const DEFAULTS: ReportSettings = {
  fourEyes: false,
  language: 'en',
  defaultTemplateId: null,
  severityNames: {},
  severityColors: {},
  fileNamePattern: '{client} {title} {version}',
  words: [],
}

export const findReportSettings = async (db: Database, organizationId: string): Promise<ReportSettings> => {
  const row = await db
    .selectFrom('report_settings')
    .select([
      'four_eyes as fourEyes',
      'language',
      'default_template_id as defaultTemplateId',
      'file_name_pattern as fileNamePattern',
      'words',
    ])
    .select(({ ref }) => [
      ref('severity_names').$castTo<ReportSettings['severityNames']>().as('severityNames'),
      ref('severity_colors').$castTo<ReportSettings['severityColors']>().as('severityColors'),
    ])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return row ?? DEFAULTS
}

export const upsertReportSettings = async (
  tx: Transaction,
  organizationId: string,
  settings: ReportSettings,
  now: string,
): Promise<void> => {
  const columns = {
    four_eyes: settings.fourEyes,
    language: settings.language,
    default_template_id: settings.defaultTemplateId,
    severity_names: JSON.stringify(settings.severityNames),
    severity_colors: JSON.stringify(settings.severityColors),
    file_name_pattern: settings.fileNamePattern,
    words: settings.words,
    updated_at: now,
  }
  await tx
    .insertInto('report_settings')
    .values({ organization_id: organizationId, ...columns })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(columns))
    .execute()
}

/** The built-in template becomes the default again. */
export const clearDefaultTemplate = async (
  tx: Transaction,
  organizationId: string,
  templateId: string,
): Promise<void> => {
  await tx
    .updateTable('report_settings')
    .set({ default_template_id: null })
    .where('organization_id', '=', organizationId)
    .where('default_template_id', '=', templateId)
    .execute()
}
