import * as contract from '@sortie/contract/inventory/results.ts'
import { notFound } from '../../../platform/errors.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import { toWholeResult } from '../../results/list/result-rows.ts'
import { findResult } from '../../results/results.queries.ts'
import { toResultExcerpt } from './result-excerpt.ts'

export const evidenceRoutes: Route[] = [
  route(contract.getResultExcerpt, async ({ db, actor, params }) => {
    const row = await findResult(db, actor.organizationId, params.resultId)
    if (!row) throw notFound()
    return { data: toResultExcerpt(toWholeResult(row)) }
  }),
]
