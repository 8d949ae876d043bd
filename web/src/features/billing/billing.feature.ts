import { createRoute } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { isAdmin } from '../../shell/context/organization.tsx'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { admins, instance } from '../../shell/routing/parents.ts'
import { IconCreditCard } from '../../ui/icons.tsx'
import { billingPaths } from './billing.paths.ts'

const settingsPage = createRoute({
  getParentRoute: () => admins,
  path: '/settings/billing',
  component: lazyPage(() => import('./BillingPage.tsx'), 'BillingPage'),
})
const instancePage = createRoute({
  getParentRoute: () => instance,
  path: '/billing',
  component: lazyPage(() => import('./InstanceBillingPage.tsx'), 'InstanceBillingPage'),
})

export const billing = feature({
  routes: { admins: [settingsPage], instance: [instancePage] },
  navigation: [
    {
      area: 'settings',
      label: 'Billing',
      to: ({ slug }) => billingPaths.billing(slug),
      icon: IconCreditCard,
      keywords: 'plan subscription payment',
      isFor: isAdmin,
    },
    { area: 'instance', label: 'Billing', to: billingPaths.instanceBilling, icon: IconCreditCard },
  ],
})
