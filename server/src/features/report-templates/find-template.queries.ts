import type { TemplateSectionValue, TemplateSettingsValue } from '@sortie/contract/reports/report-templates.ts'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'

/** A file of a template, as its versions name it. */
export interface StoredFile {
  fileId: string
  fileName: string
  size: number
  sha256: string
}

export interface StoredFont extends StoredFile {
  family: string
}

export interface VersionRow {
  template_id: string
  version: number
  name: string
  settings: TemplateSettingsValue
  sections: Record<string, TemplateSectionValue[]>
  typst: Record<string, string>
  docx: StoredFile | null
  logo: StoredFile | null
  fonts: StoredFont[]
  published_at: string | null
}

/** Null: the built-in one for the kind of a report. */
export const findDefaultTemplateId = async (db: Database, organizationId: string): Promise<string | null> => {
  const row = await db
    .selectFrom('report_settings')
    .select('default_template_id')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return row?.default_template_id ?? null
}

/** The published version of a template that is of this client or of all; holds the template for the transaction. */
export const holdUsable = async (
  db: Database,
  organizationId: string,
  templateId: string,
  clientId: string | null,
): Promise<number | undefined> => {
  const row = await db
    .selectFrom('report_templates')
    .select('published_version')
    .where('organization_id', '=', organizationId)
    .where('id', '=', templateId)
    .where(sql<boolean>`(client_id is null or client_id = ${clientId})`)
    .forKeyShare()
    .executeTakeFirst()
  return row?.published_version ?? undefined
}

export const findVersion = (
  db: Database,
  organizationId: string,
  templateId: string,
  version: number,
): Promise<VersionRow | undefined> =>
  db
    .selectFrom('report_template_versions as v')
    .innerJoin('report_templates as t', (join) =>
      join.onRef('t.organization_id', '=', 'v.organization_id').onRef('t.id', '=', 'v.template_id'),
    )
    .select(['v.template_id', 'v.version', 't.name', 'v.published_at'])
    .select(({ ref }) => [
      ref('v.settings').$castTo<TemplateSettingsValue>().as('settings'),
      ref('v.sections').$castTo<VersionRow['sections']>().as('sections'),
      ref('v.typst').$castTo<VersionRow['typst']>().as('typst'),
      ref('v.docx').$castTo<StoredFile | null>().as('docx'),
      ref('v.logo').$castTo<StoredFile | null>().as('logo'),
      ref('v.fonts').$castTo<StoredFont[]>().as('fonts'),
    ])
    .where('v.organization_id', '=', organizationId)
    .where('v.template_id', '=', templateId)
    .where('v.version', '=', version)
    .executeTakeFirst()
