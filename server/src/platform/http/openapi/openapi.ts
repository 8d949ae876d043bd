import { setImmediate } from 'node:timers/promises'
import { answersJson, DOOR_PATHS, documentsOf, type Endpoint } from '@sortie/contract/core/endpoint.ts'
import { ERROR_STATUS } from '@sortie/contract/core/errors.ts'
import { SCOPES } from '@sortie/contract/organization/identities/scope-descriptions.ts'
import type { TSchema } from 'typebox'
import { requirementOf } from '../../auth/guard.ts'
import type { Config } from '../../config.ts'
import { BRIEF_OBJECT, briefReplyOf, isOfOneObject } from '../routes/brief-replies.ts'
import { takesIdempotencyKey } from '../routes/idempotency.ts'
import {
  COMMON_HEADERS,
  failuresOf,
  HEADERS,
  PARAMETERS,
  publicFailures,
  sharedAnswers,
  successHeaders,
} from './openapi-answers.ts'
import { INTRODUCTION } from './openapi-introduction.ts'
import { mcpPaths } from './openapi-mcp.ts'

/** Guards whose scope the operator chooses. */
const SCOPE_OF_OPERATOR = /^(?:setting|member-or-key|admin-or-key):/

type Json = Record<string, unknown>

export interface Operation extends Json {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  responses: Record<string, Json>
}

/** The part of an OpenAPI 3.1 document that this server reads itself. */
export interface OpenApiDocument extends Json {
  info: { title: string; version: string; description: string }
  tags: { name: string; description: string }[]
  'x-decisions': readonly { openPoint: number; point: string; decision: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Json>
}

export interface OpenApiInput {
  groups: readonly { name: string; description: string; endpoints: readonly Endpoint[] }[]
  /** Schemas that are written once, under these names, and referenced. */
  namedSchemas: ReadonlyMap<TSchema, string>
  /** How this project decides the open points of the specification; published in the document. */
  decisions: OpenApiDocument['x-decisions']
  config: Pick<
    Config,
    'ENGAGEMENT_READ_SCOPE' | 'ENGAGEMENT_WRITE_SCOPE' | 'RATE_LIMIT_MAX' | 'RATE_LIMIT_WINDOW_SECONDS'
  >
}

const OPERATIONS_TAG = {
  name: 'Operations',
  description: 'Whether the server works, this document, and the protocol of AI clients.',
}

/** Makes the document of all endpoints of the key door, from the declarations that also make the routes. */
export const openApiDocument = async ({
  groups,
  namedSchemas,
  decisions,
  config,
}: OpenApiInput): Promise<OpenApiDocument> => {
  const schemas = schemaWriter(namedSchemas)
  const paths: OpenApiDocument['paths'] = {}
  for (const group of groups) {
    for (const endpoint of group.endpoints) {
      // Lets other requests run in between: the whole document takes about a second.
      await setImmediate()
      const path = (DOOR_PATHS.key + endpoint.path).replace(/:(\w+)/g, '{$1}')
      paths[path] = {
        ...paths[path],
        [endpoint.method.toLowerCase()]: operationOf(endpoint, group.name, config, schemas.write),
      }
    }
  }
  Object.assign(paths, mcpPaths(OPERATIONS_TAG.name), OPERATIONAL_PATHS)
  return {
    openapi: '3.1.0',
    info: { title: 'Sortie API', version: 'v1', description: INTRODUCTION },
    servers: [{ url: '/', description: 'The instance that serves this document.' }],
    security: [{ apiKey: [] }],
    tags: [...groups.map(({ name, description }) => ({ name, description })), OPERATIONS_TAG],
    'x-scopes': SCOPES,
    'x-decisions': decisions,
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of an organization: `Authorization: Bearer <API_KEY>`.',
        },
      },
      headers: HEADERS,
      parameters: PARAMETERS,
      schemas: { Error: ERROR, Health: HEALTH, Brief: BRIEF_OBJECT, ...schemas.written() },
      responses: sharedAnswers(config),
    },
  }
}

const operationOf = (
  endpoint: Endpoint,
  tag: string,
  config: OpenApiInput['config'],
  write: (schema: TSchema) => unknown,
): Operation => {
  const requirement = requirementOf(endpoint.scope, config)
  const points = referencesIn([endpoint.summary, endpoint.description, endpoint.query, endpoint.body, endpoint.reply])
  return {
    operationId: endpoint.id,
    summary: endpoint.summary,
    ...(endpoint.description && { description: endpoint.description }),
    tags: [tag],
    'x-origin': endpoint.origin,
    'x-scope': typeof requirement === 'object' && 'scope' in requirement ? requirement.scope : '*',
    ...(SCOPE_OF_OPERATOR.test(endpoint.scope) && { 'x-scope-setting': endpoint.scope.replace(SCOPE_OF_OPERATOR, '') }),
    ...(points.length > 0 && { 'x-decisions': points }),
    security: [{ apiKey: [] }],
    ...parametersOf(endpoint, write),
    ...requestBodyOf(endpoint, write),
    responses: {
      [endpoint.status]: {
        description: endpoint.status === 201 ? 'Created.' : 'Done.',
        ...successOf(endpoint, config, write),
      },
      ...failuresOf(endpoint, requirement),
    },
  }
}

const schemaOfDocument = (type: string): Json => ({
  type: 'string',
  ...(type === 'application/zip' && { format: 'binary' }),
})

/** Any file. */
const BYTES = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }

/** A stored JSON file has no schema of its own here. */
const contentOf = (mediaType: string): [mediaType: string, content: Json] => {
  const [type = mediaType] = mediaType.split(';')
  return [type, type === 'application/json' ? { schema: {}, example: {} } : BYTES['application/octet-stream']]
}

const requestBodyOf = (endpoint: Endpoint, write: (schema: TSchema) => unknown): { requestBody?: Json } => {
  if (endpoint.consumes === 'bytes') return { requestBody: { required: true, content: BYTES } }
  if (!endpoint.body) return {}
  return {
    requestBody: {
      required: !endpoint.bodyIsOptional,
      content: { 'application/json': { schema: write(endpoint.body), example: endpoint.example?.body } },
    },
  }
}

const DISPOSITION = { $ref: '#/components/headers/Content-Disposition' }

/** Includes the brief reply for keys that may not read what they change (`brief-replies.ts`). */
const jsonOf = (endpoint: Endpoint, config: OpenApiInput['config'], write: (schema: TSchema) => unknown): Json => {
  const brief = briefReplyOf(endpoint, config)
  const whole = write(endpoint.reply)
  const other = brief && (isOfOneObject(brief) ? { $ref: '#/components/schemas/Brief' } : write(brief.schema))
  const schema = other ? { anyOf: [whole, other] } : whole
  return { 'application/json': { schema, example: endpoint.example?.reply } }
}

const successOf = (endpoint: Endpoint, config: OpenApiInput['config'], write: (schema: TSchema) => unknown): Json => {
  const documents = Object.values(documentsOf(endpoint.produces))
  if (documents.length > 0) {
    const content = documents.map(({ type }) => [
      type.split(';')[0],
      type.startsWith('application/json')
        ? { schema: {}, example: endpoint.example?.reply }
        : { schema: schemaOfDocument(type) },
    ])
    if (answersJson(endpoint))
      return {
        headers: COMMON_HEADERS,
        content: { ...jsonOf(endpoint, config, write), ...Object.fromEntries(content) },
      }
    return { headers: { ...COMMON_HEADERS, 'Content-Disposition': DISPOSITION }, content: Object.fromEntries(content) }
  }
  if (endpoint.produces === 'events')
    return { headers: COMMON_HEADERS, content: { 'text/event-stream': { schema: { type: 'string' } } } }
  if (endpoint.produces !== 'file')
    return { headers: successHeaders(endpoint), content: jsonOf(endpoint, config, write) }
  return {
    headers: { ...COMMON_HEADERS, 'Content-Disposition': DISPOSITION },
    content: endpoint.fileTypes
      ? Object.fromEntries(endpoint.fileTypes.map((type) => contentOf(type)))
      : { ...BYTES, 'image/*': BYTES['application/octet-stream'] },
  }
}

const parametersOf = (endpoint: Endpoint, write: (schema: TSchema) => unknown): { parameters?: Json[] } => {
  const all = [
    ...Object.entries(endpoint.params.properties).map(([name, schema]) => ({
      name,
      in: 'path',
      required: true,
      schema,
    })),
    ...Object.entries(endpoint.query.properties).map(([name, schema]) => ({
      name,
      in: 'query',
      required: (endpoint.query.required as readonly string[] | undefined)?.includes(name) ?? false,
      schema,
    })),
  ]
  const parameters: Json[] = all.map(({ schema, ...parameter }) => {
    const { description, ...rest } = write(schema as TSchema) as Json
    // Commas separate several values.
    const style = rest['type'] === 'array' && { style: 'form', explode: false }
    return { ...parameter, ...style, ...(description !== undefined && { description }), schema: rest }
  })
  if (takesIdempotencyKey(endpoint, 'key')) parameters.push({ $ref: '#/components/parameters/Idempotency-Key' })
  return parameters.length === 0 ? {} : { parameters }
}

/** Numbers of the open points that texts refer to: `(open point 5)`, `(open points 4 and 5)`. */
export const referencesIn = (texts: unknown): number[] => {
  const found = [...JSON.stringify(texts).matchAll(/open points? (\d+(?:(?:, | and )\d+)*)/g)].flatMap(
    ([, numbers]) => (numbers as string).match(/\d+/g) ?? [],
  )
  return [...new Set(found.map(Number))].sort((a, b) => a - b)
}

/** Turns schemas into plain JSON; named ones are written once and referenced. */
const schemaWriter = (names: ReadonlyMap<TSchema, string>) => {
  const components: Json = {}
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, write(inner)]))
  }
  const write = (value: unknown): unknown => {
    const name = names.get(value as TSchema)
    if (name === undefined) return plain(value)
    components[name] ??= plain(value)
    return { $ref: `#/components/schemas/${name}` }
  }
  return { write, written: () => components }
}

const ERROR = {
  type: 'object',
  description: 'The body of every answer that is not a success.',
  required: ['error'],
  additionalProperties: false,
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'statusCode'],
      additionalProperties: false,
      properties: {
        code: { type: 'string', enum: Object.keys(ERROR_STATUS) },
        message: { type: 'string', minLength: 1, description: 'one sentence that says what was wrong, and where' },
        statusCode: {
          type: 'integer',
          enum: [...Object.values(ERROR_STATUS), 503],
          description: 'equals the HTTP status',
        },
      },
    },
  },
}

const HEALTH = {
  type: 'object',
  required: ['status', 'timestamp'],
  additionalProperties: false,
  properties: {
    status: { type: 'string', enum: ['ok', 'unavailable'], description: '`ok` when healthy' },
    timestamp: { type: 'string', format: 'date-time', examples: ['2026-11-21T08:30:00.000Z'] },
  },
}

/** Of `?verbose`. */
const HEALTH_DETAILS = {
  type: 'object',
  required: ['status', 'timestamp', 'version', 'commit', 'schema', 'components'],
  additionalProperties: false,
  properties: {
    ...HEALTH.properties,
    status: { type: 'string', enum: ['ok', 'degraded'], description: '`degraded` if a part does not work' },
    version: { type: 'string', examples: ['0.2.0'] },
    commit: { type: ['string', 'null'], description: 'that the server was built from' },
    schema: { type: 'integer', description: 'the last migration of the database' },
    components: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'status', 'message'],
        additionalProperties: false,
        properties: {
          name: { type: 'string' },
          status: { type: 'string', enum: ['ok', 'degraded', 'unavailable', 'off'] },
          message: { type: 'string' },
        },
      },
    },
  },
}

const HEALTH_ONLY = { $ref: '#/components/schemas/Health' }

const healthAnswer = (description: string, status: string, headers: object = {}, schema: object = HEALTH_ONLY) => ({
  description,
  headers: { ...COMMON_HEADERS, ...headers },
  content: {
    'application/json': {
      schema,
      example: { status, timestamp: '2026-11-21T08:30:00.000Z' },
    },
  },
})

/** Paths that need no key and are not part of the contract. */
const OPERATIONAL_PATHS: OpenApiDocument['paths'] = {
  '/api/health': {
    get: {
      operationId: 'getHealth',
      summary: 'Tell whether the server and its database work.',
      description:
        'Needs no key and is never refused for its rate; it still has the rate-limit headers (open point 21). `/api/health/live` answers the same for the process only. `?verbose` adds versions and the health of each part, for a session of an instance administrator; for all others it changes nothing.',
      tags: [OPERATIONS_TAG.name],
      'x-origin': 'specified',
      'x-decisions': [21],
      security: [],
      responses: {
        '200': healthAnswer('Healthy.', 'ok', {}, { anyOf: [HEALTH_ONLY, HEALTH_DETAILS] }),
        '400': { $ref: '#/components/responses/NoHost' },
        '503': healthAnswer('The database does not answer, or the server is starting.', 'unavailable', {
          'Retry-After': { $ref: '#/components/headers/Retry-After' },
        }),
      },
    },
  },
  '/api/v1/openapi.json': {
    get: {
      operationId: 'getOpenApiDocument',
      summary: 'Read this document.',
      description: 'Needs no key; counts against the limit of the client address.',
      tags: [OPERATIONS_TAG.name],
      'x-origin': 'extension',
      security: [],
      responses: {
        '200': {
          description: 'An OpenAPI 3.1 document.',
          headers: COMMON_HEADERS,
          content: {
            'application/json': {
              schema: { type: 'object', description: 'see https://spec.openapis.org/oas/v3.1.1' },
              example: { openapi: '3.1.0' },
            },
          },
        },
        ...publicFailures(),
      },
    },
  },
}
