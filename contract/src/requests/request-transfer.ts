import Type from 'typebox'
import { closedObject, endpoint, Id, OneOf, one } from '../core/endpoint.ts'
import { ENGAGEMENT_ARCHIVED } from '../core/values.ts'
import { EXAMPLE_SUMMARY, RequestSummary } from './api-requests.ts'
import { Environment } from './request-environments.ts'
import { RequestFolder } from './request-folders.ts'

export const IMPORT_FORMATS = [
  'curl',
  'http',
  'har',
  'openapi',
  'postman',
  'insomnia',
  'bruno',
  'hoppscotch',
  'burp',
] as const
export const EXPORT_FORMATS = ['har', 'postman', 'openapi'] as const

/** Maximum size of an imported file, in bytes. */
export const MAX_IMPORT_BYTES = 10_485_760
/** Maximum per import and per export. */
export const MAX_TRANSFERRED = 2_000

export const importApiRequests = endpoint({
  id: 'importApiRequests',
  cost: { perHour: 240, atOnce: 2 },
  method: 'POST',
  path: '/api-requests/import',
  scope: 'api-requests:write',
  about: 'either',
  origin: 'extension',
  summary: 'Import saved requests.',
  description: `The body is cURL commands, HTTP requests, HAR 1.2, OpenAPI 3.0 or 3.1, Swagger 2.0, saved items of Burp, a Postman collection 2.1 or environment, or a collection of Insomnia, Bruno or Hoppscotch, as JSON, YAML or text, of at most ${MAX_IMPORT_BYTES} bytes and ${MAX_TRANSFERRED} requests. Items that cannot be imported are listed in \`problems\`. No file is read, nothing is fetched, nothing is run. \`preview\` returns the same and stores nothing: its ids do not exist.`,
  query: closedObject({
    engagementId: Type.Optional(Id('eng', 'without it they belong to the organization')),
    folderId: Type.Optional(Id('fld')),
    format: Type.Optional(OneOf(['auto', ...IMPORT_FORMATS], { default: 'auto' })),
    mode: Type.Optional(OneOf(['apply', 'preview'], { description: 'default `apply`' })),
    variables: Type.Optional(
      OneOf(['use', 'text'], {
        description:
          'default `use`: names in braces are variables where the format has them; `text` keeps all of them as text',
      }),
    ),
  }),
  consumes: 'bytes',
  status: 201,
  reply: one(
    closedObject({
      requests: Type.Array(RequestSummary),
      folders: Type.Array(RequestFolder),
      environments: Type.Array(Environment),
      problems: Type.Array(
        closedObject({ position: Type.String({ description: 'where in the file' }), reason: Type.String() }),
      ),
      unresolved: Type.Array(
        closedObject({
          name: Type.String(),
          requests: Type.Integer({ minimum: 1, description: 'how many requests use it' }),
        }),
        { description: 'variables without a value in the file, by name' },
      ),
    }),
  ),
  conflicts: [ENGAGEMENT_ARCHIVED],
  example: {
    reply: {
      data: {
        requests: [{ ...EXAMPLE_SUMMARY, lastRun: null }],
        folders: [],
        environments: [],
        problems: [{ position: 'command 1', reason: '--data @file: files are not read' }],
        unresolved: [{ name: 'host', requests: 1 }],
      },
    },
  },
})

export const getApiRequestCurl = endpoint({
  id: 'getApiRequestCurl',
  method: 'GET',
  path: '/api-requests/:requestId/curl',
  scope: 'api-requests:read',
  about: 'either',
  origin: 'extension',
  summary: 'Get a saved request as a cURL command.',
  description: 'Safe to paste into a POSIX shell. Variables and secrets are names in braces.',
  params: closedObject({ requestId: Id('req') }),
  reply: one(closedObject({ curl: Type.String() })),
  example: { reply: { data: { curl: "curl 'https://{{host}}/api/users' -H 'Accept: application/json'" } } },
})

export const exportApiRequests = endpoint({
  id: 'exportApiRequests',
  cost: { perHour: 120, atOnce: 2 },
  method: 'GET',
  path: '/api-requests/export',
  scope: 'api-requests:read',
  about: 'either',
  origin: 'extension',
  summary: 'Export the saved requests of an engagement, or of the organization.',
  description: `At most ${MAX_TRANSFERRED} requests. Secrets are exported as names of variables.`,
  query: closedObject({
    engagementId: Type.Optional(Id('eng', 'without it those of the organization')),
    format: OneOf(EXPORT_FORMATS),
  }),
  reply: Type.String(),
  produces: {
    byFormat: {
      har: { type: 'application/json; charset=utf-8', fileName: 'requests.har' },
      postman: { type: 'application/json; charset=utf-8', fileName: 'requests.postman_collection.json' },
      openapi: { type: 'application/json; charset=utf-8', fileName: 'requests.openapi.json' },
    },
  },
  example: { reply: { log: { version: '1.2', creator: { name: 'Sortie', version: '1' }, entries: [] } } },
})
