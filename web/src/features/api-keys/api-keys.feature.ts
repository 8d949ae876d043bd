import { feature } from '../../feature.ts'
import { isAdmin } from '../../shell/context/organization.tsx'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconCode, IconKey } from '../../ui/icons.tsx'
import { apiKeysPaths } from './api-keys.paths.ts'
import { agents, consent, device, page } from './api-keys.routes.ts'

export const apiKeys = feature({
  routes: {
    signedIn: [
      lazyPage(device, () => import('./pages.ts'), 'DevicePage'),
      lazyPage(consent, () => import('./pages.ts'), 'ConsentPage'),
    ],
    organization: [lazyPage(agents, () => import('./pages.ts'), 'AgentsPage')],
    admins: [lazyPage(page, () => import('./pages.ts'), 'ApiKeysPage')],
  },
  navigation: [
    {
      area: 'organization',
      label: 'API',
      to: () => apiKeysPaths.apiReference,
      icon: IconCode,
      isExternal: true,
      keywords: 'reference documentation openapi',
    },
    {
      area: 'settings',
      label: 'API keys',
      to: ({ slug }) => apiKeysPaths.apiKeys(slug),
      icon: IconKey,
      keywords: 'tokens',
      isFor: isAdmin,
    },
    {
      area: 'settings',
      label: 'Agents',
      to: ({ slug }) => apiKeysPaths.agents(slug),
      icon: IconKey,
    },
  ],
  commands: [
    {
      id: 'new-key',
      label: 'Create an API key',
      icon: IconKey,
      keywords: 'new add token',
      to: ({ slug }) => `${apiKeysPaths.apiKeys(slug)}?create=true`,
      isFor: isAdmin,
    },
  ],
  live: { setting: ['listApiKeys', 'listDeviceConfirmations', 'listAgents'] },
})
