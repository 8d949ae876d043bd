import * as contract from '@sortie/contract/requests/request-environments.ts'
import { notFound } from '../../../platform/errors.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import { environmentList, findEnvironment } from './environments.queries.ts'
import { createEnvironment, deleteEnvironment, toEnvironment, updateEnvironment } from './environments.service.ts'

export const environmentRoutes: Route[] = [
  route(contract.createEnvironment, async (context) => ({
    data: toEnvironment(await createEnvironment(context, context.actor, context.body)),
  })),

  route(contract.listEnvironments, async (context) => {
    const { rows, meta } = await environmentList.page(context, context.query)
    return { data: rows.map(toEnvironment), meta }
  }),

  route(contract.getEnvironment, async ({ db, actor, params }) => {
    const environment = await findEnvironment(db, actor.organizationId, params.environmentId)
    if (!environment) throw notFound()
    return { data: toEnvironment(environment) }
  }),

  route(contract.updateEnvironment, async (context) => ({
    data: toEnvironment(await updateEnvironment(context, context.actor, context.params.environmentId, context.body)),
  })),

  route(contract.deleteEnvironment, async (context) => {
    await deleteEnvironment(context, context.actor, context.params.environmentId)
    return { data: { deleted: true, id: context.params.environmentId } }
  }),
]
