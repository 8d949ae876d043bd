import { createRoute } from '@tanstack/react-router'
import { admins, instance } from '../../shell/routing/parents.ts'

export const settingsPage = createRoute({
  getParentRoute: () => admins,
  path: '/settings/code-hosting',
})

export const instancePage = createRoute({
  getParentRoute: () => instance,
  path: '/code-hosting',
})
