import { createRoute } from '@tanstack/react-router'
import { admins, instance } from '../../shell/routing/parents.ts'

export const settingsPage = createRoute({
  getParentRoute: () => admins,
  path: '/settings/billing',
})

export const instancePage = createRoute({
  getParentRoute: () => instance,
  path: '/billing',
})
