import * as contract from '@sortie/contract/engagements.ts'
import { notFound } from '../../platform/errors.ts'
import { type Route, route } from '../../platform/http/context.ts'
import { type EngagementRow, findEngagement, listEngagements } from './engagements.queries.ts'
import { createEngagement, updateEngagement } from './engagements.service.ts'

export const engagementRoutes: Route[] = [
  route(contract.createEngagement, async ({ change, actor, clock, body }) => ({
    data: toEngagement(await createEngagement(change, actor, clock, { name: body.name, description: body.description ?? '' })),
  })),

  route(contract.listEngagements, async ({ db, actor, query }) => {
    const { page, perPage, status, sort, order } = query
    const { total, engagements } = await listEngagements(db, actor.organizationId, { status, sort, order, limit: perPage, offset: (page - 1) * perPage })
    return { data: engagements.map(toEngagement), meta: { total, page, perPage, totalPages: Math.ceil(total / perPage) } }
  }),

  route(contract.getEngagement, async ({ db, actor, params }) => {
    const engagement = await findEngagement(db, actor.organizationId, params.engagementId)
    if (!engagement) throw notFound()
    return { data: toEngagement(engagement) }
  }),

  route(contract.updateEngagement, async ({ change, actor, clock, params, body }) => {
    const { name, description, status, ifUpdatedAt } = body
    return { data: toEngagement(await updateEngagement(change, actor, clock, params.engagementId, { name, description, status, ifUpdatedAt })) }
  }),
]

const toEngagement = (row: EngagementRow) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  status: row.status as 'active' | 'completed' | 'archived',
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
