import { createRoute } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { root } from '../../shell/routing/parents.ts'

const page = createRoute({
  getParentRoute: () => root,
  path: '/password-reset',
  component: lazyPage(() => import('./PasswordResetPage.tsx'), 'PasswordResetPage'),
})

export const passwordReset = feature({ routes: { root: [page] } })
