import { createRoute } from '@tanstack/react-router'
import { engagement } from '../../shell/routing/parents.ts'
import { scopeSearch } from './list/scope-search.ts'

export const page = createRoute({
  getParentRoute: () => engagement,
  path: '/scope',
  validateSearch: scopeSearch,
})
