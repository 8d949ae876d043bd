import * as bulk from '@sortie/contract/inventory/target-bulk.ts'
import * as contract from '@sortie/contract/inventory/targets.ts'
import type { Static } from 'typebox'
import { notFound } from '../../platform/errors.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { readAsAsked } from '../../platform/lists/trash.ts'
import { listDefinitions } from '../custom-fields/field-definitions.queries.ts'
import { summed } from '../scope/bulk/line-outcomes.ts'
import { criticalityOf, targetExport, targetList } from './lists/target-lists.queries.ts'
import { exportTargets } from './lists/targets-export.ts'
import { toListedTargets, toTarget } from './target-rows.ts'
import { createTargets, bulkDeleteTargets, bulkUpdateTargets } from './targets-bulk.service.ts'
import { type FormerTarget, findTarget } from './targets.queries.ts'
import { createTarget, deleteTarget, updateTarget } from './targets.service.ts'
import { type ReevaluateResults, restoreTargets, revertTargets } from './undo/undo.service.ts'

/** Read and written in a few milliseconds: other requests run in between. */
const EXPORTED_AT_ONCE = 500

type Page = Awaited<ReturnType<typeof targetExport.page>>

/** @param reevaluateResults evaluates results again that a restored target gets back */
export const targetRoutes = (reevaluateResults: ReevaluateResults): Route[] => [
  route(contract.createTarget, async (context) => ({
    data: toTarget(await createTarget(context, context.actor, context.body)),
  })),

  route(contract.listTargets, async (context) => {
    const { rows, meta } = await readAsAsked(context, context.query.trashed, (asked) =>
      targetList.page(asked, context.query),
    )
    return { data: await toListedTargets(context.db, context.actor.organizationId, rows), meta }
  }),

  route(contract.countTargets, async (context) => ({
    data: await readAsAsked(context, context.query.trashed, (asked) => targetList.facets(asked, context.query)),
  })),

  route(contract.exportTargets, async (context) => {
    const { format, ...filters } = context.query
    const read = (cursor: string | null): Promise<Page> =>
      targetExport.page(context, { ...filters, perPage: EXPORTED_AT_ONCE, ...(cursor !== null && { cursor }) })
    const first = await read(null)
    const fields = await listDefinitions(context.db, context.actor.organizationId, 'target')
    const keys = fields.map(({ key }) => key)
    return exportTargets(format, first.rows.map(toTarget), restOf(first, read), keys)
  }),

  route(contract.getTarget, async ({ db, actor, params }) => {
    const row = await findTarget(db, actor.organizationId, params.targetId)
    if (!row) throw notFound()
    return { data: toTarget(row) }
  }),

  route(contract.updateTarget, async (context) => {
    const { actor, params, body } = context
    return { data: toTarget(await updateTarget(context, actor, params.targetId, body)) }
  }),

  route(contract.deleteTarget, async (context) => {
    const { actor, params } = context
    await deleteTarget(context, actor, params.targetId)
    return { data: { deleted: true, id: params.targetId } }
  }),

  route(contract.createTargets, async (context) => {
    const outcomes = await createTargets(context, context.actor, context.body)
    return { data: summed(outcomes.map(({ id, ...line }) => ({ ...line, targetId: id }))) }
  }),

  route(bulk.bulkUpdateTargets, async (context) => {
    const { updated, changed } = await bulkUpdateTargets(context, context.actor, context.body)
    return { data: { updated, ...(context.body.withUndo && { undo: changed.map(toUndo) }) } }
  }),

  route(bulk.bulkDeleteTargets, async (context) => {
    const { withUndo, ...selection } = context.body
    const ids = await bulkDeleteTargets(context, context.actor, selection)
    return { data: { deleted: ids.length, ...(withUndo && { ids }) } }
  }),

  route(bulk.revertTargets, async (context) => ({
    data: await revertTargets(context, context.actor, context.body.items),
  })),

  route(bulk.restoreTargets, async (context) => ({
    data: await restoreTargets(context, context.actor, reevaluateResults, context.body),
  })),
]

const toUndo = ({ id, updated_at, tags, criticality }: FormerTarget): Static<typeof bulk.TargetUndo> => ({
  id,
  ifUpdatedAt: updated_at,
  set: { tags, criticality: criticalityOf(criticality) },
})

async function* restOf(
  first: Page,
  read: (cursor: string | null) => Promise<Page>,
): AsyncGenerator<Static<typeof contract.Target>[]> {
  for (let page = first; page.meta.nextCursor !== null;) {
    page = await read(page.meta.nextCursor)
    yield page.rows.map(toTarget)
  }
}
