import { feature } from '../../feature.ts'
import { isAdmin } from '../../shell/context/organization.tsx'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconBell } from '../../ui/icons.tsx'
import { webhooksPaths } from './webhooks.paths.ts'
import { page } from './webhooks.routes.ts'

export const webhooks = feature({
  routes: { admins: [lazyPage(page, () => import('./WebhooksPage.tsx'), 'WebhooksPage')] },
  navigation: [
    {
      area: 'settings',
      label: 'Webhooks',
      to: ({ slug }) => webhooksPaths.webhooks(slug),
      icon: IconBell,
      keywords: 'events endpoint slack teams mattermost matrix',
      isFor: isAdmin,
    },
  ],
  live: { setting: ['listWebhookEndpoints', 'getWebhookEndpoint'] },
})
