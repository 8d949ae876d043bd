import * as contract from '@sortie/contract/tasks/coverage.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { coverageCsv, readCoverage } from './coverage.ts'
import { expandMethodology } from './expand.service.ts'
import { findMethodology } from './methodologies.queries.ts'

export const coverageRoutes: Route[] = [
  route(contract.getCoverage, async ({ db, actor, params, query }) => {
    const matrix = await readCoverage(db, actor, params.engagementId, query.methodologyId)
    if (query.format !== 'csv') return { data: matrix }
    const methodology = await findMethodology(db, actor.organizationId, query.methodologyId)
    return coverageCsv(matrix, methodology?.description ?? '')
  }),

  route(contract.expandMethodology, async (context) => {
    const { withUndo, ...expansion } = context.body
    const { ids, ...counts } = await expandMethodology(context, context.actor, context.params.methodologyId, expansion)
    return { data: { ...counts, ...(withUndo && { ids }) } }
  }),
]
