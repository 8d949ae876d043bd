import { SCOPE_NAMES, type Scope } from '@sortie/contract/core/scopes.ts'
import { KEY_ENVIRONMENTS } from '@sortie/contract/organization/api-keys.ts'
import { createRoute } from '@tanstack/react-router'
import { flag, type Raw, definedParams, text, word } from '../../search.ts'
import { admins, organization, signedIn } from '../../shell/routing/parents.ts'

const isScope = (value: unknown): value is Scope => SCOPE_NAMES.some((scope) => scope === value)

const search = (raw: Raw) =>
  definedParams({
    create: flag(raw.create),
    /** Scopes and name to prefill for a successor key. */
    scopes: Array.isArray(raw.scopes) ? raw.scopes.filter(isScope) : undefined,
    name: text(raw.name),
    environment: word(KEY_ENVIRONMENTS, raw.environment),
  })

export const page = createRoute({
  getParentRoute: () => admins,
  path: '/settings/api-keys',
  validateSearch: search,
})

export const device = createRoute({
  getParentRoute: () => signedIn,
  path: '/device',
  validateSearch: (raw: Raw) => definedParams({ code: text(raw.code) }),
})

const MAX_REQUEST = 4_096

export const consent = createRoute({
  getParentRoute: () => signedIn,
  path: '/oauth/authorize',
  validateSearch: ({ request }: Raw) =>
    definedParams({ request: typeof request === 'string' && request.length <= MAX_REQUEST ? request : undefined }),
})

export const agents = createRoute({ getParentRoute: () => organization, path: '/settings/agents' })
