import type { ReportTemplate, ReportTemplateSummary } from '@sortie/contract/reports/report-templates.ts'
import type { Static } from 'typebox'
import type { StoredFile } from './find-template.queries.ts'
import type { HeadRow } from './templates.queries.ts'
import type { WholeTemplate } from './templates.service.ts'

const toFile = ({ fileName, size, sha256 }: StoredFile) => ({ fileName, size, sha256 })

export const toSummary = (row: HeadRow): Static<typeof ReportTemplateSummary> => ({
  id: row.id,
  name: row.name,
  description: row.description,
  clientId: row.client_id,
  languages: row.languages,
  state: row.state,
  version: row.version,
  publishedVersion: row.published_version,
  builtIn: row.built_in,
  docx: row.docx && toFile(row.docx),
  createdBy: row.created_by === null ? null : { id: row.created_by, name: row.creator_name as string },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** Of an older version, with its number, its state and its files. */
export const toTemplate = ({ head, version }: WholeTemplate): Static<typeof ReportTemplate> => ({
  ...toSummary(head),
  version: version.version,
  state: version.published_at === null ? 'draft' : 'published',
  languages: Object.keys(version.sections).toSorted(),
  settings: version.settings,
  sections: version.sections,
  typst: version.typst,
  docx: version.docx && toFile(version.docx),
  logo: version.logo && toFile(version.logo),
  fonts: version.fonts.map(({ fileName, family, size }) => ({ fileName, family, size })),
})
