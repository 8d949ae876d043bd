import * as contract from '@sortie/contract/findings/affected.ts'
import { notFound } from '../../../platform/errors.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import { findEngagementOfFinding } from '../findings.queries.ts'
import { toAffected } from '../show-findings.ts'
import { toUndo } from '../undo/former-values.ts'
import { affectedList } from './affected.queries.ts'
import { addAffected, bulkUpdateAffected, deleteAffected, updateAffected } from './affected.service.ts'

export const affectedRoutes: Route[] = [
  route(contract.listAffected, async (context) => {
    const { db, actor, params, query } = context
    const { rows, meta } = await affectedList.page(context, { ...query, findingId: params.findingId })
    if (!(await findEngagementOfFinding(db, actor.organizationId, params.findingId))) throw notFound()
    return { data: rows.map((row) => toAffected(row, actor)), meta }
  }),

  route(contract.addAffected, async (context) => {
    const { returnedToReview, ...data } = await addAffected(
      context,
      context.actor,
      context.params.findingId,
      context.body,
    )
    return { data, meta: { returnedToReview } }
  }),

  route(contract.updateAffected, async (context) => {
    const { actor, params, body } = context
    const { asset, returnedToReview } = await updateAffected(context, actor, params.affectedId, body)
    return { data: toAffected(asset, actor), meta: { returnedToReview } }
  }),

  route(contract.deleteAffected, async (context) => {
    const meta = await deleteAffected(context, context.actor, context.params.affectedId)
    return { data: { deleted: true, id: context.params.affectedId }, meta }
  }),

  route(contract.bulkUpdateAffected, async (context) => {
    const { found, changed } = await bulkUpdateAffected(context, context.actor, context.body)
    return { data: { updated: found, ...(context.body.withUndo && { undo: toUndo(changed) }) } }
  }),
]
