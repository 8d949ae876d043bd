import type { Feature } from '../../platform/feature.ts'
import { copyRest } from './clone/clone.job.ts'
import { engagementRoutes } from './engagements.routes.ts'
import type { EngagementPart } from './parts.ts'
import { removeEngagement } from './removal/removal.service.ts'
import { engagementSearch } from './search/search-engagements.ts'

/** @param parts one for each feature whose objects belong to engagements */
export const engagements = (parts: readonly EngagementPart[]): Feature => {
  const later = copyRest(parts)
  return {
    name: 'engagements',
    routes: () => engagementRoutes(parts, later),
    longRunningJobs: [removeEngagement, later],
    search: engagementSearch,
  }
}
