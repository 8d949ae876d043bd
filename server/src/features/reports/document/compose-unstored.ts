import type { FindingFilterValue } from '@sortie/contract/reports/report-fields.ts'
import { generateNKeysBetween } from 'fractional-indexing'
import { internalError, notFound } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import { findFinding } from '../../findings/findings.queries.ts'
import { findReportSettings } from '../../findings/review/report-settings.queries.ts'
import { findTemplate, sectionsIn, type TemplateChoice } from '../../report-templates/find-template.ts'
import type { ReportRow } from '../reports.queries.ts'
import type { SectionRow } from '../sections/sections.queries.ts'
import type { ComposedReport } from './compose/compose-source.ts'
import { composeInThread } from './compose/compose-threads.ts'
import { type ReportReader, readSourceOf } from './read-source.ts'
import { findFrame, type FrameRow } from './source.queries.ts'

/**
 * The document of one finding: a draft with the default template that has only this finding. The caller has checked
 * that the reader sees it.
 *
 * @throws ApiError NOT_FOUND, also for one in the trash
 */
export const composeFinding = async (
  reader: ReportReader,
  organizationId: string,
  findingId: string,
): Promise<ComposedReport> => {
  const db = reader.scopedTo(organizationId)
  const finding = await findFinding(db, organizationId, findingId)
  if (!finding || finding.trashed_at !== null) throw notFound()
  const frame = await requireFrame(reader, organizationId, finding.engagement_id)
  const template = await findTemplate(db, organizationId, { clientId: frame.client_id, kind: 'final' })
  if (!template) throw internalError(new Error('every kind of report has a template'))
  const report = await unstored(reader, organizationId, frame, template, {
    id: `rpt_${findingId.slice('fnd_'.length)}`,
    engagementId: finding.engagement_id,
    title: finding.title,
    filter: { ids: [findingId] },
    updatedAt: finding.updated_at,
  })
  const only = { key: 'findings', title: '', body: '', live: { type: 'findings' as const }, hidden: false }
  return composeUnstored(reader, organizationId, report, [only])
}

/**
 * The report that an engagement would have with a template, published or not. The caller has checked that the reader
 * sees the engagement.
 *
 * @throws ApiError NOT_FOUND
 */
export const composeEngagement = async (
  reader: ReportReader,
  organizationId: string,
  engagementId: string,
  template: TemplateChoice,
): Promise<ComposedReport> => {
  const frame = await requireFrame(reader, organizationId, engagementId)
  const now = reader.clock.now()
  const report = await unstored(reader, organizationId, frame, template, {
    id: newId('rpt', now),
    engagementId,
    title: frame.name,
    filter: {},
    updatedAt: new Date(now).toISOString(),
  })
  return composeUnstored(reader, organizationId, report, sectionsIn(template, report.language))
}

const requireFrame = async (reader: ReportReader, organizationId: string, engagementId: string): Promise<FrameRow> => {
  const frame = await findFrame(reader.scopedTo(organizationId), organizationId, engagementId)
  if (!frame) throw notFound()
  return frame
}

interface Unstored {
  id: string
  engagementId: string
  title: string
  filter: FindingFilterValue
  updatedAt: string
}

const unstored = async (
  reader: ReportReader,
  organizationId: string,
  frame: FrameRow,
  template: TemplateChoice,
  { id, engagementId, title, filter, updatedAt }: Unstored,
): Promise<ReportRow> => ({
  id,
  engagement_id: engagementId,
  title,
  kind: 'final',
  language:
    frame.client_language ?? (await findReportSettings(reader.scopedTo(organizationId), organizationId)).language,
  template_id: template.id,
  template_version: template.version,
  state: 'draft',
  finding_filter: filter,
  options: {},
  author_ids: [],
  authors: [],
  writers: [],
  approved_by: null,
  approved_at: null,
  approved_digest: null,
  approver_name: null,
  latest_edition: null,
  created_by: null,
  creator_name: null,
  created_at: updatedAt,
  updated_at: updatedAt,
})

const composeUnstored = async (
  reader: ReportReader,
  organizationId: string,
  report: ReportRow,
  sections: TemplateChoice['sections'][string],
): Promise<ComposedReport> => {
  const positions = generateNKeysBetween(null, null, sections.length)
  const rows = sections.map(({ key, title, body, live, hidden }, index): SectionRow => ({
    // That of a single section follows from the report: the same finding gives the same document.
    id: sections.length === 1 ? `sec_${report.id.slice('rpt_'.length)}` : newId('sec', reader.clock.now()),
    engagement_id: report.engagement_id,
    report_id: report.id,
    key,
    title,
    body,
    live_type: live?.type ?? null,
    live_options: live?.options ?? {},
    hidden,
    revision: 1,
    position: positions[index] ?? '',
    updated_at: report.updated_at,
  }))
  const source = await readSourceOf(
    reader,
    organizationId,
    report,
    rows.filter(({ hidden }) => !hidden),
  )
  return { ...(await composeInThread(source, {})), source }
}
