import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconBuilding, IconHeartbeat, IconMail, IconStack2, IconUsers } from '../../ui/icons.tsx'
import { instancePaths } from './instance.paths.ts'
import { overview, checks, organizations, accounts, mails, jobs } from './instance.routes.ts'

export const instance = feature({
  routes: {
    instance: [
      lazyPage(overview, () => import('./OverviewPage.tsx'), 'OverviewPage'),
      lazyPage(checks, () => import('./checks/ChecksPage.tsx'), 'ChecksPage'),
      lazyPage(organizations, () => import('./OrganizationsPage.tsx'), 'OrganizationsPage'),
      lazyPage(accounts, () => import('./AccountsPage.tsx'), 'AccountsPage'),
      lazyPage(mails, () => import('./MailsPage.tsx'), 'MailsPage'),
      lazyPage(jobs, () => import('./JobsPage.tsx'), 'JobsPage'),
    ],
  },
  navigation: [
    {
      area: 'instance',
      label: 'Overview',
      to: instancePaths.instance,
      icon: IconHeartbeat,
      keywords: 'health version',
    },
    { area: 'instance', label: 'Checks', to: instancePaths.instanceChecks, icon: IconHeartbeat, keywords: 'doctor' },
    { area: 'instance', label: 'Organizations', to: instancePaths.instanceOrganizations, icon: IconBuilding },
    {
      area: 'instance',
      label: 'Accounts',
      to: instancePaths.instanceAccounts,
      icon: IconUsers,
      keywords: 'people users',
    },
    { area: 'instance', label: 'Mail outbox', to: instancePaths.instanceMails, icon: IconMail, keywords: 'email' },
    { area: 'instance', label: 'Jobs', to: instancePaths.instanceJobs, icon: IconStack2, keywords: 'queue background' },
  ],
})
