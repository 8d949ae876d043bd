import { createRoute } from '@tanstack/react-router'
import { engagement, organization } from '../../shell/routing/parents.ts'
import { coverageSearch, taskSearch } from './list/task-search.ts'

export const tasksOfEngagement = createRoute({
  getParentRoute: () => engagement,
  path: '/tasks',
  validateSearch: taskSearch,
})

export const coverage = createRoute({
  getParentRoute: () => engagement,
  path: '/coverage',
  validateSearch: coverageSearch,
})

export const myTasks = createRoute({
  getParentRoute: () => organization,
  path: '/tasks',
  validateSearch: taskSearch,
})

/** Opens in a panel over the tasks of the engagement, or as a page of its own with `full`. */
export const taskOfEngagement = createRoute({
  getParentRoute: () => tasksOfEngagement,
  path: '/$taskId',
})

export const task = createRoute({
  getParentRoute: () => organization,
  path: '/tasks/$taskId',
})
