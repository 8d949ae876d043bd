import type { Feature } from '../../platform/feature.ts'
import type { SearchPart } from '../../platform/search/part.ts'
import { searchRoutes } from './search.routes.ts'

export const search: Feature<{ searchParts: readonly SearchPart[] }> = {
  name: 'search',
  routes: ({ searchParts }) => searchRoutes(searchParts),
}
