import type { Report, ReportSection, ReportSummary } from '@sortie/contract/reports/report-fields.ts'
import type { Static } from 'typebox'
import type { ReportRow } from './reports.queries.ts'
import type { SectionRow } from './sections/sections.queries.ts'

export const toReportSummary = (row: ReportRow): Static<typeof ReportSummary> => ({
  id: row.id,
  engagementId: row.engagement_id,
  title: row.title,
  kind: row.kind,
  language: row.language,
  templateId: row.template_id,
  templateVersion: row.template_version,
  state: row.state,
  findingFilter: row.finding_filter,
  options: row.options,
  authors: row.authors,
  approvedBy: row.approved_by === null ? null : { id: row.approved_by, name: row.approver_name ?? '' },
  latestEdition: row.latest_edition,
  createdBy: row.created_by === null ? null : { id: row.created_by, name: row.creator_name ?? '' },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export const toSection = (row: SectionRow): Static<typeof ReportSection> => ({
  id: row.id,
  key: row.key,
  title: row.title,
  kind: row.live_type === null ? 'text' : 'live',
  body: row.body,
  live: row.live_type === null ? null : { type: row.live_type, options: row.live_options },
  hidden: row.hidden,
  revision: row.revision,
  position: row.position,
  updatedAt: row.updated_at,
})

export const toReport = (row: ReportRow, sections: readonly SectionRow[]): Static<typeof Report> => ({
  ...toReportSummary(row),
  sections: sections.map(toSection),
})
