import Type from 'typebox'
import {
  CursorQuery,
  closedObject,
  cursorPage,
  endpoint,
  Id,
  list,
  NullableString,
  NullableTimestamp,
  OneOf,
  one,
  Timestamp,
} from '../core/endpoint.ts'

/** `owner/name`, in GitHub's spelling. */
const FullName = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}$',
  maxLength: 140,
  examples: ['northwind/portal'],
})

export const REPOSITORY_STATUSES = ['pending', 'connected'] as const

export const Repository = closedObject({
  id: Id('rep'),
  fullName: Type.String({ examples: ['northwind/portal'] }),
  status: OneOf(REPOSITORY_STATUSES, { description: '`pending`: an instance administrator has yet to confirm it' }),
  requestedAt: Timestamp(),
  connectedAt: NullableTimestamp('null while pending'),
  engagementId: NullableString('the engagement in which its issues become tasks; null: they become none'),
})

const EngagementId = Type.Unsafe<string | null>({
  ...Id('eng'),
  type: ['string', 'null'],
  description: 'null: issues become no tasks',
})

export const Delivery = closedObject({
  id: Id('dlv'),
  deliveryId: NullableString("the sender's id of it"),
  event: Type.String({ examples: ['issues'] }),
  action: NullableString('such as `opened`'),
  repository: NullableString('owner and name'),
  receivedAt: Timestamp(),
})

export const listRepositories = endpoint({
  id: 'listRepositories',
  method: 'GET',
  path: '/code-hosting/repositories',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'List the repositories whose notifications the organization gets, and those that it has requested.',
  reply: closedObject({
    data: Type.Array(Repository),
    meta: closedObject({
      enabled: Type.Boolean({ description: 'whether this installation takes code-hosting notifications' }),
    }),
  }),
})

export const connectRepository = endpoint({
  id: 'connectRepository',
  method: 'POST',
  path: '/code-hosting/repositories',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'Request the notifications of a repository.',
  description:
    'Notifications are signed with one secret of the installation, so they do not prove who owns a repository: an instance administrator confirms it. A request by an instance administrator is confirmed immediately. A repository that the organization named before: 409.',
  body: closedObject({ fullName: FullName, engagementId: Type.Optional(EngagementId) }),
  reply: one(Repository),
  status: 201,
})

export const updateRepository = endpoint({
  id: 'updateRepository',
  method: 'PATCH',
  path: '/code-hosting/repositories/:repositoryId',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'Set the engagement in which issues of a repository become tasks.',
  params: closedObject({ repositoryId: Id('rep') }),
  body: closedObject({ engagementId: EngagementId }),
  reply: one(Repository),
})

export const disconnectRepository = endpoint({
  id: 'disconnectRepository',
  method: 'DELETE',
  path: '/code-hosting/repositories/:repositoryId',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'Disconnect a repository: no more notifications; existing ones stay.',
  params: closedObject({ repositoryId: Id('rep') }),
  reply: one(closedObject({ disconnected: Type.Boolean(), repositoryId: Id('rep') })),
})

export const listDeliveries = endpoint({
  id: 'listDeliveries',
  method: 'GET',
  path: '/code-hosting/deliveries',
  scope: 'role:admin',
  about: 'organization',
  origin: 'extension',
  doors: ['web'],
  summary: 'List the notifications that came for connected repositories, newest first.',
  query: closedObject(CursorQuery),
  reply: cursorPage(Delivery),
})

export const InstanceRepository = closedObject({
  ...Repository.properties,
  organization: closedObject({ id: Id('org'), name: Type.String() }),
})

export const listPendingRepositories = endpoint({
  id: 'listPendingRepositories',
  method: 'GET',
  path: '/instance/code-hosting/repositories',
  scope: 'instance-admin',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary:
    'List the repositories that organizations have requested and that are not confirmed yet, oldest first, 100 at most.',
  reply: list(InstanceRepository),
})

export const confirmRepository = endpoint({
  id: 'confirmRepository',
  method: 'POST',
  path: '/instance/code-hosting/repositories/:repositoryId/confirm',
  scope: 'instance-admin',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: "Confirm that a repository is the organization's: from now on it gets the notifications.",
  description: 'A repository that is connected to another organization: 409.',
  params: closedObject({ repositoryId: Id('rep') }),
  reply: one(InstanceRepository),
})

export const listUnassignedDeliveries = endpoint({
  id: 'listUnassignedDeliveries',
  method: 'GET',
  path: '/instance/code-hosting/deliveries',
  scope: 'instance-admin',
  about: 'instance',
  origin: 'extension',
  doors: ['web'],
  summary: 'List the notifications that came for no connected repository, newest first.',
  query: closedObject(CursorQuery),
  reply: cursorPage(Delivery),
})
