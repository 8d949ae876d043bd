import * as contract from '@sortie/contract/core/views.ts'
import { notFound } from '../../platform/errors.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { findEngagement } from '../engagements/engagements.queries.ts'
import { listViews } from './views.queries.ts'
import { createView, deleteView, toView, updateView } from './views.service.ts'

export const viewRoutes: Route[] = [
  route(contract.listViews, async ({ db, actor, query: { list, engagementId = null } }) => {
    if (engagementId !== null && !(await findEngagement(db, actor.organizationId, engagementId))) throw notFound()
    return { data: (await listViews(db, actor.organizationId, actor.id, list, engagementId)).map(toView) }
  }),

  route(contract.createView, async (context) => ({
    data: toView(await createView(context, context.actor, context.body)),
  })),

  route(contract.updateView, async (context) => ({
    data: toView(await updateView(context, context.actor, context.params.viewId, context.body)),
  })),

  route(contract.deleteView, async (context) => {
    await deleteView(context, context.actor, context.params.viewId)
    return { data: { deleted: true, id: context.params.viewId } }
  }),
]
