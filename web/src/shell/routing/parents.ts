import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router'
import { isRefused } from '../../api/api.ts'
import { paths } from '../../paths.ts'
import { accountQuery, organizationsQuery } from '../context/session.tsx'
import { RootLayout } from '../layout/RootLayout.tsx'
import { ShellSkeleton } from '../reads/skeletons.tsx'
import { signInModeQuery } from '../sign-in/mode.ts'
import { prefetchEngagement } from './engagement-reads.ts'
import { NotFoundPage } from './pages.tsx'

/** Every page. */
export const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: RootLayout,
  notFoundComponent: NotFoundPage,
})

/** Pages for signed-in users. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  pendingComponent: ShellSkeleton,
  beforeLoad: async ({ context: { queryClient }, location }) => {
    try {
      await Promise.all([
        queryClient.ensureQueryData(accountQuery()),
        queryClient.ensureQueryData(organizationsQuery()),
        queryClient.ensureQueryData(signInModeQuery()),
      ])
    } catch (error) {
      if (!isRefused(error, 'UNAUTHORIZED')) throw error
      throw redirect({ to: '/sign-in', search: location.href === paths.home() ? {} : { next: location.href } })
    }
  },
})

/** Pages of an organization, for all members. */
export const organization = createRoute({
  getParentRoute: () => signedIn,
  path: '/o/$slug',
  pendingComponent: ShellSkeleton,
})

/** Pages of an organization, for its owner and admins. */
export const admins = createRoute({
  getParentRoute: () => organization,
  id: 'admins',
})

/** Engagement pages, for users who may read engagements. */
export const readers = createRoute({
  getParentRoute: () => organization,
  id: 'engagement-readers',
})

/** Pages inside one engagement. */
export const engagement = createRoute({
  getParentRoute: () => readers,
  path: '/engagements/$engagementId',
  loader: ({ context: { queryClient }, params: { slug, engagementId } }) =>
    prefetchEngagement(queryClient, slug, engagementId),
  // Once per engagement: while one is open, changes arrive as events.
  staleTime: Number.POSITIVE_INFINITY,
  preloadStaleTime: Number.POSITIVE_INFINITY,
})

/** Pages of the user's account. */
export const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  pendingComponent: ShellSkeleton,
})

/** Pages of the instance, for its administrators. */
export const instance = createRoute({
  getParentRoute: () => signedIn,
  path: '/instance',
  pendingComponent: ShellSkeleton,
})
