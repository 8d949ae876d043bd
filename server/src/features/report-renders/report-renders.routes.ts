import * as contract from '@sortie/contract/reports/report-renders.ts'
import { MEDIA_TYPES } from '@sortie/contract/reports/report-renders.ts'
import type { Static } from 'typebox'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Outside } from '../../platform/concurrency/outside.ts'
import type { Writer } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { openStoredFile } from '../files/files.service.ts'
import { requireReport } from '../reports/report-locks.service.ts'
import { deliverReport } from './editions/deliver.service.ts'
import { listEditions } from './editions/editions.queries.ts'
import { compareEditions, findEditionOf, openEditionFile, requireEdition } from './editions/editions.service.ts'
import { toEdition } from './editions/show-edition.ts'
import { renderList, type RenderRow } from './renders.queries.ts'
import {
  awaitRender,
  deleteRender,
  requireCurrentPictures,
  requireRender,
  startRender,
  type Subject,
} from './renders.service.ts'

export const reportRenderRoutes: Route[] = [
  route(contract.renderReport, async (context) => {
    const { actor, params, body } = context
    return { data: await render(context, actor, { reportId: params.reportId }, body) }
  }),

  route(contract.renderFinding, async (context) => {
    const { actor, params, body } = context
    return { data: await render(context, actor, { findingId: params.findingId }, body) }
  }),

  route(contract.listReportRenders, async (context) => {
    const { db, actor, params, query } = context
    const { id: reportId, engagement_id: engagementId } = await requireReport(db, actor.organizationId, params.reportId)
    const { rows, meta } = await renderList.page(context, { ...query, engagementId, reportId })
    return { data: rows.map(toRender), meta }
  }),

  route(contract.getReportRender, async ({ db, actor, params }) => ({
    data: toRender(await requireRender(db, actor.organizationId, params.renderId)),
  })),

  route(contract.downloadReportRender, async (context) => {
    const { db, actor, params } = context
    const render = await requireRender(db, actor.organizationId, params.renderId)
    if (render.file_id === null || render.state !== 'succeeded') throw notFound()
    await requireCurrentPictures(db, actor.organizationId, render)
    const owner = { type: 'report_render', id: render.id } as const
    const { row, file } = await openStoredFile(context, actor.organizationId, owner, render.file_id)
    const { size, file_name: fileName } = row
    return { file, size, fileName, mediaType: MEDIA_TYPES[render.format], isInline: false }
  }),

  route(contract.deleteReportRender, async (context) => {
    await deleteRender(context, context.actor, context.params.renderId)
    return { data: { deleted: true, id: context.params.renderId } }
  }),

  route(contract.deliverReport, async (context) => ({
    data: toEdition(await deliverReport(context, context.actor, context.params.reportId, context.body)),
  })),

  route(contract.listReportEditions, async ({ db, actor, params }) => {
    await requireReport(db, actor.organizationId, params.reportId)
    return { data: (await listEditions(db, actor.organizationId, params.reportId)).map(toEdition) }
  }),

  route(contract.getReportEdition, async ({ db, actor, params }) => ({
    data: toEdition(await requireEdition(db, actor.organizationId, params.editionId)),
  })),

  route(contract.downloadReportEdition, async (context) => {
    const { actor, params } = context
    const { row, file } = await openEditionFile(context, actor, params.editionId, params.format)
    const { size, file_name: fileName } = row
    return { file, size, fileName, mediaType: MEDIA_TYPES[params.format], isInline: false }
  }),

  route(contract.compareReport, async (context) => {
    const { actor, params, query } = context
    return { data: await compareEditions(context, actor.organizationId, params.reportId, query) }
  }),

  route(contract.verifyEdition, async (context) => {
    const found = await findEditionOf(context, context.actor.organizationId, context.body)
    return { data: { edition: found ? toEdition(found.edition) : null, format: found?.format ?? null } }
  }),
]

const render = async (
  writer: Writer & { outside: Outside },
  actor: Actor,
  subject: Subject,
  { format, wait = 0 }: { format: contract.RenderFormat; wait?: number },
): Promise<Static<typeof contract.ReportRender>> => {
  const started = await startRender(writer, actor, subject, format)
  if (wait === 0) return toRender(started)
  return toRender(await writer.outside(() => awaitRender(writer.db, actor.organizationId, started, wait)))
}

const toRender = (row: RenderRow): Static<typeof contract.ReportRender> => ({
  id: row.id,
  reportId: row.report_id,
  findingId: row.finding_id,
  format: row.format,
  state: row.state,
  problems: row.problems,
  pages: row.pages,
  size: row.size,
  sha256: row.sha256,
  durationMs: row.duration_ms,
  createdBy:
    row.created_by === null || row.creator_name === null ? null : { id: row.created_by, name: row.creator_name },
  createdAt: row.created_at,
})
