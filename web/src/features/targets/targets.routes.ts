import { createRoute } from '@tanstack/react-router'
import { engagement, readers } from '../../shell/routing/parents.ts'
import { targetsSearch } from './list/targets-search.ts'

export const list = createRoute({
  getParentRoute: () => engagement,
  path: '/targets',
  validateSearch: targetsSearch,
})

export const page = createRoute({
  getParentRoute: () => engagement,
  path: '/targets/$targetId',
})

export const one = createRoute({
  getParentRoute: () => readers,
  path: '/targets/$targetId',
})
