import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { page } from './password-reset.routes.ts'

export const passwordReset = feature({
  routes: { root: [lazyPage(page, () => import('./PasswordResetPage.tsx'), 'PasswordResetPage')] },
})
