import * as contract from '@sortie/contract/account/home.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import type { TitleSources } from '../../platform/text/titles.ts'
import { getFirstRun, updateFirstRun } from './first-run.service.ts'
import { getHome, recordVisit } from './home.service.ts'

/** @param sources the types of objects whose visits are kept */
export const homeRoutes = (sources: TitleSources): Route[] => [
  route(contract.getHome, async (context) => ({ data: await getHome(context, sources) })),

  route(contract.recordVisit, async (context) => {
    await recordVisit(context, context.actor, sources, context.body.objectId)
    return { data: { recorded: true } }
  }),

  route(contract.getFirstRun, async ({ db, config, actor }) => ({ data: await getFirstRun(db, config, actor) })),

  route(contract.updateFirstRun, async (context) => ({
    data: await updateFirstRun(context, context.actor, context.body),
  })),
]
