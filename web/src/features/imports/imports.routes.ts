import { createRoute } from '@tanstack/react-router'
import { engagement, readers } from '../../shell/routing/parents.ts'
import { importsSearch } from './list/imports-search.ts'

export const list = createRoute({
  getParentRoute: () => engagement,
  path: '/imports',
  validateSearch: importsSearch,
})

export const one = createRoute({
  getParentRoute: () => readers,
  path: '/imports/$importId',
})
