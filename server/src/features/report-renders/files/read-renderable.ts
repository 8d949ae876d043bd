import type { Platform } from '../../../platform/context.ts'
import { internalError } from '../../../platform/errors.ts'
import type { ReportDocument, WriterProblem } from '../../report-templates/report-document.ts'
import type { TemplateVersion } from '../../report-templates/template-version.ts'
import { composeReport } from '../../reports/document/build-report.ts'
import { composeFinding } from '../../reports/document/compose-unstored.ts'
import type { ComposedReport } from '../../reports/document/compose/compose-source.ts'
import type { ReportReader } from '../../reports/document/read-source.ts'
import { findEditionData } from '../editions/editions.queries.ts'

/** A report, or one finding, with everything that its files are written from. */
export interface Renderable {
  document: ReportDocument
  template: TemplateVersion
  /** Of the template, or of the organization. */
  fileNamePattern: string
  /** Only findings: no cover, no contents. */
  isExtract: boolean
  problems: WriterProblem[]
}

interface Wanted {
  report_id: string | null
  finding_id: string | null
}

/** Number and day (YYYY-MM-DD) of an edition that is made. */
export interface OfEdition {
  edition: number
  date: string
}

/** Reads reports together with what their earlier editions showed. */
export const readerOf = ({
  config,
  clock,
  scopedTo,
  storage,
}: Pick<Platform, 'config' | 'clock' | 'scopedTo' | 'storage'>): ReportReader => ({
  config,
  clock,
  scopedTo,
  storage,
  findEditionData,
})

/**
 * @param ofEdition without it, the draft as it is now
 * @throws ApiError NOT_FOUND if it was deleted
 */
export const readRenderable = async (
  platform: Pick<Platform, 'config' | 'clock' | 'scopedTo' | 'storage'>,
  organizationId: string,
  { report_id: reportId, finding_id: findingId }: Wanted,
  ofEdition?: OfEdition,
): Promise<Renderable> => {
  const reader = readerOf(platform)
  if (findingId !== null) return toRenderable(await composeFinding(reader, organizationId, findingId), true)
  if (reportId === null) throw internalError(new Error('a render is of a report or of a finding'))
  return toRenderable(await composeReport(reader, organizationId, reportId, ofEdition), false)
}

const toRenderable = ({ document, problems, source }: ComposedReport, isExtract: boolean): Renderable => ({
  document,
  problems,
  isExtract,
  template: source.template,
  fileNamePattern: source.template.settings.fileNamePattern ?? source.settings.fileNamePattern,
})
