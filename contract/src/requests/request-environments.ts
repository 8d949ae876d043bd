import Type from 'typebox'
import { closedObject, endpoint, Id, Line, NullableString, one, Timestamp } from '../core/endpoint.ts'
import { declareList, OneId, OrganizationFlag, PartOfText } from '../core/lists.ts'
import { ENGAGEMENT_ARCHIVED } from '../core/values.ts'
import { EngagementId, EngagementIdInput, SecretHosts, STALE, VARIABLE_NAME } from './request-parts.ts'

const Name = Line(200, { examples: ['Staging'] })

const variable = {
  name: Type.String({ pattern: `^${VARIABLE_NAME}$`, maxLength: 64, examples: ['token'] }),
  value: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength: 16_384,
    description: 'of a secret `null` in answers; `null` keeps what is stored',
  }),
  secret: Type.Boolean(),
}

const Proxy = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  maxLength: 2_000,
  description: 'http, https or socks5, without credentials; the egress policy checks it and its destinations',
  examples: ['http://proxy.example.com:8080'],
})

export const Environment = closedObject({
  id: Id('env'),
  engagementId: EngagementId,
  name: Name,
  variables: Type.Array(closedObject({ ...variable, isSet: Type.Boolean() })),
  proxy: NullableString('proxy that its requests use'),
  hosts: SecretHosts,
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
})

/** For all secrets of one environment together, in UTF-16 units. */
export const MAX_SECRET_CHARACTERS = 65_536

/** Variables of an environment. */
export const MAX_VARIABLES = 200

const VariableInputs = Type.Array(
  closedObject({ ...variable, isSet: Type.Optional(Type.Boolean({ description: 'ignored' })) }),
  { maxItems: MAX_VARIABLES },
)

const EXAMPLE = {
  id: 'env_01jd7w2v4pf1y8m3c6k9t0r5xz',
  engagementId: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz',
  name: 'Staging',
  variables: [
    { name: 'host', value: 'staging.example.com', secret: false, isSet: true },
    { name: 'token', value: null, secret: true, isSet: true },
  ],
  proxy: null,
  hosts: ['staging.example.com'],
  createdAt: '2026-11-21T08:30:00.000Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
}

export const environmentList = declareList({
  name: 'environments',
  item: Environment,
  sorts: ['createdAt', 'name'],
  filters: { engagementId: OneId('eng'), organization: OrganizationFlag, q: PartOfText('part of the name') },
})

const params = closedObject({ environmentId: Id('env') })

export const createEnvironment = endpoint({
  id: 'createEnvironment',
  method: 'POST',
  path: '/environments',
  scope: 'api-requests:write',
  about: 'either',
  origin: 'extension',
  summary: 'Create an environment.',
  description: 'Values of secrets are encrypted, never returned, and masked everywhere they would appear.',
  body: closedObject({
    engagementId: EngagementIdInput,
    name: Name,
    variables: Type.Optional(VariableInputs),
    proxy: Type.Optional(Proxy),
    hosts: Type.Optional(SecretHosts),
  }),
  status: 201,
  reply: one(Environment),
  conflicts: [ENGAGEMENT_ARCHIVED],
  example: {
    body: {
      engagementId: EXAMPLE.engagementId,
      name: 'Staging',
      variables: [
        { name: 'host', value: 'staging.example.com', secret: false },
        { name: 'token', value: 'a token', secret: true },
      ],
    },
    reply: { data: EXAMPLE },
  },
})

export const listEnvironments = endpoint({
  id: 'listEnvironments',
  method: 'GET',
  path: '/environments',
  scope: 'api-requests:read',
  about: 'either',
  origin: 'extension',
  summary: 'List environments.',
  query: environmentList.query,
  reply: environmentList.reply,
  example: { reply: { data: [EXAMPLE], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

export const getEnvironment = endpoint({
  id: 'getEnvironment',
  method: 'GET',
  path: '/environments/:environmentId',
  scope: 'api-requests:read',
  about: 'either',
  origin: 'extension',
  summary: 'Get an environment.',
  params,
  reply: one(Environment),
  example: { reply: { data: EXAMPLE } },
})

export const updateEnvironment = endpoint({
  id: 'updateEnvironment',
  method: 'PATCH',
  path: '/environments/:environmentId',
  scope: 'api-requests:write',
  about: 'either',
  origin: 'extension',
  summary: 'Change an environment.',
  description:
    '`variables` lists all of them: one that is left out is removed. A secret with the value `null` keeps its own. Secrets have at most 65,536 characters together (422). Adding `hosts` requires its secrets again (422).',
  params,
  body: closedObject({
    name: Type.Optional(Name),
    variables: Type.Optional(VariableInputs),
    proxy: Type.Optional(Proxy),
    hosts: Type.Optional(SecretHosts),
    ifUpdatedAt: Type.Optional(Timestamp('the `updatedAt` that the change was made from')),
  }),
  reply: one(Environment),
  conflicts: [STALE, ENGAGEMENT_ARCHIVED],
  example: { body: { name: 'Staging' }, reply: { data: EXAMPLE } },
})

export const deleteEnvironment = endpoint({
  id: 'deleteEnvironment',
  method: 'DELETE',
  path: '/environments/:environmentId',
  scope: 'api-requests:write',
  about: 'either',
  origin: 'extension',
  summary: 'Delete an environment.',
  params,
  reply: one(closedObject({ deleted: Type.Boolean(), id: Id('env') })),
  conflicts: [ENGAGEMENT_ARCHIVED],
  example: { reply: { data: { deleted: true, id: EXAMPLE.id } } },
})
