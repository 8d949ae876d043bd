import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { isRefused } from './api.ts'
import { paths } from './paths.ts'
import * as search from './search.ts'
import { lastOrganization } from './shell/organization.tsx'
import { ErrorPage, NotFoundPage } from './shell/pages.tsx'
import { RootLayout } from './shell/RootLayout.tsx'
import { accountQuery, organizationsQuery } from './shell/session.tsx'
import { signInModeQuery } from './shell/sign-in/mode.ts'
import { SignInPage } from './shell/sign-in/SignInPage.tsx'
import { PageSkeleton, ShellSkeleton } from './shell/skeletons.tsx'

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: RootLayout, notFoundComponent: NotFoundPage })

const signIn = createRoute({ getParentRoute: () => root, path: '/sign-in', component: SignInPage, validateSearch: search.signIn })
const signInCallback = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/callback',
  component: lazyRouteComponent(() => import('./shell/sign-in/CallbackPage.tsx'), 'CallbackPage'),
})
const passwordReset = createRoute({
  getParentRoute: () => root,
  path: '/password-reset',
  component: lazyRouteComponent(() => import('./features/password-reset/PasswordResetPage.tsx'), 'PasswordResetPage'),
})
const acceptInvitation = createRoute({
  getParentRoute: () => root,
  path: '/invitations/accept',
  component: lazyRouteComponent(() => import('./features/accept-invitation/AcceptInvitationPage.tsx'), 'AcceptInvitationPage'),
})

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: lazyRouteComponent(() => import('./shell/SignedInLayout.tsx'), 'SignedInLayout'),
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

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  component: lazyRouteComponent(() => import('./shell/HomePage.tsx'), 'HomePage'),
  beforeLoad: async ({ context: { queryClient } }) => {
    const { data } = await queryClient.ensureQueryData(organizationsQuery())
    const organization = lastOrganization(data)
    if (organization) throw redirect({ to: '/o/$slug/engagements', params: { slug: organization.slug } })
    const account = await queryClient.ensureQueryData(accountQuery())
    if (account.data.isInstanceAdmin) throw redirect({ to: '/instance/organizations' })
  },
})

const organization = createRoute({
  getParentRoute: () => signedIn,
  path: '/o/$slug',
  component: lazyRouteComponent(() => import('./shell/OrganizationLayout.tsx'), 'OrganizationLayout'),
  pendingComponent: ShellSkeleton,
})
const organizationHome = createRoute({
  getParentRoute: () => organization,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/o/$slug/engagements', params, replace: true })
  },
})
const readers = createRoute({
  getParentRoute: () => organization,
  id: 'engagement-readers',
  component: lazyRouteComponent(() => import('./shell/guards.tsx'), 'EngagementReadersOnly'),
})
const engagements = createRoute({
  getParentRoute: () => readers,
  path: '/engagements',
  validateSearch: search.engagements,
  component: lazyRouteComponent(() => import('./features/engagements/EngagementsPage.tsx'), 'EngagementsPage'),
})
const engagement = createRoute({
  getParentRoute: () => readers,
  path: '/engagements/$engagementId',
  component: lazyRouteComponent(() => import('./features/engagements/EngagementPage.tsx'), 'EngagementPage'),
})
const settingsHome = createRoute({
  getParentRoute: () => organization,
  path: '/settings',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/o/$slug/settings/general', params, replace: true })
  },
})
const general = createRoute({
  getParentRoute: () => organization,
  path: '/settings/general',
  component: lazyRouteComponent(() => import('./features/organizations/GeneralPage.tsx'), 'GeneralPage'),
})
const admins = createRoute({
  getParentRoute: () => organization,
  id: 'admins',
  component: lazyRouteComponent(() => import('./shell/guards.tsx'), 'AdminsOnly'),
})
const security = createRoute({
  getParentRoute: () => admins,
  path: '/settings/security',
  component: lazyRouteComponent(() => import('./features/security/SecurityPage.tsx'), 'SecurityPage'),
})
const domains = createRoute({
  getParentRoute: () => admins,
  path: '/settings/domains',
  validateSearch: search.domains,
  component: lazyRouteComponent(() => import('./features/domains/DomainsPage.tsx'), 'DomainsPage'),
})
const members = createRoute({
  getParentRoute: () => organization,
  path: '/settings/members',
  validateSearch: search.members,
  component: lazyRouteComponent(() => import('./features/members/MembersPage.tsx'), 'MembersPage'),
})
const invitations = createRoute({
  getParentRoute: () => admins,
  path: '/settings/invitations',
  validateSearch: search.invitations,
  component: lazyRouteComponent(() => import('./features/invitations/InvitationsPage.tsx'), 'InvitationsPage'),
})
const apiKeys = createRoute({
  getParentRoute: () => admins,
  path: '/settings/api-keys',
  validateSearch: search.apiKeys,
  component: lazyRouteComponent(() => import('./features/api-keys/ApiKeysPage.tsx'), 'ApiKeysPage'),
})
const ownership = createRoute({
  getParentRoute: () => organization,
  path: '/settings/ownership',
  component: lazyRouteComponent(() => import('./features/organizations/OwnershipPage.tsx'), 'OwnershipPage'),
})
const audit = createRoute({
  getParentRoute: () => admins,
  path: '/settings/audit',
  validateSearch: search.audit,
  component: lazyRouteComponent(() => import('./features/audit/AuditPage.tsx'), 'AuditPage'),
})

const billing = createRoute({
  getParentRoute: () => admins,
  path: '/settings/billing',
  component: lazyRouteComponent(() => import('./features/billing/BillingPage.tsx'), 'BillingPage'),
})
const codeHosting = createRoute({
  getParentRoute: () => admins,
  path: '/settings/code-hosting',
  component: lazyRouteComponent(() => import('./features/code-hosting/CodeHostingPage.tsx'), 'CodeHostingPage'),
})

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyRouteComponent(() => import('./features/account/AccountLayout.tsx'), 'AccountLayout'),
  pendingComponent: ShellSkeleton,
})
const profile = createRoute({
  getParentRoute: () => account,
  path: '/profile',
  component: lazyRouteComponent(() => import('./features/account/ProfilePage.tsx'), 'ProfilePage'),
})
const password = createRoute({
  getParentRoute: () => account,
  path: '/password',
  component: lazyRouteComponent(() => import('./features/account/PasswordPage.tsx'), 'PasswordPage'),
})
const sessions = createRoute({
  getParentRoute: () => account,
  path: '/sessions',
  component: lazyRouteComponent(() => import('./features/account/SessionsPage.tsx'), 'SessionsPage'),
})
const secondFactor = createRoute({
  getParentRoute: () => account,
  path: '/second-factor',
  component: lazyRouteComponent(() => import('./features/account/SecondFactorPage.tsx'), 'SecondFactorPage'),
})
const notifications = createRoute({
  getParentRoute: () => account,
  path: '/notifications',
  component: lazyRouteComponent(() => import('./features/account/NotificationsPage.tsx'), 'NotificationsPage'),
})

const instance = createRoute({
  getParentRoute: () => signedIn,
  path: '/instance',
  component: lazyRouteComponent(() => import('./features/instance/InstanceLayout.tsx'), 'InstanceLayout'),
  pendingComponent: ShellSkeleton,
})
const instanceOverview = createRoute({
  getParentRoute: () => instance,
  path: '/overview',
  component: lazyRouteComponent(() => import('./features/instance/OverviewPage.tsx'), 'OverviewPage'),
})
const instanceOrganizations = createRoute({
  getParentRoute: () => instance,
  path: '/organizations',
  validateSearch: search.found,
  component: lazyRouteComponent(() => import('./features/instance/OrganizationsPage.tsx'), 'OrganizationsPage'),
})
const instanceAccounts = createRoute({
  getParentRoute: () => instance,
  path: '/accounts',
  validateSearch: search.found,
  component: lazyRouteComponent(() => import('./features/instance/AccountsPage.tsx'), 'AccountsPage'),
})
const instanceMails = createRoute({
  getParentRoute: () => instance,
  path: '/mails',
  validateSearch: search.mails,
  component: lazyRouteComponent(() => import('./features/instance/MailsPage.tsx'), 'MailsPage'),
})
const instanceJobs = createRoute({
  getParentRoute: () => instance,
  path: '/jobs',
  component: lazyRouteComponent(() => import('./features/instance/JobsPage.tsx'), 'JobsPage'),
})

const instanceBilling = createRoute({
  getParentRoute: () => instance,
  path: '/billing',
  component: lazyRouteComponent(() => import('./features/billing/InstanceBillingPage.tsx'), 'InstanceBillingPage'),
})
const instanceCodeHosting = createRoute({
  getParentRoute: () => instance,
  path: '/code-hosting',
  component: lazyRouteComponent(() => import('./features/code-hosting/InstanceCodeHostingPage.tsx'), 'InstanceCodeHostingPage'),
})

const tree = root.addChildren([
  signIn,
  signInCallback,
  passwordReset,
  acceptInvitation,
  signedIn.addChildren([
    home,
    organization.addChildren([
      organizationHome,
      readers.addChildren([engagements, engagement]),
      settingsHome,
      general,
      members,
      ownership,
      admins.addChildren([security, domains, invitations, apiKeys, audit, billing, codeHosting]),
    ]),
    account.addChildren([profile, password, sessions, secondFactor, notifications]),
    instance.addChildren([instanceOverview, instanceOrganizations, instanceAccounts, instanceMails, instanceJobs, instanceBilling, instanceCodeHosting]),
  ]),
])

/** Pages are fetched when the pointer nears their link, so that a click shows them at once. */
export const createAppRouter = (queryClient: QueryClient) =>
  createRouter({
    routeTree: tree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: ErrorPage,
    defaultPendingComponent: PageSkeleton,
    scrollRestoration: true,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
