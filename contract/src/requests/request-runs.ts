import Type from 'typebox'
import {
  closedObject,
  endpoint,
  Id,
  Line,
  Nullable,
  NullableString,
  NullableTimestamp,
  OneOf,
  one,
  Timestamp,
  AuthorId,
} from '../core/endpoint.ts'
import { StoredFile } from '../core/files.ts'
import { AnyId, AnyOf, declareList, OneId, OrganizationFlag } from '../core/lists.ts'
import { ENGAGEMENT_ARCHIVED, SEVERITIES } from '../core/values.ts'
import { AssertionResult, Override } from './request-parts.ts'

export const RUN_STATES = ['succeeded', 'failed', 'refused', 'cancelled'] as const

const Header = closedObject({ name: Type.String(), value: Type.String() })
const NullableInteger = (description: string) => Type.Unsafe<number | null>({ type: ['integer', 'null'], description })
const Ms = NullableInteger('milliseconds; null if this phase was not reached')

const ResponseFacts = {
  status: Type.Integer(),
  statusText: Type.String(),
  httpVersion: Type.String({ examples: ['1.1'] }),
  headers: Type.Array(Header, { description: 'in their order, masked' }),
  size: Type.Integer({ description: 'bytes of the body after content decoding' }),
  truncated: Type.Boolean({ description: 'whether more was received than is kept' }),
  mediaType: NullableString('of `Content-Type`, without parameters'),
  bodySha256: Type.String({ description: 'of the whole body after content decoding' }),
  remoteAddress: NullableString('the server that answered; behind a proxy, the proxy'),
  tls: Nullable(
    {
      version: Type.String(),
      cipher: Type.String(),
      issuer: Type.String(),
      notAfter: NullableTimestamp('when the certificate ends'),
      problem: NullableString('why the certificate is not trusted, if the request does not verify it'),
    },
    'null without TLS',
  ),
}

const summary = {
  id: Id('run'),
  requestId: NullableString('the saved request; null for one that was not saved'),
  sequenceId: NullableString('the sequence that it was part of'),
  engagementId: NullableString('whose rules, hours and environments applied'),
  environmentId: NullableString('the environment'),
  state: OneOf(RUN_STATES, { description: '`succeeded` for a response with any status' }),
  reason: NullableString('why it failed, was refused or cancelled'),
  method: Type.String(),
  url: Type.String({ description: 'masked' }),
  status: NullableInteger('of the answer'),
  pinned: Type.Boolean({ description: 'kept regardless of its age' }),
  override: Override,
  startedBy: Nullable({ id: AuthorId(), name: Type.String() }, 'null for an API key'),
  startedAt: Timestamp(),
  createdAt: Timestamp(),
}

/** The form in lists. */
export const RunSummary = closedObject(summary)

export const RequestRun = closedObject({
  ...summary,
  request: closedObject({
    method: Type.String(),
    url: Type.String(),
    headers: Type.Array(Header),
    body: NullableString('as sent; a description in place of each file'),
  }),
  hops: Type.Array(
    closedObject({
      url: Type.String(),
      address: NullableString('what it was sent to'),
      status: NullableInteger('of the answer'),
    }),
  ),
  response: Nullable(ResponseFacts, 'null without a response'),
  timing: closedObject({ dns: Ms, connect: Ms, tls: Ms, firstByte: Ms, total: Ms }),
  assertions: Type.Array(AssertionResult),
  captured: Type.Unsafe<Record<string, string> | null>({
    type: ['object', 'null'],
    additionalProperties: { type: 'string' },
    description: 'values by variable',
  }),
})

export const EXAMPLE_RUN_SUMMARY = {
  id: 'run_01jd7w2v4pf1y8m3c6k9t0r5xz',
  requestId: 'req_01jd7w2v4pf1y8m3c6k9t0r5xz',
  sequenceId: null,
  engagementId: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz',
  environmentId: null,
  state: 'succeeded',
  reason: null,
  method: 'GET',
  url: 'https://staging.example.com/api/users',
  status: 200,
  pinned: false,
  override: null,
  startedBy: { id: 'usr_01jd7w2v4pf1y8m3c6k9t0r5xz', name: 'Ada Lovelace' },
  startedAt: '2026-11-21T08:30:00.000Z',
  createdAt: '2026-11-21T08:30:00.000Z',
} as const

export const EXAMPLE_RUN = {
  ...EXAMPLE_RUN_SUMMARY,
  request: {
    method: 'GET',
    url: EXAMPLE_RUN_SUMMARY.url,
    headers: [{ name: 'authorization', value: 'Bearer ••••' }],
    body: null,
  },
  hops: [{ url: EXAMPLE_RUN_SUMMARY.url, address: '203.0.113.7', status: 200 }],
  response: {
    status: 200,
    statusText: 'OK',
    httpVersion: '1.1',
    headers: [{ name: 'content-type', value: 'application/json' }],
    size: 2,
    truncated: false,
    mediaType: 'application/json',
    bodySha256: '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
    remoteAddress: '203.0.113.7',
    tls: {
      version: 'TLSv1.3',
      cipher: 'TLS_AES_256_GCM_SHA384',
      issuer: 'R11',
      notAfter: '2027-01-21T08:30:00.000Z',
      problem: null,
    },
  },
  timing: { dns: 3, connect: 12, tls: 14, firstByte: 42, total: 45 },
  assertions: [{ subject: 'status', operator: 'equals', value: 200, passed: true, actual: 200 }],
  captured: null,
} as const

export const runList = declareList({
  name: 'request-runs',
  item: RunSummary,
  sorts: ['createdAt'],
  filters: {
    engagementId: OneId('eng'),
    organization: OrganizationFlag,
    requestId: AnyId('req', { orNone: true }),
    sequenceId: AnyId('seq', { orNone: true }),
    state: AnyOf(RUN_STATES),
    startedById: AnyId('usr', { orNone: true, orMe: true }),
  },
})

const params = closedObject({ runId: Id('run') })

export const listRequestRuns = endpoint({
  id: 'listRequestRuns',
  method: 'GET',
  path: '/request-runs',
  scope: 'api-requests:read',
  about: 'either',
  origin: 'extension',
  summary: 'List executed requests, newest first.',
  description:
    'Runs under way are left out. Runs are kept for 90 days, the newest 1,000 of each request. Pinned runs are kept until they are unpinned.',
  query: runList.query,
  reply: runList.reply,
  example: { reply: { data: [EXAMPLE_RUN_SUMMARY], meta: { perPage: 20, nextCursor: null, total: 1 } } },
})

export const getRequestRun = endpoint({
  id: 'getRequestRun',
  method: 'GET',
  path: '/request-runs/:runId',
  scope: 'api-requests:read',
  about: 'either',
  origin: 'extension',
  summary: 'Get an executed request.',
  params,
  reply: one(RequestRun),
  example: { reply: { data: EXAMPLE_RUN } },
})

export const getRequestRunBody = endpoint({
  id: 'getRequestRunBody',
  method: 'GET',
  path: '/request-runs/:runId/body',
  scope: 'api-requests:read',
  about: 'either',
  origin: 'extension',
  summary: 'Download a response body.',
  description:
    'The bytes after content decoding, as far as they are kept (`RUN_BODY_LIMIT_BYTES`), as received. 404 without a response.',
  params,
  reply: Type.String(),
  produces: 'file',
})

const ExcerptPart = {
  headers: Type.Array(Header, { description: 'in their order, masked' }),
  body: NullableString('masked; null without one'),
}

export const getRequestRunExcerpt = endpoint({
  id: 'getRequestRunExcerpt',
  method: 'GET',
  path: '/request-runs/:runId/excerpt',
  scope: 'api-requests:read',
  about: 'either',
  origin: 'extension',
  summary: 'Read what was sent and received as findings show it: without secrets, credentials and cookies.',
  description:
    'The secrets of the request, the values of its `Authorization` and `Cookie` headers, and the cookies that the response sets are replaced by `••••`, also in the bodies. The body of the response is at most its first 240 KiB, as text.',
  params,
  reply: one(
    closedObject({
      request: closedObject({ method: Type.String(), url: Type.String(), ...ExcerptPart }),
      response: Nullable(
        {
          httpVersion: Type.String({ examples: ['1.1'] }),
          status: Type.Integer(),
          statusText: Type.String(),
          ...ExcerptPart,
          omitted: NullableString('why there is no text of the body, though the response has one'),
        },
        'null without a response',
      ),
    }),
  ),
  example: {
    reply: {
      data: {
        request: {
          method: 'GET',
          url: EXAMPLE_RUN_SUMMARY.url,
          headers: [{ name: 'authorization', value: 'Bearer ••••' }],
          body: null,
        },
        response: {
          httpVersion: '1.1',
          status: 200,
          statusText: 'OK',
          headers: [{ name: 'set-cookie', value: 'session=••••; Secure' }],
          body: '{"token":"••••"}',
          omitted: null,
        },
      },
    },
  },
})

const Change = closedObject({
  kind: OneOf(['added', 'removed', 'changed']),
  path: Type.String({ description: 'a JSON Pointer (RFC 6901), cut after 1,000 characters, or the number of a line' }),
  a: NullableString('as it was, at most 1,000 characters'),
  b: NullableString('as it is, at most 1,000 characters'),
})

export const diffRequestRuns = endpoint({
  id: 'diffRequestRuns',
  cost: { perHour: 1_200, atOnce: 2 },
  method: 'GET',
  path: '/request-runs/diff',
  scope: 'api-requests:read',
  about: 'either',
  origin: 'extension',
  summary: 'Compare the responses of two runs.',
  description: 'JSON is compared as JSON, text by lines, anything else as bytes. At most 1,000 changes are listed.',
  query: closedObject({ a: Id('run'), b: Id('run') }),
  reply: one(
    closedObject({
      status: closedObject({
        a: NullableInteger('of the first'),
        b: NullableInteger('of the second'),
        equal: Type.Boolean(),
      }),
      headers: closedObject({
        equal: Type.Boolean(),
        changes: Type.Array(
          closedObject({ name: Type.String(), a: Type.Array(Type.String()), b: Type.Array(Type.String()) }),
        ),
      }),
      body: closedObject({
        mode: OneOf(['json', 'text', 'bytes']),
        equal: Type.Boolean(),
        tooLarge: Type.Boolean({
          description:
            'it has more than 200,000 values of JSON, or more than 200 levels, and they are not all compared',
        }),
        changes: Type.Array(Change),
      }),
    }),
  ),
  example: {
    reply: {
      data: {
        status: { a: 200, b: 403, equal: false },
        headers: { equal: true, changes: [] },
        body: {
          mode: 'json',
          equal: false,
          tooLarge: false,
          changes: [{ kind: 'changed', path: '/role', a: '"admin"', b: '"user"' }],
        },
      },
    },
  },
})

export const updateRequestRun = endpoint({
  id: 'updateRequestRun',
  method: 'PATCH',
  path: '/request-runs/:runId',
  scope: 'api-requests:write',
  about: 'either',
  origin: 'extension',
  summary: 'Pin a run, or unpin it.',
  params,
  body: closedObject({ pinned: Type.Boolean() }),
  reply: one(RequestRun),
  conflicts: [ENGAGEMENT_ARCHIVED],
  example: { body: { pinned: true }, reply: { data: { ...EXAMPLE_RUN, pinned: true } } },
})

export const deleteRequestRun = endpoint({
  id: 'deleteRequestRun',
  method: 'DELETE',
  path: '/request-runs/:runId',
  scope: 'api-requests:write',
  about: 'either',
  origin: 'extension',
  summary: 'Delete a run.',
  params,
  reply: one(closedObject({ deleted: Type.Boolean(), id: Id('run') })),
  conflicts: [ENGAGEMENT_ARCHIVED],
  example: { reply: { data: { deleted: true, id: EXAMPLE_RUN_SUMMARY.id } } },
})

export const attachRequestRun = endpoint({
  id: 'attachRequestRun',
  method: 'POST',
  path: '/request-runs/:runId/attach',
  scope: 'api-requests:write',
  about: 'either',
  origin: 'extension',
  summary: 'Attach a run as evidence to a result, task or page, or create a vulnerability from it.',
  description:
    'Give exactly one of the fields. Request and response become a file with `runId`, which is kept when the run is deleted, and which is returned. `newResult` creates a vulnerability with both filled in, and returns `resultId`. The caller also needs the scope that writes there.',
  params,
  body: closedObject({
    resultId: Type.Optional(Id('res')),
    taskId: Type.Optional(Id('tsk')),
    pageId: Type.Optional(Id('wik')),
    newResult: Type.Optional(closedObject({ title: Line(500), severity: OneOf(SEVERITIES) })),
  }),
  status: 201,
  reply: one(
    closedObject({
      ...(Object.fromEntries(
        Object.entries(StoredFile.properties).map(([name, schema]) => [name, Type.Optional(schema)]),
      ) as {
        [K in keyof typeof StoredFile.properties]: Type.TOptional<(typeof StoredFile.properties)[K]>
      }),
      resultId: Type.Optional(Id('res')),
    }),
  ),
  conflicts: [
    ENGAGEMENT_ARCHIVED,
    'This run belongs to no engagement.',
    'This page is in the trash: restore it first.',
    'This organization may store 21474836480 bytes, including its files: delete some first.',
    'An engagement has at most 1000000 results (RESULT_LIMIT).',
  ],
  example: {
    body: { newResult: { title: 'Users can read what others own', severity: 'high' } },
    reply: { data: { resultId: 'res_01jd7w2v4pf1y8m3c6k9t0r5xz' } },
  },
})
