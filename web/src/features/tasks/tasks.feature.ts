import { createRoute } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { engagement, organization } from '../../shell/routing/parents.ts'
import { IconChecklist, IconListCheck, IconTable } from '../../ui/icons.tsx'
import { coverageSearch, taskSearch } from './list/task-search.ts'
import { tasksPaths } from './tasks.paths.ts'

const tasksOfEngagement = createRoute({
  getParentRoute: () => engagement,
  path: '/tasks',
  validateSearch: taskSearch,
  component: lazyPage(() => import('./list/TasksPage.tsx'), 'TasksPage'),
})
const coverage = createRoute({
  getParentRoute: () => engagement,
  path: '/coverage',
  validateSearch: coverageSearch,
  component: lazyPage(() => import('./coverage/CoveragePage.tsx'), 'CoveragePage'),
})
const myTasks = createRoute({
  getParentRoute: () => organization,
  path: '/tasks',
  validateSearch: taskSearch,
  component: lazyPage(() => import('./list/MyTasksPage.tsx'), 'MyTasksPage'),
})
const task = createRoute({
  getParentRoute: () => organization,
  path: '/tasks/$taskId',
  component: lazyPage(() => import('./task/TaskPage.tsx'), 'TaskPage'),
})

export const tasks = feature({
  routes: { organization: [myTasks, task], engagement: [tasksOfEngagement, coverage] },
  navigation: [
    { area: 'work', label: 'My tasks', to: ({ slug }) => tasksPaths.myTasks(slug), icon: IconChecklist, keywords: 'todo assigned', key: 'M' },
    {
      area: 'engagement',
      group: 'work',
      label: 'Tasks',
      to: ({ slug, engagementId }) => tasksPaths.engagementTasks(slug, engagementId),
      icon: IconListCheck,
      keywords: 'board todo kanban',
      key: 'K',
      isOnBar: true,
    },
    {
      area: 'engagement',
      group: 'work',
      label: 'Coverage',
      to: ({ slug, engagementId }) => tasksPaths.engagementCoverage(slug, engagementId),
      icon: IconTable,
      keywords: 'methodology matrix checklist untested',
    },
  ],
  live: { task: ['listTasks', 'getTask', 'countTasks', 'getCoverage', 'listComments', 'listTaskHistory'] },
})
