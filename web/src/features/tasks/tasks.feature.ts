import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconChecklist, IconListCheck, IconTable } from '../../ui/icons.tsx'
import { tasksPaths } from './tasks.paths.ts'
import { coverage, myTasks, task, taskOfEngagement, tasksOfEngagement } from './tasks.routes.ts'

export const tasks = feature({
  routes: {
    organization: [
      lazyPage(myTasks, () => import('./list/MyTasksPage.tsx'), 'MyTasksPage'),
      lazyPage(task, () => import('./OpenTask.tsx'), 'OpenTask'),
    ],
    engagement: [
      lazyPage(tasksOfEngagement, () => import('./list/TasksPage.tsx'), 'TasksPage').addChildren([
        lazyPage(taskOfEngagement, () => import('./task/page/TaskOfEngagement.tsx'), 'TaskOfEngagement'),
      ]),
      lazyPage(coverage, () => import('./coverage/CoveragePage.tsx'), 'CoveragePage'),
    ],
  },
  navigation: [
    {
      area: 'work',
      label: 'My tasks',
      to: ({ slug }) => tasksPaths.myTasks(slug),
      icon: IconChecklist,
      keywords: 'todo assigned',
      key: 'M',
    },
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
  live: {
    task: ['listTasks', 'getTask', 'countTasks', 'getCoverage', 'listComments', 'listTaskHistory'],
    file: ['listTaskFiles'],
  },
})
