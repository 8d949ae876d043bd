import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { root } from '../../shell/parents.ts'

const page = createRoute({
  getParentRoute: () => root,
  path: '/password-reset',
  component: lazyRouteComponent(() => import('./PasswordResetPage.tsx'), 'PasswordResetPage'),
})

export const passwordReset = feature({ routes: { root: [page] } })
