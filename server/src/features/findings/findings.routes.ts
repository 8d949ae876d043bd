import * as undo from '@sortie/contract/findings/bulk/finding-undo.ts'
import * as contract from '@sortie/contract/findings/findings.ts'
import * as settings from '@sortie/contract/findings/report-settings.ts'
import { notFound } from '../../platform/errors.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import type { SectionTexts } from '../../platform/text-merge/section-texts.ts'
import { createFinding } from './create-finding.service.ts'
import { exportFindings } from './export/export-findings.ts'
import { findFinding, findingList } from './findings.queries.ts'
import { moveFinding } from './lifecycle/move.service.ts'
import { publishFinding, unpublishFinding } from './lifecycle/publish.service.ts'
import { deleteFinding, deleteFindingForever, restoreFinding } from './lifecycle/trash.service.ts'
import { findReportSettings } from './review/report-settings.queries.ts'
import { updateReportSettings } from './review/report-settings.service.ts'
import { toFinding, toFindingSummary } from './show-findings.ts'
import { toUndo } from './undo/former-values.ts'
import { revertFindings } from './undo/revert-findings.service.ts'
import { bulkUpdateFindings } from './update/bulk-update.service.ts'
import { updateFinding } from './update/update-finding.service.ts'

/** Leaves out what is in the trash, unless the filter asks for it. */
const withoutTrash = <Q extends { trashed?: boolean | undefined }>(query: Q) => ({
  ...query,
  trashed: query.trashed ?? false,
})

export const findingRoutes = (texts: SectionTexts): Route[] => [
  route(contract.createFinding, async (context) => ({
    data: toFinding(await createFinding(context, context.actor, context.body)),
  })),

  route(contract.listFindings, async (context) => {
    const { rows, meta } = await findingList.page(context, withoutTrash(context.query))
    return { data: rows.map(toFindingSummary), meta }
  }),

  route(contract.countFindings, async (context) => ({
    data: await findingList.facets(context, withoutTrash(context.query)),
  })),

  route(contract.exportFindings, (context) =>
    exportFindings(context, context.query.engagementId, context.query.format),
  ),

  route(contract.getFinding, async ({ db, actor, params }) => {
    const row = await findFinding(db, actor.organizationId, params.findingId)
    if (!row) throw notFound()
    return { data: toFinding(row) }
  }),

  route(contract.updateFinding, async (context) => {
    const { finding, merged, returnedToReview } = await updateFinding(
      context,
      texts,
      context.actor,
      context.params.findingId,
      context.body,
    )
    return { data: toFinding(finding), meta: { merged, returnedToReview } }
  }),

  route(contract.deleteFinding, async (context) => {
    const { actor, params, query } = context
    await (query.forever ? deleteFindingForever : deleteFinding)(context, actor, params.findingId)
    return { data: { deleted: true, id: params.findingId } }
  }),

  route(contract.restoreFinding, async (context) => ({
    data: toFinding(await restoreFinding(context, context.actor, context.params.findingId)),
  })),

  route(contract.moveFinding, async (context) => ({
    data: toFinding(await moveFinding(context, context.actor, context.params.findingId, context.body)),
  })),

  route(contract.publishFinding, async (context) => ({
    data: toFinding(await publishFinding(context, context.actor, context.params.findingId, context.body)),
  })),

  route(contract.unpublishFinding, async (context) => ({
    data: toFinding(await unpublishFinding(context, context.actor, context.params.findingId)),
  })),

  route(contract.bulkUpdateFindings, async (context) => {
    const { set, ids, filter, withUndo } = context.body
    const selection = { ...(ids && { ids }), ...(filter && { filter: withoutTrash(filter) }) }
    const { found, changed } = await bulkUpdateFindings(context, context.actor, selection, set)
    return { data: { updated: found, ...(withUndo && { undo: toUndo(changed) }) } }
  }),

  route(undo.revertFindings, async (context) => ({
    data: await revertFindings(context, context.actor, context.body.items),
  })),

  route(settings.getReportSettings, async ({ db, actor }) => ({
    data: await findReportSettings(db, actor.organizationId),
  })),

  route(settings.updateReportSettings, async (context) => ({
    data: await updateReportSettings(context, context.actor, context.body),
  })),
]
