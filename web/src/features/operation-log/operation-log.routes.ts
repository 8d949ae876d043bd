import { createRoute } from '@tanstack/react-router'
import { engagement, organization } from '../../shell/routing/parents.ts'
import { operationsSearch } from './operations-search.ts'

export const list = createRoute({
  getParentRoute: () => engagement,
  path: '/operations',
  validateSearch: operationsSearch,
})

export const ofOrganization = createRoute({
  getParentRoute: () => organization,
  path: '/operations',
  validateSearch: operationsSearch,
})
