import type { Feature } from '../../platform/feature.ts'
import { engagementRoutes } from './engagements.routes.ts'
import type { EngagementPart } from './parts.ts'
import { removeEngagement } from './removal.service.ts'
import { engagementSearch } from './search-engagements.ts'

/** @param parts of the features whose objects belong to engagements */
export const engagements = (parts: readonly EngagementPart[]): Feature => ({
  name: 'engagements',
  routes: () => engagementRoutes(parts),
  works: [removeEngagement],
  search: engagementSearch,
})
