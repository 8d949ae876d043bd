import type { SEARCH_TYPES } from '@sortie/contract/search.ts'

type SearchType = (typeof SEARCH_TYPES)[number]

export const PLURALS: Readonly<Record<SearchType, string>> = {
  engagement: 'Engagements',
  page: 'Wiki pages',
  target: 'Targets',
  task: 'Tasks',
  result: 'Results',
  request: 'Requests',
}

export const SINGULARS: Readonly<Record<SearchType, string>> = {
  engagement: 'Engagement',
  page: 'Wiki page',
  target: 'Target',
  task: 'Task',
  result: 'Result',
  request: 'Request',
}
