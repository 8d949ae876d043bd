import { type Feature, job } from '../../platform/feature.ts'
import type { TitleSources } from '../../platform/titles.ts'
import { issueDelivered } from '../code-hosting/code-hosting.service.ts'
import { commentRoutes } from './comments.routes.ts'
import { applyIssue } from './issues.service.ts'
import { taskFileRoutes } from './task-files.routes.ts'
import { taskTitles } from './task-titles.ts'
import { taskRoutes } from './tasks.routes.ts'

export const tasks: Feature<{ titleSources: TitleSources }> = {
  name: 'tasks',
  routes: ({ titleSources }) => [...taskRoutes(titleSources), ...commentRoutes, ...taskFileRoutes],
  jobs: [job(issueDelivered, applyIssue)],
  titles: taskTitles,
}
