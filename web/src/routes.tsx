import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { routesAt } from './feature.ts'
import { FEATURES } from './features.ts'
import { PageSkeleton } from './shell/reads/skeletons.tsx'
import { ErrorPage, NotFoundPage } from './shell/routing/pages.tsx'
import { account, admins, engagement, instance, organization, readers, root, signedIn } from './shell/routing/parents.ts'
import { accountHome, confirmBrowser, home, instanceHome, organizationHome, settingsHome, signIn, signInCallback } from './shell/routing/routes.ts'

const tree = root.addChildren([
  signIn,
  signInCallback,
  confirmBrowser,
  ...routesAt(FEATURES, 'root'),
  signedIn.addChildren([
    home,
    organization.addChildren([
      organizationHome,
      settingsHome,
      ...routesAt(FEATURES, 'organization'),
      admins.addChildren(routesAt(FEATURES, 'admins')),
      readers.addChildren([...routesAt(FEATURES, 'readers'), engagement.addChildren(routesAt(FEATURES, 'engagement'))]),
    ]),
    account.addChildren([accountHome, ...routesAt(FEATURES, 'account')]),
    instance.addChildren([instanceHome, ...routesAt(FEATURES, 'instance')]),
  ]),
])

/** Preloads pages on hover, so that a click shows them immediately. */
export const createAppRouter = (queryClient: QueryClient) =>
  createRouter({
    routeTree: tree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    defaultPendingComponent: PageSkeleton,
    scrollRestoration: true,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
