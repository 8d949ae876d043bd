import { createRoute } from '@tanstack/react-router'
import { organization } from '../../shell/routing/parents.ts'

export const start = createRoute({
  getParentRoute: () => organization,
  path: '/home',
})
