import { type Feature, job } from '../../platform/feature.ts'
import { copyRest } from './clone/clone.job.ts'
import { engagementRoutes } from './engagements.routes.ts'
import type { EngagementPart } from './parts.ts'
import { removalRoutes } from './removal/removal.routes.ts'
import { removeEngagement } from './removal/removal.service.ts'
import { purgeOldTrash, purgeOldTrashJob } from './removal/trash.service.ts'
import { engagementSearch } from './search/search-engagements.ts'

/** @param parts one for each feature whose objects belong to engagements */
export const engagements = (parts: readonly EngagementPart[]): Feature => {
  const later = copyRest(parts)
  return {
    name: 'engagements',
    routes: () => [...engagementRoutes(parts, later), ...removalRoutes(parts)],
    jobs: [job(purgeOldTrashJob, purgeOldTrash, '47 * * * *')],
    longRunningJobs: [removeEngagement, later],
    search: engagementSearch,
  }
}
