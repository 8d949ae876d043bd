import * as reading from '@sortie/contract/reports/report-reading.ts'
import * as contract from '@sortie/contract/reports/reports.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import type { SectionTexts } from '../../platform/text-merge/section-texts.ts'
import { checkReport } from './checks/check-report.ts'
import { waiveReportProblem } from './checks/waive.service.ts'
import { createReport, deleteReport } from './create-report.service.ts'
import { buildReport } from './document/build-report.ts'
import type { ReportReader } from './document/read-source.ts'
import { requireReport } from './report-locks.service.ts'
import { reportList } from './reports.queries.ts'
import { listSections } from './sections/sections.queries.ts'
import * as sections from './sections/sections.service.ts'
import { toReport, toReportSummary, toSection } from './show-reports.ts'
import { updateReport } from './update-report.service.ts'
import { writeHtml } from './writers/html.ts'

/** @param editions reads what earlier editions showed */
export const reportRoutes = (texts: SectionTexts, editions: Pick<ReportReader, 'findEditionData'>): Route[] => [
  route(contract.createReport, async (context) => {
    const { db, actor, body } = context
    const report = await createReport(context, actor, body)
    return { data: toReport(report, await listSections(db, actor.organizationId, report.id)) }
  }),

  route(contract.listReports, async (context) => {
    const { rows, meta } = await reportList.page(context, context.query)
    return { data: rows.map(toReportSummary), meta }
  }),

  route(contract.getReport, async ({ db, actor, params }) => {
    const report = await requireReport(db, actor.organizationId, params.reportId)
    return { data: toReport(report, await listSections(db, actor.organizationId, report.id)) }
  }),

  route(contract.updateReport, async (context) => {
    const { db, actor, params, body } = context
    const { report, returnedToReview } = await updateReport(
      { ...context, ...editions },
      texts.inTurn,
      actor,
      params.reportId,
      body,
    )
    return {
      data: toReport(report, await listSections(db, actor.organizationId, report.id)),
      meta: { returnedToReview },
    }
  }),

  route(contract.deleteReport, async (context) => {
    await deleteReport(context, context.actor, context.params.reportId)
    return { data: { deleted: true, id: context.params.reportId } }
  }),

  route(contract.createReportSection, async (context) => {
    const { actor, params, body } = context
    return { data: toSection(await sections.createReportSection(context, actor, params.reportId, body)) }
  }),

  route(contract.updateReportSection, async (context) => {
    const { actor, params, body } = context
    const { section, merged, returnedToReview } = await sections.updateReportSection(
      context,
      texts,
      actor,
      params.reportId,
      params.sectionId,
      body,
    )
    return { data: toSection(section), meta: { merged, returnedToReview } }
  }),

  route(contract.deleteReportSection, async (context) => {
    const { actor, params } = context
    await sections.deleteReportSection(context, actor, params.reportId, params.sectionId)
    return { data: { deleted: true, id: params.sectionId } }
  }),

  route(contract.moveReportSection, async (context) => {
    const { actor, params, body } = context
    return {
      data: toSection(await sections.moveReportSection(context, actor, params.reportId, params.sectionId, body)),
    }
  }),

  route(contract.checkReport, async (context) => {
    const { db, actor, params } = context
    await requireReport(db, actor.organizationId, params.reportId)
    return { data: await checkReport(context, actor.organizationId, params.reportId) }
  }),

  route(contract.waiveReportProblem, async (context) => ({
    data: await waiveReportProblem(context, context.actor, context.params.reportId, context.body),
  })),

  route(reading.previewReport, async (context) => {
    const { db, actor, params, query } = context
    await requireReport(db, actor.organizationId, params.reportId)
    const { document } = await buildReport({ ...context, ...editions }, actor.organizationId, params.reportId)
    return writeHtml(document, query.pictures)
  }),

  route(reading.getReportData, async (context) => {
    const { db, actor, params } = context
    await requireReport(db, actor.organizationId, params.reportId)
    const { document } = await buildReport({ ...context, ...editions }, actor.organizationId, params.reportId)
    return { data: document.data }
  }),
]
