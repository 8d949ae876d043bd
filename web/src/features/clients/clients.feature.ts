import { feature } from '../../feature.ts'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconBuilding } from '../../ui/icons.tsx'
import { clientsPaths } from './clients.paths.ts'
import { client, list } from './clients.routes.ts'

export const clients = feature({
  routes: {
    readers: [
      lazyPage(list, () => import('./ClientsPage.tsx'), 'ClientsPage'),
      lazyPage(client, () => import('./ClientPage.tsx'), 'ClientPage'),
    ],
  },
  navigation: [
    {
      area: 'work',
      label: 'Clients',
      to: ({ slug }) => clientsPaths.clients(slug),
      icon: IconBuilding,
      isFor: ({ permissions }) => permissions.readEngagements,
      key: 'C',
      keywords: 'customers companies contacts',
    },
  ],
  live: {
    engagement: ['listClients', 'getClient'],
    setting: ['listClients', 'getClient'],
    finding: ['listClientFindingsByYear'],
    file: ['listClientFiles'],
  },
})
