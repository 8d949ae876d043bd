import * as contract from '@sortie/contract/inventory/target-overview.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import type { TitleSources } from '../../platform/text/titles.ts'
import { getTargetOverview } from './target-page.service.ts'

/** @param sources the types of objects that tasks can link to */
export const targetPageRoutes = (sources: TitleSources): Route[] => [
  route(contract.getTargetOverview, async (context) => ({
    data: await getTargetOverview(context, sources, context.params.targetId, context.query.perPart),
  })),
]
