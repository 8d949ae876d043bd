import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconHome } from '../../ui/icons.tsx'
import { startPaths } from './home.paths.ts'
import { start } from './home.routes.ts'

export const home = feature({
  routes: { organization: [lazyPage(start, () => import('./StartPage.tsx'), 'StartPage')] },
  navigation: [
    {
      area: 'work',
      label: 'Home',
      to: ({ slug }) => startPaths.start(slug),
      icon: IconHome,
      key: 'H',
      keywords: 'start dashboard recent',
    },
  ],
  live: { any: ['getHome'] },
})
