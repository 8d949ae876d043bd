import { createRoute, redirect } from '@tanstack/react-router'
import { definedParams } from '../../search.ts'
import { lastOrganization } from '../context/organization.tsx'
import { accountQuery, organizationsQuery } from '../context/session.tsx'
import { account, instance, organization, root, signedIn } from './parents.ts'

export const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (raw: Record<string, unknown>) =>
    definedParams({ next: typeof raw.next === 'string' && raw.next.length < 5_000 ? raw.next : undefined }),
})

export const signInCallback = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/callback',
})

export const confirmBrowser = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/confirm',
})

export const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: async ({ context: { queryClient } }) => {
    const { data } = await queryClient.ensureQueryData(organizationsQuery())
    const last = lastOrganization(data)
    if (last) throw redirect({ to: '/o/$slug/home', params: { slug: last.slug } })
    const account = await queryClient.ensureQueryData(accountQuery())
    if (account.data.isInstanceAdmin) throw redirect({ to: '/instance/organizations' })
  },
})

export const organizationHome = createRoute({
  getParentRoute: () => organization,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/o/$slug/home', params, replace: true })
  },
})

export const settingsHome = createRoute({
  getParentRoute: () => organization,
  path: '/settings',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/o/$slug/settings/general', params, replace: true })
  },
})

export const accountHome = createRoute({
  getParentRoute: () => account,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/account/profile', replace: true })
  },
})

export const instanceHome = createRoute({
  getParentRoute: () => instance,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/instance/overview', replace: true })
  },
})
