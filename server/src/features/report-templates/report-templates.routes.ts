import * as contract from '@sortie/contract/reports/report-templates.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { type CheckTools, checkReportTemplate, requireNoErrors } from './check/check-template.service.ts'
import type { WordThreads } from './check/word-threads.ts'
import { toSummary, toTemplate } from './show-templates.ts'
import { templateList } from './templates.queries.ts'
import {
  copyReportTemplate,
  createReportTemplate,
  deleteReportTemplate,
  publishVersion,
  requireDraft,
  requireTemplate,
  type TemplateUses,
  updateReportTemplate,
} from './templates.service.ts'
import { uploadTemplateDocx, uploadTemplateFont, uploadTemplateLogo } from './uploads/template-files.service.ts'

/** What the features above know and do: reports and renders. */
export type TemplateTools = TemplateUses & CheckTools

export const reportTemplateRoutes = (tools: TemplateTools, threads: WordThreads): Route[] => [
  route(contract.createReportTemplate, async (context) => ({
    data: toTemplate(await createReportTemplate(context, context.actor, context.body)),
  })),

  route(contract.listReportTemplates, async (context) => {
    const { rows, meta } = await templateList.page(context, context.query)
    return { data: rows.map(toSummary), meta }
  }),

  route(contract.getReportTemplate, async ({ db, actor, params, query }) => ({
    data: toTemplate(await requireTemplate(db, actor.organizationId, params.templateId, query.version)),
  })),

  route(contract.updateReportTemplate, async (context) => ({
    data: toTemplate(await updateReportTemplate(context, context.actor, context.params.templateId, context.body)),
  })),

  route(contract.deleteReportTemplate, async (context) => {
    await deleteReportTemplate(context, context.actor, context.params.templateId, tools)
    return { data: { deleted: true, id: context.params.templateId } }
  }),

  route(contract.copyReportTemplate, async (context) => ({
    data: toTemplate(await copyReportTemplate(context, context.actor, context.params.templateId, context.body.name)),
  })),

  route(contract.checkReportTemplate, async (context) => {
    const { actor, params, body } = context
    return { data: await checkReportTemplate(context, actor, { tools, threads }, params.templateId, body.engagementId) }
  }),

  route(contract.publishReportTemplate, async (context) => {
    const { db, actor, params } = context
    const { head } = await requireTemplate(db, actor.organizationId, params.templateId)
    requireDraft(head)
    requireNoErrors(await checkReportTemplate(context, actor, { tools, threads }, params.templateId, undefined))
    return { data: toTemplate(await publishVersion(context, actor, params.templateId, { updatedAt: head.updated_at })) }
  }),

  route(contract.uploadTemplateDocx, async (context) => {
    const { actor, params, query, body } = context
    const upload = { templateId: params.templateId, fileName: query.fileName, body }
    return { data: toTemplate(await uploadTemplateDocx(context, actor, threads, upload)) }
  }),

  route(contract.uploadTemplateLogo, async (context) => {
    const { actor, params, query, body } = context
    const upload = { templateId: params.templateId, fileName: query.fileName, body }
    return { data: toTemplate(await uploadTemplateLogo(context, actor, upload)) }
  }),

  route(contract.uploadTemplateFont, async (context) => {
    const { actor, params, query, body } = context
    const upload = { templateId: params.templateId, fileName: query.fileName, body }
    return { data: toTemplate(await uploadTemplateFont(context, actor, upload)) }
  }),
]
