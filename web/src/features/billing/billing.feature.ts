import { feature } from '../../feature.ts'
import { isAdmin } from '../../shell/context/organization.tsx'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconCreditCard } from '../../ui/icons.tsx'
import { billingPaths } from './billing.paths.ts'
import { settingsPage, instancePage } from './billing.routes.ts'

export const billing = feature({
  routes: {
    admins: [lazyPage(settingsPage, () => import('./BillingPage.tsx'), 'BillingPage')],
    instance: [lazyPage(instancePage, () => import('./InstanceBillingPage.tsx'), 'InstanceBillingPage')],
  },
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
