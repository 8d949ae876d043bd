import { EMPTY_OVERVIEW, type Overview } from '@sortie/contract/engagement/engagement-overview.ts'
import { job } from '../../platform/feature.ts'
import type { TitleSources } from '../../platform/text/titles.ts'
import { issueDelivered } from '../code-hosting/code-hosting.service.ts'
import type { ProductFeature } from '../engagements/parts.ts'
import { countByStatus } from './clone/clone-tasks.queries.ts'
import { cloneTasks } from './clone/clone-tasks.service.ts'
import { applyIssue } from './issues/issues.service.ts'
import { taskSearch } from './lists/search-tasks.queries.ts'
import { taskTitles } from './lists/task-titles.ts'
import { taskFileRoutes } from './task-files.routes.ts'
import { taskRoutes } from './tasks.routes.ts'
import { emptyTaskTrash } from './undo/trash.service.ts'

const { byStatus: NONE } = EMPTY_OVERVIEW.tasks as NonNullable<Overview['tasks']>

export const tasks: ProductFeature<{ titleSources: TitleSources }> = {
  name: 'tasks',
  routes: ({ titleSources }) => [...taskRoutes(titleSources), ...taskFileRoutes],
  jobs: [job(issueDelivered, applyIssue)],
  titles: taskTitles,
  search: taskSearch,
  cleanUp: emptyTaskTrash,
  engagementPart: {
    overview: {
      scope: 'tasks:read',
      count: async (db, organizationId, engagementId) => ({
        tasks: { byStatus: { ...NONE, ...(await countByStatus(db, organizationId, engagementId)) } },
      }),
    },
    clone: { part: 'tasks', copy: cloneTasks },
  },
}
