import { createRoute } from '@tanstack/react-router'
import { root } from '../../shell/routing/parents.ts'

export const page = createRoute({
  getParentRoute: () => root,
  path: '/invitations/accept',
})
