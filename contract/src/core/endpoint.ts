import Type, { type Static, type TObject, type TSchema } from 'typebox'
import type { About, Guard } from './scopes.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/**
 * The doors to the server.
 *
 * - `key`: `/api/v1`, opened only by an API key
 * - `web`: `/api/web`, opened only by a session cookie
 * - `auth`: `/api/auth`, where sessions start and end
 */
export type Door = 'key' | 'web' | 'auth'

export const DOOR_PATHS: Record<Door, string> = { key: '/api/v1', web: '/api/web', auth: '/api/auth' }

/** Rate limit of an expensive endpoint, on top of the general one (open point 18). */
export interface Cost {
  /** Per organization; per user if an endpoint belongs to no organization. */
  perHour: number
  /** Concurrent requests, per process. */
  atOnce: number
  /** Without this query parameter the response is cheap, and does not count. */
  onlyWith?: string
}

/** A file that is generated for a response. */
export interface Document {
  type: string
  fileName: string
  /** A page with styles and images of its own, shown in a frame of the web interface rather than saved; nothing in it runs. */
  isPage?: true
}

interface Declaration {
  /** Verb and noun: the operationId, the client's method and the name of the service function. */
  id: string
  method: Method
  /** Path below the door, with `:name` for parameters. */
  path: string
  scope: Guard
  about: About
  /**
   * The guard that a key must pass to receive the whole object that it changes; by default the read scope that matches
   * the write scope. Without it the response has the id and times only (finding T22).
   */
  readBy?: Guard
  /** `specified`: in the specification's tables. `extension`: this project's own design. */
  origin: 'specified' | 'extension'
  /** One sentence, for the OpenAPI document. */
  summary: string
  /** Further details for callers, including our decisions on open points. */
  description?: string
  params?: TObject
  query?: TObject
  body?: TObject
  /** Without a body it does what it does with `{}`. */
  bodyIsOptional?: true
  /** `bytes`: the body is a file of any Content-Type, handed on as it arrives and never parsed. */
  consumes?: 'bytes'
  /** Body limits, if the usual 1 MiB and 2,000 keys are not enough (open point 32). */
  bodyLimits?: { bytes?: number; keys?: number }
  reply: TSchema
  status?: 200 | 201
  doors?: readonly Door[]
  /**
   * For responses other than JSON. A generated document has a fixed media type and name, or one for each value of the
   * query parameter `format` (JSON without it, if it is optional); `file` is a stored one with its own; `events` is an
   * endless stream of server-sent events. `reply` is then a string, or the schema of each event.
   */
  produces?: Document | Readonly<Record<'byFormat', Readonly<Record<string, Document>>>> | 'file' | 'events'
  /** The media types of a stored file, if they are known; otherwise bytes or an image. */
  fileTypes?: readonly string[]
  cost?: Cost
  /**
   * Has an effect outside of the database that cannot be rolled back, and may take this long to respond. What it starts
   * is stored before the effect; a repetition with the same Idempotency-Key is 409 if the first request got no
   * response.
   */
  externalEffect?: { seconds: number }
  /**
   * How long the response may take after the last byte of the request, if processing takes longer than the socket
   * timeout.
   */
  responseTimeout?: { seconds: number }
  /** A realistic request body and reply, shown in the reference; a test checks them against the schemas. */
  example?: { body?: unknown; reply: unknown }
  /** The messages of its 409 responses; an endpoint without them never returns 409. */
  conflicts?: readonly string[]
  /** The messages of its 422 responses for a file body; without them every file is accepted. */
  refusals?: readonly string[]
}

/** A declaration with all defaults. The type parameter keeps what the compiler needs: schemas and guard. */
export interface Endpoint<D extends Declaration = Declaration> extends Omit<
  Declaration,
  'body' | 'consumes' | 'produces'
> {
  id: D['id']
  scope: D['scope']
  params: D['params'] extends TObject ? D['params'] : TObject<{}>
  query: D['query'] extends TObject ? D['query'] : TObject<{}>
  body: D['body'] extends TObject ? D['body'] : D['body'] | undefined
  consumes: D['consumes']
  reply: D['reply']
  produces: D['produces']
  status: 200 | 201
  doors: D extends { doors: readonly Door[] } ? D['doors'] : readonly Door[]
}

const NOTHING = Type.Object({}, { additionalProperties: false })

/** Declares an endpoint: the one source of route, validation, reply filter, document and client. */
export const endpoint = <const D extends Declaration>(declaration: D): Endpoint<D> =>
  ({
    status: 200,
    doors: ['key', 'web'],
    ...declaration,
    params: declaration.params ?? NOTHING,
    query: declaration.query ?? NOTHING,
    body: declaration.body,
    consumes: declaration.consumes,
    produces: declaration.produces,
  }) as unknown as Endpoint<D>

/** The documents that an endpoint generates: one, or one for each format. */
export const documentsOf = (produces: Endpoint['produces']): Record<string, Document> => {
  if (produces === undefined || typeof produces === 'string') return {}
  return 'byFormat' in produces ? produces.byFormat : { only: produces }
}

/** @returns true if it responds with JSON: always, or if `format` is omitted */
export const answersJson = ({ produces, query }: Pick<Endpoint, 'produces' | 'query'>): boolean =>
  produces === undefined ||
  (typeof produces === 'object' &&
    'byFormat' in produces &&
    !(query.required as readonly string[] | undefined)?.includes('format'))

/** @returns true if an export of a module is an endpoint */
export const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'doors' in value

export type Params<E extends Endpoint> = Static<E['params']>
export type Query<E extends Endpoint> = Static<E['query']>
export type Body<E extends Endpoint> = E['body'] extends TObject ? Static<E['body']> : undefined
export type Reply<E extends Endpoint> = Static<E['reply']>

/** An object with exactly these properties: others are refused in requests and omitted from responses. */
export const closedObject = <P extends Parameters<typeof Type.Object>[0]>(properties: P, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

/** `{ "data": item }` */
export const one = <S extends TSchema>(item: S) => closedObject({ data: item })

/** `{ "data": [item], "meta": { total, page, perPage, totalPages } }` */
export const page = <S extends TSchema>(item: S) => closedObject({ data: Type.Array(item), meta: PageMeta })

/** `{ "data": [item], "meta": { perPage, nextCursor } }`; the last page has `nextCursor: null`. */
export const cursorPage = <S extends TSchema>(item: S) => closedObject({ data: Type.Array(item), meta: CursorMeta })

/** `{ "data": [item], "meta": { perPage, nextCursor, total } }` */
export const countedPage = <S extends TSchema>(item: S) => closedObject({ data: Type.Array(item), meta: CountedMeta })

/** `{ "data": [item] }`, for lists that cannot grow long. */
export const list = <S extends TSchema>(item: S) => closedObject({ data: Type.Array(item) })

export const PageMeta = closedObject({
  total: Type.Integer({ minimum: 0, description: 'rows that match, on all pages' }),
  page: Type.Integer({ minimum: 1 }),
  perPage: Type.Integer({ minimum: 1, maximum: 100 }),
  totalPages: Type.Integer({ minimum: 0 }),
})

export const CursorMeta = closedObject({
  perPage: Type.Integer({ minimum: 1, maximum: 100 }),
  nextCursor: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
})

/** Rows beyond this many are not counted. */
export const MAX_TOTAL = 10_000

export const CountedMeta = closedObject({
  ...CursorMeta.properties,
  total: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 0,
    description: `rows on all pages; \`null\` above ${MAX_TOTAL}, and with \`q\` if more than one page matches in a list of more than 100000`,
  }),
})

/** `page` and `perPage` of the specified lists (specification, section 4). */
export const PageQuery = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 9_999_999, default: 1 })),
  perPage: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
}

/** `cursor` and `perPage` of extension lists that can grow long (open point 25). */
export const CursorQuery = {
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'meta.nextCursor of the previous page' }),
  ),
  perPage: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
}

const ID_SUFFIX_LENGTH = 26

/** A type prefix and an opaque suffix (specification, section 2). */
export const Id = (prefix: string, description?: string) =>
  Type.String({
    pattern: `^${prefix}_[0-9a-z]{${ID_SUFFIX_LENGTH}}$`,
    maxLength: prefix.length + 1 + ID_SUFFIX_LENGTH,
    examples: [`${prefix}_01jd7w2v4pf1y8m3c6k9t0r5xz`],
    ...(description && { description }),
  })

/** Of a person or an agent: the author of a writing, or the assignee of a task. */
export const AuthorId = () =>
  Type.String({
    pattern: `^(?:usr|agt)_[0-9a-z]{${ID_SUFFIX_LENGTH}}$`,
    maxLength: 4 + ID_SUFFIX_LENGTH,
    examples: ['usr_01jd7w2v4pf1y8m3c6k9t0r5xz'],
  })

/** ISO 8601, UTC, milliseconds: `2026-11-21T08:30:00.000Z` (specification, section 2). */
export const Timestamp = (description?: string) =>
  Type.String({
    format: 'date-time',
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
    maxLength: 24,
    examples: ['2026-11-21T08:30:00.000Z'],
    ...(description && { description }),
  })

/** A calendar day, `2026-11-21`, or null. */
export const NullableDay = (description: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date',
    maxLength: 10,
    examples: ['2026-12-01'],
    description,
  })

export const NullableTimestamp = (description: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date-time',
    examples: ['2026-11-21T08:30:00.000Z'],
    description,
  })

export const NullableString = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description })

/** An object, or `null`. */
export const Nullable = <P extends Parameters<typeof Type.Object>[0]>(properties: P, description: string) => {
  const object = closedObject(properties)
  return Type.Unsafe<Static<typeof object> | null>({ ...object, type: ['object', 'null'], description })
}

/** One of these words. */
export const OneOf = <const W extends readonly string[]>(words: W, options: object = {}) =>
  Type.Unsafe<W[number]>({ type: 'string', enum: [...words], ...options })

/**
 * One line of display text: trimmed and NFC-normalised before its length, in code points, is checked. Control and
 * bidirectional formatting characters are refused (`format: single-line`, open point 32).
 */
export const Line = (maxLength: number, options: object = {}) =>
  Type.String({ minLength: 1, maxLength, format: 'single-line', ...options })

/**
 * A text of several lines, stored as typed. Every body is first checked for NUL and lone surrogates, which are refused.
 */
export const Text = (maxLength: number, options: object = {}) =>
  Type.String({ maxLength, format: 'multi-line', ...options })

/**
 * Pasted text, terminal output included: stored unchanged. Every body is first checked for NUL and lone surrogates,
 * which are refused.
 */
export const Pasted = (maxLength: number, options: object = {}) => Type.String({ maxLength, ...options })

export const Markdown = (maxLength: number) => Pasted(maxLength, { description: 'Markdown' })

/** An e-mail address with an ASCII local part; the domain is compared in its ASCII form. */
export const Email = Type.String({ format: 'email-address', maxLength: 254, examples: ['ada@example.com'] })
