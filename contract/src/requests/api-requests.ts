import Type from 'typebox'
import {
  closedObject,
  endpoint,
  Id,
  Line,
  Markdown,
  Nullable,
  NullableString,
  OneOf,
  one,
  Timestamp,
  AuthorId,
} from '../core/endpoint.ts'
import { IN_SAFE_MODE } from '../core/errors.ts'
import { fileEndpointsOf } from '../core/files.ts'
import { AnyId, AnyText, declareList, OneId, OrganizationFlag, PartOfText } from '../core/lists.ts'
import { ENGAGEMENT_ARCHIVED } from '../core/values.ts'
import {
  DEFAULT_OPTIONS,
  EngagementId,
  EngagementIdInput,
  FolderIdInput,
  OverrideInput,
  REQUEST_BODY_LIMITS,
  RequestOptions,
  requestFields,
  requestInput,
  STALE,
  VariableValues,
  WITHOUT_ENGAGEMENT,
} from './request-parts.ts'
import { EXAMPLE_RUN, RequestRun, RUN_STATES } from './request-runs.ts'

const Name = Line(200, { examples: ['List users'] })
const Description = Markdown(100_000)

const summary = {
  id: Id('req'),
  engagementId: EngagementId,
  folderId: NullableString('the folder that contains it'),
  name: Name,
  method: requestFields.method,
  url: requestFields.url,
  position: Type.String({ description: 'orders folders and requests of one folder: compared bytewise' }),
  lastRun: Nullable(
    {
      id: Id('run'),
      state: OneOf(RUN_STATES),
      status: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
      createdAt: Timestamp(),
    },
    'null where it was never executed',
  ),
  createdBy: Nullable({ id: AuthorId(), name: Type.String() }, 'null for an API key'),
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
}

/** The form in lists. */
export const RequestSummary = closedObject(summary)

export const ApiRequest = closedObject({
  ...summary,
  description: Description,
  ...requestFields,
  options: RequestOptions,
})

export const EXAMPLE_SUMMARY = {
  id: 'req_01jd7w2v4pf1y8m3c6k9t0r5xz',
  engagementId: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz',
  folderId: null,
  name: 'List users',
  method: 'GET',
  url: 'https://{{host}}/api/users',
  position: 'a0',
  lastRun: {
    id: 'run_01jd7w2v4pf1y8m3c6k9t0r5xz',
    state: 'succeeded',
    status: 200,
    createdAt: '2026-11-21T08:30:00.000Z',
  },
  createdBy: { id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace' },
  createdAt: '2026-11-21T08:30:00.000Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
} as const

export const EXAMPLE_REQUEST = {
  ...EXAMPLE_SUMMARY,
  description: '',
  query: [{ name: 'page', value: '1', enabled: true }],
  headers: [{ name: 'Accept', value: 'application/json', enabled: true }],
  body: { mode: 'none' },
  auth: { type: 'bearer', token: '{{token}}', isSet: true },
  options: DEFAULT_OPTIONS,
  captures: [{ variable: 'firstId', from: 'json', path: '$.users[0].id' }],
  assertions: [{ subject: 'status', operator: 'equals', value: 200 }],
} as const

export const requestList = declareList({
  name: 'api-requests',
  item: RequestSummary,
  sorts: ['createdAt', 'updatedAt', 'name'],
  positioned: true,
  filters: {
    engagementId: OneId('eng'),
    organization: OrganizationFlag,
    folderId: AnyId('fld', { orNone: true }),
    method: AnyText(32),
    q: PartOfText('part of the name, the address or the description'),
  },
})

const params = closedObject({ requestId: Id('req') })
const { auth, ...changeable } = requestInput

export const createApiRequest = endpoint({
  id: 'createApiRequest',
  method: 'POST',
  path: '/api-requests',
  scope: 'api-requests:write',
  about: 'either',
  origin: 'extension',
  summary: 'Save a request.',
  description:
    'It is added last in its folder. `{{name}}` is a variable, and `\\{{name}}` is the text itself. A password or token in `auth` without a variable is a secret: encrypted, never returned, masked everywhere it would appear. It is sent only to the host for which it was entered; if a variable names the host, it must come from a variable too.',
  bodyLimits: REQUEST_BODY_LIMITS,
  body: closedObject({
    engagementId: EngagementIdInput,
    folderId: FolderIdInput('null: at the top'),
    name: Name,
    description: Type.Optional(Description),
    ...changeable,
    auth,
  }),
  status: 201,
  reply: one(ApiRequest),
  conflicts: [ENGAGEMENT_ARCHIVED],
  example: {
    body: { engagementId: EXAMPLE_SUMMARY.engagementId, name: 'List users', method: 'GET', url: EXAMPLE_SUMMARY.url },
    reply: { data: EXAMPLE_REQUEST },
  },
})

export const listApiRequests = endpoint({
  id: 'listApiRequests',
  method: 'GET',
  path: '/api-requests',
  scope: 'api-requests:read',
  about: 'either',
  origin: 'extension',
  summary: 'List saved requests.',
  query: requestList.query,
  reply: requestList.reply,
  example: { reply: { data: [EXAMPLE_SUMMARY], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

export const getApiRequest = endpoint({
  id: 'getApiRequest',
  method: 'GET',
  path: '/api-requests/:requestId',
  scope: 'api-requests:read',
  about: 'either',
  origin: 'extension',
  summary: 'Get a saved request.',
  params,
  reply: one(ApiRequest),
  example: { reply: { data: EXAMPLE_REQUEST } },
})

export const updateApiRequest = endpoint({
  id: 'updateApiRequest',
  method: 'PATCH',
  path: '/api-requests/:requestId',
  scope: 'api-requests:write',
  about: 'either',
  origin: 'extension',
  summary: 'Change a saved request.',
  description:
    'A field that is given is replaced as a whole, `options` by what it names. A secret of `auth` that is `null` keeps its value while the type stays.',
  params,
  bodyLimits: REQUEST_BODY_LIMITS,
  body: closedObject({
    name: Type.Optional(Name),
    description: Type.Optional(Description),
    ...changeable,
    url: Type.Optional(requestFields.url),
    auth,
    ifUpdatedAt: Type.Optional(Timestamp('the `updatedAt` that the change was made from')),
  }),
  reply: one(ApiRequest),
  conflicts: [STALE, ENGAGEMENT_ARCHIVED],
  example: { body: { name: 'List users' }, reply: { data: EXAMPLE_REQUEST } },
})

export const deleteApiRequest = endpoint({
  id: 'deleteApiRequest',
  method: 'DELETE',
  path: '/api-requests/:requestId',
  scope: 'api-requests:write',
  about: 'either',
  origin: 'extension',
  summary: 'Move a saved request with its files to the trash.',
  description: 'It can be restored for 30 days. Its runs stay.',
  params,
  reply: one(closedObject({ deleted: Type.Boolean(), id: Id('req') })),
  conflicts: [ENGAGEMENT_ARCHIVED],
  example: { reply: { data: { deleted: true, id: EXAMPLE_SUMMARY.id } } },
})

export const restoreApiRequest = endpoint({
  id: 'restoreApiRequest',
  method: 'POST',
  path: '/api-requests/:requestId/restore',
  scope: 'api-requests:write',
  about: 'either',
  origin: 'extension',
  summary: 'Restore a saved request from the trash.',
  description:
    'It comes back at its place, with its files and secrets. If its folder was deleted, it is restored at the top.',
  params,
  reply: one(ApiRequest),
  conflicts: [ENGAGEMENT_ARCHIVED, 'This request is not in the trash.'],
  example: { reply: { data: EXAMPLE_REQUEST } },
})

export const moveApiRequest = endpoint({
  id: 'moveApiRequest',
  method: 'POST',
  path: '/api-requests/:requestId/move',
  scope: 'api-requests:write',
  about: 'either',
  origin: 'extension',
  summary: 'Move a saved request next to another, or into another folder.',
  description:
    'Next to another request, it moves into that folder. With only `folderId`, it becomes the last there; `null` is the top.',
  params,
  body: closedObject({
    folderId: FolderIdInput('null: to the top'),
    beforeId: Type.Optional(Id('req')),
    afterId: Type.Optional(Id('req')),
  }),
  reply: one(ApiRequest),
  conflicts: [ENGAGEMENT_ARCHIVED],
  example: { body: { folderId: null }, reply: { data: EXAMPLE_REQUEST } },
})

export const copyApiRequest = endpoint({
  id: 'copyApiRequest',
  method: 'POST',
  path: '/api-requests/:requestId/copy',
  scope: 'api-requests:write',
  about: 'either',
  origin: 'extension',
  summary: 'Copy a saved request.',
  description:
    'The copy is last in its folder, without runs and files. Into another engagement, or the organization, it goes to the top, and without the secrets of `auth`.',
  params,
  body: closedObject({
    name: Type.Optional(Name),
    engagementId: EngagementIdInput,
    folderId: FolderIdInput('null: at the top'),
  }),
  bodyIsOptional: true,
  status: 201,
  reply: one(ApiRequest),
  conflicts: [ENGAGEMENT_ARCHIVED],
  example: { body: {}, reply: { data: { ...EXAMPLE_REQUEST, lastRun: null } } },
})

const execution = {
  environmentId: Type.Optional(Id('env', 'of the engagement of the run, or of the organization')),
  variables: Type.Optional(VariableValues),
  targetId: Type.Optional(Id('tgt', 'gives `target.value`, `target.host` and `target.url`; needs `targets:read`')),
  override: OverrideInput,
}

const NOT_SENT = [
  'This engagement is not active: nothing is sent from it.',
  'It is outside the testing hours: the next window begins on 2026-11-23 at 20:00 (Europe/Berlin).',
  IN_SAFE_MODE,
]
const RUN_RULES =
  'Responds when the run has ended, after at most two minutes. A run that the scope rules or the egress policy deny is `refused`; one that reached no server is `failed`; one with any response is `succeeded`.'

export const executeApiRequest = endpoint({
  id: 'executeApiRequest',
  method: 'POST',
  path: '/api-requests/:requestId/execute',
  scope: 'api-requests:write',
  about: 'either',
  origin: 'extension',
  summary: 'Execute a saved request.',
  description: `${RUN_RULES} A request of the organization is executed for the engagement of \`engagementId\`. ${WITHOUT_ENGAGEMENT}`,
  params,
  body: closedObject({ engagementId: Type.Optional(Id('eng')), ...execution }),
  status: 201,
  reply: one(RequestRun),
  externalEffect: { seconds: 150 },
  conflicts: NOT_SENT,
  example: {
    body: { engagementId: EXAMPLE_SUMMARY.engagementId, variables: { host: 'staging.example.com' } },
    reply: { data: EXAMPLE_RUN },
  },
})

export const sendRequest = endpoint({
  id: 'sendRequest',
  method: 'POST',
  path: '/api-requests/send',
  scope: 'api-requests:write',
  about: 'either',
  origin: 'extension',
  summary: 'Execute a request without saving it.',
  description: `${RUN_RULES} With \`requestId\`, a saved request is sent with this content: the saved one does not change, its files and inherited settings are used, \`null\` uses its stored password or token, and the run is in its history. ${WITHOUT_ENGAGEMENT}`,
  bodyLimits: REQUEST_BODY_LIMITS,
  body: closedObject({
    engagementId: EngagementIdInput,
    requestId: Type.Optional(Id('req', 'the saved request that this is based on')),
    request: closedObject(requestInput),
    ...execution,
  }),
  status: 201,
  reply: one(RequestRun),
  externalEffect: { seconds: 150 },
  conflicts: NOT_SENT,
  example: {
    body: { engagementId: EXAMPLE_SUMMARY.engagementId, request: { url: 'https://staging.example.com/' } },
    reply: { data: { ...EXAMPLE_RUN, requestId: null } },
  },
})

const ofRequests = fileEndpointsOf({
  noun: 'ApiRequest',
  name: 'a saved request',
  path: '/api-requests/:requestId',
  params: { requestId: Id('req') },
  read: 'api-requests:read',
  write: 'api-requests:write',
  about: 'either',
})

export const uploadApiRequestFile = ofRequests.upload
export const listApiRequestFiles = ofRequests.list
export const downloadApiRequestFile = ofRequests.download
export const deleteApiRequestFile = ofRequests.remove
