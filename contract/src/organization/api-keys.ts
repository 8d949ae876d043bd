import Type from 'typebox'
import {
  closedObject,
  endpoint,
  Id,
  Line,
  list,
  NO_CONTENT,
  NullableString,
  NullableTimestamp,
  OneOf,
  one,
  Timestamp,
} from '../core/endpoint.ts'
import { SCOPE_NAMES } from '../core/scopes.ts'

export const KEY_ENVIRONMENTS = ['live', 'test'] as const
export const KEY_KINDS = ['key', 'login', 'agent'] as const

const KeyName = Line(100, { examples: ['ci-pipeline'] })
export const KeyScopes = Type.Array(OneOf(SCOPE_NAMES), {
  minItems: 1,
  maxItems: SCOPE_NAMES.length,
  uniqueItems: true,
  description: 'fixed at creation',
})

const EngagementList = { items: Id('eng'), minItems: 1, maxItems: 100, uniqueItems: true }

/** The engagements that a key can access: `open`, or a list of ids. */
export const WantedEngagementIds = Type.Unsafe<'open' | string[]>({
  type: ['string', 'array'],
  pattern: '^open$',
  maxLength: 4,
  ...EngagementList,
  examples: ['open'],
  description:
    'absent: every engagement; `open`: those that the whole organization sees; otherwise only these; fixed at creation',
})

const EngagementIds = Type.Unsafe<'open' | string[] | null>({
  anyOf: [{ type: 'string', enum: ['open'] }, { type: 'array', ...EngagementList }, { type: 'null' }],
  description: 'null: every engagement; `open`: those that the whole organization sees; otherwise only these',
})

const keyFields = {
  id: Id('key'),
  name: KeyName,
  environment: OneOf(KEY_ENVIRONMENTS, { description: 'a label: both kinds see the same data (open point 22)' }),
  scopes: KeyScopes,
  engagementIds: EngagementIds,
  kind: OneOf(KEY_KINDS, {
    description: '`key`: for a program that people set up; `login`: for a terminal; `agent`: for an agent',
  }),
  expiresAt: NullableTimestamp(
    'from then on the key is refused like a deleted one; null for a key that does not expire',
  ),
  createdAt: Timestamp(),
  lastUsedAt: NullableTimestamp('null for never; to the minute or finer (open point 34)'),
}

export const CreatedApiKey = closedObject({
  ...keyFields,
  value: Type.String({ description: 'the whole key, shown only here' }),
})

export const ApiKey = closedObject({
  ...keyFields,
  createdBy: NullableString('name of the person who created the key'),
  createdByActive: Type.Boolean({
    description:
      'false if that person left the organization or may no longer create keys: the key still works (open point 23)',
  }),
})

export const createApiKey = endpoint({
  id: 'createApiKey',
  method: 'POST',
  path: '/api-keys',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'Create an API key; the answer is the only place that ever shows its value.',
  body: closedObject({
    name: KeyName,
    environment: OneOf(KEY_ENVIRONMENTS),
    scopes: KeyScopes,
    engagementIds: Type.Optional(WantedEngagementIds),
    expiresAt: Type.Optional(Timestamp('absent: it does not expire; fixed at creation')),
  }),
  reply: one(CreatedApiKey),
  status: 201,
})

export const listApiKeys = endpoint({
  id: 'listApiKeys',
  method: 'GET',
  path: '/api-keys',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'List the API keys of the organization, newest first, without their values.',
  reply: list(ApiKey),
})

export const deleteApiKey = endpoint({
  id: 'deleteApiKey',
  method: 'DELETE',
  path: '/api-keys/:keyId',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'Delete an API key; every request that starts after the answer gets 401.',
  params: closedObject({ keyId: Id('key') }),
  reply: one(closedObject({ deleted: Type.Boolean(), id: Id('key') })),
})

export const KeyOwner = closedObject({
  key: closedObject({
    id: keyFields.id,
    name: KeyName,
    environment: keyFields.environment,
    scopes: KeyScopes,
    engagementIds: EngagementIds,
    kind: keyFields.kind,
    expiresAt: keyFields.expiresAt,
    createdAt: keyFields.createdAt,
  }),
  organization: closedObject({ id: Id('org'), name: Type.String(), slug: Type.String() }),
  address: Type.String({ description: 'the network address that this request came from' }),
})

export const getMe = endpoint({
  id: 'getMe',
  method: 'GET',
  path: '/me',
  scope: 'any',
  about: 'either',
  origin: 'extension',
  doors: ['key'],
  summary: 'Read what the API key of this request is, and what it may do.',
  reply: one(KeyOwner),
  example: {
    reply: {
      data: {
        key: {
          id: 'key_01jd7w2v4pf1y8m3c6k9t0r5xz',
          name: 'laptop',
          environment: 'live',
          scopes: ['targets:read', 'targets:write'],
          engagementIds: 'open',
          kind: 'key',
          expiresAt: null,
          createdAt: '2026-11-21T08:30:00.000Z',
        },
        organization: { id: 'org_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Contoso Security', slug: 'contoso-security' },
        address: '198.51.100.7',
      },
    },
  },
})

export const deleteMyKey = endpoint({
  id: 'deleteMyKey',
  method: 'DELETE',
  path: '/me/key',
  scope: 'any',
  about: 'either',
  origin: 'extension',
  doors: ['key'],
  summary: 'Delete the API key of this request; every request that starts after the answer gets 401.',
  reply: NO_CONTENT,
  status: 204,
})
