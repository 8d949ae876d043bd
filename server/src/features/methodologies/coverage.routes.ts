import * as contract from '@sortie/contract/coverage.ts'
import { type Route, route } from '../../platform/http/context.ts'
import { coverageCsv, readCoverage } from './coverage.ts'
import { expandMethodology } from './expand.service.ts'

export const coverageRoutes: Route[] = [
  route(contract.getCoverage, async ({ db, actor, params, query }) => {
    const matrix = await readCoverage(db, actor, params.engagementId, query.methodologyId)
    return query.format === 'csv' ? coverageCsv(matrix) : { data: matrix }
  }),

  route(contract.expandMethodology, async (context) => ({
    data: await expandMethodology(context, context.actor, context.params.methodologyId, context.body),
  })),
]
