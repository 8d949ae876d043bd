import { createRoute } from '@tanstack/react-router'
import { organization } from '../../shell/routing/parents.ts'

export const settingsPage = createRoute({
  getParentRoute: () => organization,
  path: '/settings/general',
})
