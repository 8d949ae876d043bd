import { internalError, notFound } from '../../../platform/errors.ts'
import { findFinding } from '../../findings/findings.queries.ts'
import { findReportSettings } from '../../findings/review/report-settings.queries.ts'
import { findTemplate } from '../../report-templates/find-template.ts'
import type { ReportRow } from '../reports.queries.ts'
import type { SectionRow } from '../sections/sections.queries.ts'
import { compose, type ComposedReport } from './build-report.ts'
import { type ReportReader, readSourceOf } from './read-source.ts'
import { findFrame } from './source.queries.ts'

/**
 * The document of one finding: a draft report with the default template that has only this finding. The caller has
 * checked that whoever asks sees it.
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
  const { engagement_id, title, created_at, updated_at } = finding
  const frame = await findFrame(db, organizationId, engagement_id)
  const template = await findTemplate(db, organizationId, { clientId: frame?.client_id ?? null, kind: 'final' })
  if (!template) throw internalError(new Error('every kind of report has a template'))
  const report: ReportRow = {
    id: `rpt_${findingId.slice('fnd_'.length)}`,
    engagement_id,
    title,
    kind: 'final',
    language: frame?.client_language ?? (await findReportSettings(db, organizationId)).language,
    template_id: template.id,
    template_version: template.version,
    state: 'draft',
    finding_filter: { ids: [findingId] },
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
    created_at,
    updated_at,
  }
  const section: SectionRow = {
    id: `sec_${findingId.slice('fnd_'.length)}`,
    engagement_id,
    report_id: report.id,
    key: 'findings',
    title: '',
    body: '',
    live_type: 'findings',
    live_options: {},
    hidden: false,
    revision: 1,
    position: 'a0',
    updated_at,
  }
  const source = await readSourceOf(reader, organizationId, report, [section])
  return { ...compose(source, {}), source }
}
