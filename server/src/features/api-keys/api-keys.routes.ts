import type { Scope } from '@sortie/contract/core/scopes.ts'
import * as contract from '@sortie/contract/organization/api-keys.ts'
import type { KeyKind } from '../../platform/auth/actor.ts'
import { notFound } from '../../platform/errors.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { findOrganization } from '../organizations/organizations.queries.ts'
import { findApiKey, listApiKeys } from './api-keys.queries.ts'
import { createApiKey, deleteApiKey, deleteOwnKey } from './api-keys.service.ts'
import type { KeyEnvironment } from './authenticate.ts'

export const apiKeyRoutes: Route[] = [
  route(contract.createApiKey, async (context) => {
    const { key, value } = await createApiKey(context, context.actor, context.body)
    return { data: { ...toApiKey(key), value } }
  }),

  route(contract.listApiKeys, async ({ db, actor }) => {
    const keys = await listApiKeys(db, actor.organizationId)
    return {
      data: keys.map((key) => ({
        ...toApiKey(key),
        createdBy: key.created_by_name,
        createdByActive: key.creator_role === 'owner' || key.creator_role === 'admin',
      })),
    }
  }),

  route(contract.deleteApiKey, async (context) => {
    const { actor, params } = context
    await deleteApiKey(context, actor, params.keyId)
    return { data: { deleted: true, id: params.keyId } }
  }),

  route(contract.getMe, async ({ db, actor, address }) => {
    const key = await findApiKey(db, actor.organizationId, actor.id)
    const organization = await findOrganization(db, actor.organizationId)
    // The key was deleted while the request ran.
    if (!key || !organization) throw notFound()
    const { lastUsedAt: _lastUsedAt, ...described } = toApiKey(key)
    const { id, name, slug } = organization
    // A key within a person's rights may do less than was chosen.
    const scopes = described.scopes.filter((scope) => actor.scopes.has(scope))
    return { data: { key: { ...described, scopes }, organization: { id, name, slug }, address } }
  }),

  route(contract.deleteMyKey, async (context) => {
    await deleteOwnKey(context, context.actor)
    return null
  }),
]

interface KeyColumns {
  id: string
  name: string
  environment: KeyEnvironment
  scopes: string[]
  engagement_access: string
  engagement_ids: string[] | null
  kind: KeyKind
  expires_at: string | null
  created_at: string
  last_used_at: string | null
}

const toApiKey = (key: KeyColumns) => ({
  id: key.id,
  name: key.name,
  environment: key.environment,
  scopes: key.scopes as Scope[],
  engagementIds:
    key.engagement_access === 'all'
      ? null
      : key.engagement_access === 'open'
        ? ('open' as const)
        : (key.engagement_ids ?? []),
  kind: key.kind,
  expiresAt: key.expires_at,
  createdAt: key.created_at,
  lastUsedAt: key.last_used_at,
})
