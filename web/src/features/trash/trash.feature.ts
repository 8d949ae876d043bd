import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { trash as page } from './trash.routes.ts'

/** Its lists are reads of the lists themselves, which their features keep up to date. */
export const trash = feature({
  routes: { engagement: [lazyPage(page, () => import('./TrashPage.tsx'), 'TrashPage')] },
})
