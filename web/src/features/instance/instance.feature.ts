import { MAIL_STATUSES } from '@sortie/contract/organization/invitations.ts'
import { createRoute } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { page, type Raw, definedParams, text, word } from '../../search.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { instance as parent } from '../../shell/routing/parents.ts'
import { IconBuilding, IconHeartbeat, IconMail, IconStack2, IconUsers } from '../../ui/icons.tsx'
import { instancePaths } from './instance.paths.ts'

const found = (raw: Raw) => definedParams({ search: text(raw.search), page: page(raw.page) })

const overview = createRoute({
  getParentRoute: () => parent,
  path: '/overview',
  component: lazyPage(() => import('./OverviewPage.tsx'), 'OverviewPage'),
})
const organizations = createRoute({
  getParentRoute: () => parent,
  path: '/organizations',
  validateSearch: found,
  component: lazyPage(() => import('./OrganizationsPage.tsx'), 'OrganizationsPage'),
})
const accounts = createRoute({
  getParentRoute: () => parent,
  path: '/accounts',
  validateSearch: found,
  component: lazyPage(() => import('./AccountsPage.tsx'), 'AccountsPage'),
})
const mails = createRoute({
  getParentRoute: () => parent,
  path: '/mails',
  validateSearch: (raw: Raw) => definedParams({ status: word(MAIL_STATUSES, raw.status) }),
  component: lazyPage(() => import('./MailsPage.tsx'), 'MailsPage'),
})
const jobs = createRoute({
  getParentRoute: () => parent,
  path: '/jobs',
  component: lazyPage(() => import('./JobsPage.tsx'), 'JobsPage'),
})

export const instance = feature({
  routes: { instance: [overview, organizations, accounts, mails, jobs] },
  navigation: [
    { area: 'instance', label: 'Overview', to: instancePaths.instance, icon: IconHeartbeat, keywords: 'health version' },
    { area: 'instance', label: 'Organizations', to: instancePaths.instanceOrganizations, icon: IconBuilding },
    { area: 'instance', label: 'Accounts', to: instancePaths.instanceAccounts, icon: IconUsers, keywords: 'people users' },
    { area: 'instance', label: 'Mail outbox', to: instancePaths.instanceMails, icon: IconMail, keywords: 'email' },
    { area: 'instance', label: 'Jobs', to: instancePaths.instanceJobs, icon: IconStack2, keywords: 'queue background' },
  ],
})
