import * as contract from '@sortie/contract/core/search.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import type { SearchPart } from '../../platform/search/part.ts'
import { createExcerpts } from './excerpts.ts'
import { search } from './search.service.ts'

/** @param parts searchable types: each feature provides its own */
export const searchRoutes = (parts: readonly SearchPart[]): Route[] => {
  const excerpts = createExcerpts()
  return [
    route(contract.search, async (context) => {
      const { q, engagementId, type } = context.query
      return { data: await search(context, parts, excerpts, { q, engagementId, types: type }) }
    }),
  ]
}
