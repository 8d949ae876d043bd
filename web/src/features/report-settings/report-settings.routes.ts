import { createRoute } from '@tanstack/react-router'
import { admins } from '../../shell/routing/parents.ts'

export const settingsPage = createRoute({
  getParentRoute: () => admins,
  path: '/settings/reports',
})
