import * as contract from '@sortie/contract/findings/affected.ts'
import { notFound } from '../../../platform/errors.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import { findEngagementOfFinding } from '../findings.queries.ts'
import { toAffected } from '../show-findings.ts'
import { affectedList } from './affected.queries.ts'
import { addAffected, bulkUpdateAffected, deleteAffected, updateAffected } from './affected.service.ts'

export const affectedRoutes: Route[] = [
  route(contract.listAffected, async (context) => {
    const { db, actor, params, query } = context
    const { rows, meta } = await affectedList.page(context, { ...query, findingId: params.findingId })
    if (!(await findEngagementOfFinding(db, actor.organizationId, params.findingId))) throw notFound()
    return { data: rows.map(toAffected), meta }
  }),

  route(contract.addAffected, async (context) => ({
    data: await addAffected(context, context.actor, context.params.findingId, context.body),
  })),

  route(contract.updateAffected, async (context) => ({
    data: toAffected(await updateAffected(context, context.actor, context.params.affectedId, context.body)),
  })),

  route(contract.deleteAffected, async (context) => {
    await deleteAffected(context, context.actor, context.params.affectedId)
    return { data: { deleted: true, id: context.params.affectedId } }
  }),

  route(contract.bulkUpdateAffected, async (context) => ({
    data: { updated: await bulkUpdateAffected(context, context.actor, context.body) },
  })),
]
