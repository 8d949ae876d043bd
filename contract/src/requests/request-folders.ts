import Type from 'typebox'
import { closedObject, endpoint, Id, Line, NullableString, one, Timestamp } from '../core/endpoint.ts'
import { AnyId, declareList, OneId, OrganizationFlag, PartOfText } from '../core/lists.ts'
import { ENGAGEMENT_ARCHIVED } from '../core/values.ts'
import { Auth, EngagementId, EngagementIdInput, FolderIdInput, SecretHosts, STALE } from './request-parts.ts'

const Name = Line(200, { examples: ['Sign-in'] })

export const RequestFolder = closedObject({
  id: Id('fld'),
  engagementId: EngagementId,
  parentId: NullableString('the folder that contains it'),
  name: Name,
  auth: Auth,
  hosts: SecretHosts,
  position: Type.String({ description: 'orders folders and requests of one folder: compared bytewise' }),
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
})

const EXAMPLE = {
  id: 'fld_01jd7w2v4pf1y8m3c6k9t0r5xz',
  engagementId: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz',
  parentId: null,
  name: 'Sign-in',
  auth: { type: 'bearer', token: '{{token}}', isSet: true },
  hosts: null,
  position: 'a0',
  createdAt: '2026-11-21T08:30:00.000Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
} as const

export const requestFolderList = declareList({
  name: 'request-folders',
  item: RequestFolder,
  sorts: ['createdAt', 'name'],
  positioned: true,
  filters: {
    engagementId: OneId('eng'),
    organization: OrganizationFlag,
    parentId: AnyId('fld', { orNone: true }),
    q: PartOfText('part of the name'),
  },
})

const params = closedObject({ folderId: Id('fld') })
const WHOLE = 'Folders of one engagement, or of the organization, nest at most 20 deep.'

export const createRequestFolder = endpoint({
  id: 'createRequestFolder',
  method: 'POST',
  path: '/request-folders',
  scope: 'api-requests:write',
  about: 'either',
  origin: 'extension',
  summary: 'Create a folder of saved requests.',
  description: `It is added last in its parent. ${WHOLE}`,
  body: closedObject({
    engagementId: EngagementIdInput,
    parentId: FolderIdInput('null: at the top'),
    name: Name,
    auth: Type.Optional(Auth),
    hosts: Type.Optional(SecretHosts),
  }),
  status: 201,
  reply: one(RequestFolder),
  conflicts: [ENGAGEMENT_ARCHIVED],
  example: {
    body: { engagementId: EXAMPLE.engagementId, name: 'Sign-in', auth: { type: 'bearer', token: '{{token}}' } },
    reply: { data: EXAMPLE },
  },
})

export const listRequestFolders = endpoint({
  id: 'listRequestFolders',
  method: 'GET',
  path: '/request-folders',
  scope: 'api-requests:read',
  about: 'either',
  origin: 'extension',
  summary: 'List folders of saved requests.',
  query: requestFolderList.query,
  reply: requestFolderList.reply,
  example: { reply: { data: [EXAMPLE], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

export const getRequestFolder = endpoint({
  id: 'getRequestFolder',
  method: 'GET',
  path: '/request-folders/:folderId',
  scope: 'api-requests:read',
  about: 'either',
  origin: 'extension',
  summary: 'Get a folder of saved requests.',
  params,
  reply: one(RequestFolder),
  example: { reply: { data: EXAMPLE } },
})

export const updateRequestFolder = endpoint({
  id: 'updateRequestFolder',
  method: 'PATCH',
  path: '/request-folders/:folderId',
  scope: 'api-requests:write',
  about: 'either',
  origin: 'extension',
  summary: 'Change a folder of saved requests, or move it.',
  description:
    'With another `parentId`, `beforeId` or `afterId` it moves. A folder cannot move into itself or into another engagement. Adding `hosts` requires its secret again (422).',
  params,
  body: closedObject({
    name: Type.Optional(Name),
    auth: Type.Optional(Auth),
    hosts: Type.Optional(SecretHosts),
    parentId: FolderIdInput('null: at the top'),
    beforeId: Type.Optional(Id('fld')),
    afterId: Type.Optional(Id('fld')),
    ifUpdatedAt: Type.Optional(Timestamp('the `updatedAt` that the change was made from')),
  }),
  reply: one(RequestFolder),
  conflicts: [STALE, ENGAGEMENT_ARCHIVED],
  example: { body: { name: 'Sign-in' }, reply: { data: EXAMPLE } },
})

export const deleteRequestFolder = endpoint({
  id: 'deleteRequestFolder',
  method: 'DELETE',
  path: '/request-folders/:folderId',
  scope: 'api-requests:write',
  about: 'either',
  origin: 'extension',
  summary: 'Move a folder with the folders and requests in it to the trash.',
  description: 'They can be restored for 30 days. Their runs stay.',
  params,
  reply: one(closedObject({ deleted: Type.Boolean(), id: Id('fld') })),
  conflicts: [ENGAGEMENT_ARCHIVED],
  example: { reply: { data: { deleted: true, id: EXAMPLE.id } } },
})

export const restoreRequestFolder = endpoint({
  id: 'restoreRequestFolder',
  method: 'POST',
  path: '/request-folders/:folderId/restore',
  scope: 'api-requests:write',
  about: 'either',
  origin: 'extension',
  summary: 'Restore a folder, and what was deleted with it, from the trash.',
  description:
    'Folders and requests come back at their places, with files and secrets. What was deleted before the folder stays in the trash. If the parent of the folder was deleted, the folder is restored at the top.',
  params,
  reply: one(RequestFolder),
  conflicts: [ENGAGEMENT_ARCHIVED, 'This folder is not in the trash.'],
  example: { reply: { data: EXAMPLE } },
})
