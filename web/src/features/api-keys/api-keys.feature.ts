import { SCOPE_NAMES, type Scope } from '@sortie/contract/core/scopes.ts'
import { createRoute } from '@tanstack/react-router'
import { feature } from '../../feature.ts'
import { flag, type Raw, definedParams, text, word } from '../../search.ts'
import { isAdmin } from '../../shell/context/organization.tsx'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { admins } from '../../shell/routing/parents.ts'
import { IconCode, IconKey } from '../../ui/icons.tsx'
import { apiKeysPaths } from './api-keys.paths.ts'

const isScope = (value: unknown): value is Scope => SCOPE_NAMES.some((scope) => scope === value)

const search = (raw: Raw) =>
  definedParams({
    create: flag(raw.create),
    /** Scopes and name to prefill for a successor key. */
    scopes: Array.isArray(raw.scopes) ? raw.scopes.filter(isScope) : undefined,
    name: text(raw.name),
    environment: word(['live', 'test'] as const, raw.environment),
  })

const page = createRoute({
  getParentRoute: () => admins,
  path: '/settings/api-keys',
  validateSearch: search,
  component: lazyPage(() => import('./ApiKeysPage.tsx'), 'ApiKeysPage'),
})

export const apiKeys = feature({
  routes: { admins: [page] },
  navigation: [
    { area: 'organization', label: 'API', to: () => apiKeysPaths.apiReference, icon: IconCode, isExternal: true, keywords: 'reference documentation openapi' },
    { area: 'settings', label: 'API keys', to: ({ slug }) => apiKeysPaths.apiKeys(slug), icon: IconKey, keywords: 'tokens', isFor: isAdmin },
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
})
