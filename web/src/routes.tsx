import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { routesAt } from './feature.ts'
import { FEATURES } from './features.ts'
import { PageSkeleton } from './shell/reads/skeletons.tsx'
import { lazyPage } from './shell/routing/lazy-page.ts'
import { ErrorPage, NotFoundPage } from './shell/routing/pages.tsx'
import {
  account,
  admins,
  engagement,
  instance,
  organization,
  readers,
  root,
  signedIn,
} from './shell/routing/parents.ts'
import {
  accountHome,
  confirmBrowser,
  home,
  instanceHome,
  organizationHome,
  settingsHome,
  signIn,
  signInCallback,
} from './shell/routing/routes.ts'

const tree = root.addChildren([
  lazyPage(signIn, () => import('./shell/sign-in/SignInPage.tsx'), 'SignInPage'),
  lazyPage(signInCallback, () => import('./shell/sign-in/CallbackPage.tsx'), 'CallbackPage'),
  lazyPage(confirmBrowser, () => import('./shell/sign-in/ConfirmBrowserPage.tsx'), 'ConfirmBrowserPage'),
  ...routesAt(FEATURES, 'root'),
  lazyPage(signedIn, () => import('./shell/layout/SignedInLayout.tsx'), 'SignedInLayout').addChildren([
    lazyPage(home, () => import('./shell/routing/HomePage.tsx'), 'HomePage'),
    ...routesAt(FEATURES, 'signedIn'),
    lazyPage(organization, () => import('./shell/layout/OrganizationLayout.tsx'), 'OrganizationLayout').addChildren([
      organizationHome,
      settingsHome,
      ...routesAt(FEATURES, 'organization'),
      lazyPage(admins, () => import('./shell/routing/guards.tsx'), 'AdminsOnly').addChildren(
        routesAt(FEATURES, 'admins'),
      ),
      lazyPage(readers, () => import('./shell/routing/guards.tsx'), 'EngagementReadersOnly').addChildren([
        ...routesAt(FEATURES, 'readers'),
        lazyPage(
          engagement,
          () => import('./features/engagements/workspace/EngagementLayout.tsx'),
          'EngagementLayout',
        ).addChildren(routesAt(FEATURES, 'engagement')),
      ]),
    ]),
    lazyPage(account, () => import('./features/account/AccountLayout.tsx'), 'AccountLayout').addChildren([
      accountHome,
      ...routesAt(FEATURES, 'account'),
    ]),
    lazyPage(instance, () => import('./features/instance/InstanceLayout.tsx'), 'InstanceLayout').addChildren([
      instanceHome,
      ...routesAt(FEATURES, 'instance'),
    ]),
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
