import { createRoute } from '@tanstack/react-router'
import { engagement, readers } from '../../shell/routing/parents.ts'
import { diffSearch } from './diff/diff-search.ts'
import { resultsSearch } from './list/results-search.ts'

export const list = createRoute({
  getParentRoute: () => engagement,
  path: '/results',
  validateSearch: resultsSearch,
})

export const diff = createRoute({
  getParentRoute: () => engagement,
  path: '/results/diff',
  validateSearch: diffSearch,
})

export const one = createRoute({
  getParentRoute: () => readers,
  path: '/results/$resultId',
})
