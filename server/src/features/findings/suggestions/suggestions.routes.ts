import * as contract from '@sortie/contract/findings/suggestions.ts'
import { type Route, route } from '../../../platform/http/routes/route.ts'
import { listFindingSuggestions, setDismissed } from './suggestions.service.ts'

export const suggestionRoutes: Route[] = [
  route(contract.listFindingSuggestions, async ({ db, actor, query }) => ({
    data: await listFindingSuggestions(db, actor, query.engagementId),
  })),

  route(contract.dismissFindingSuggestion, async (context) => {
    await setDismissed(context, context.actor, context.body, true)
    return { data: { ...context.body, dismissed: true } }
  }),

  route(contract.undismissFindingSuggestion, async (context) => {
    await setDismissed(context, context.actor, context.body, false)
    return { data: { ...context.body, dismissed: false } }
  }),
]
