import Type, { type Static, type TObject, type TSchema } from 'typebox'
import type { About, Guard } from './scopes.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/**
 * The ways into the server.
 *
 * - `key`: `/api/v1`, opened by an API key and by nothing else
 * - `web`: `/api/web`, opened by a session cookie and by nothing else
 * - `auth`: `/api/auth`, where sessions begin and end
 */
export type Door = 'key' | 'web' | 'auth'

export const DOOR_PATHS: Record<Door, string> = { key: '/api/v1', web: '/api/web', auth: '/api/auth' }

/** What an answer that is expensive to make may be asked for, beside the limit of all requests (open point 18). */
export interface Cost {
  /** Of each organization; where an endpoint is of none, of each person. */
  perHour: number
  /** Answered at the same moment, by each process. */
  atOnce: number
  /** Without this query parameter the answer is cheap, and does not count. */
  onlyWith?: string
}

/** A file that is made for an answer. */
export interface Document {
  type: string
  fileName: string
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
   * What a key needs to be answered with the whole object that it changes; by default the scope that reads beside the one that
   * writes. Without it the answer has the id and times only (finding S22).
   */
  readBy?: Guard
  /** `specified`: in the specification's tables. `extension`: this project's own design. */
  origin: 'specified' | 'extension'
  /** One sentence, for the OpenAPI document. */
  summary: string
  /** What a caller must know beyond the summary, our decisions on open points included. */
  description?: string
  params?: TObject
  query?: TObject
  body?: TObject
  /** Without a body it does what it does with `{}`. */
  bodyIsOptional?: true
  /** `bytes`: the body is a file of any Content-Type, handed on as it arrives and never parsed. */
  takes?: 'bytes'
  /** What its body may have where the usual 1 MiB and 2,000 keys are not enough (open point 32). */
  bodyLimits?: { bytes?: number; keys?: number }
  reply: TSchema
  status?: 200 | 201
  doors?: readonly Door[]
  /**
   * Where the answer is no JSON. A document that is made for the answer has a fixed media type and name, or one for each
   * value of the query parameter `format` (JSON without it, where it is optional); `file` is a stored one, which brings its own; `events` is a stream of server-sent
   * events without an end. `reply` is a string then, of events what each one is.
   */
  produces?: Document | Readonly<Record<'byFormat', Readonly<Record<string, Document>>>> | 'file' | 'events'
  cost?: Cost
  /**
   * It has an effect outside of the database, which nothing can roll back, and may take so long to answer. What it begins is
   * stored before the effect; a repetition with the same Idempotency-Key is 409 where the first was not answered.
   */
  actsOutside?: { seconds: number }
  /** How long the answer may take after the last byte of the request, where the work on it is longer than the limit of silence. */
  worksFor?: { seconds: number }
  /** A believable request body and reply, shown in the reference and checked against the schemas by a test. */
  example?: { body?: unknown; reply: unknown }
  /** The sentences with which it answers 409; an endpoint without them never does. */
  conflicts?: readonly string[]
  /** The sentences with which it answers 422 where its body is a file; without them every file is taken. */
  refusals?: readonly string[]
}

/** A declaration with everything filled in. The type parameter keeps what the compiler must know: schemas and guard. */
export interface Endpoint<D extends Declaration = Declaration> extends Omit<Declaration, 'body' | 'takes' | 'produces'> {
  id: D['id']
  scope: D['scope']
  params: D['params'] extends TObject ? D['params'] : TObject<{}>
  query: D['query'] extends TObject ? D['query'] : TObject<{}>
  body: D['body'] extends TObject ? D['body'] : D['body'] | undefined
  takes: D['takes']
  reply: D['reply']
  produces: D['produces']
  status: 200 | 201
  doors: D extends { doors: readonly Door[] } ? D['doors'] : readonly Door[]
}

const NOTHING = Type.Object({}, { additionalProperties: false })

/** Declares an endpoint: the one value from which route, validation, reply filter, document and client are made. */
export const endpoint = <const D extends Declaration>(declaration: D): Endpoint<D> =>
  ({
    status: 200,
    doors: ['key', 'web'],
    ...declaration,
    params: declaration.params ?? NOTHING,
    query: declaration.query ?? NOTHING,
    body: declaration.body,
    takes: declaration.takes,
    produces: declaration.produces,
  }) as unknown as Endpoint<D>

/** The documents that an endpoint makes: one, or one for each format. */
export const documentsOf = (produces: Endpoint['produces']): Record<string, Document> => {
  if (produces === undefined || typeof produces === 'string') return {}
  return 'byFormat' in produces ? produces.byFormat : { only: produces }
}

/** Whether it answers with its reply as JSON: always, or where no `format` is asked for. */
export const answersJson = ({ produces, query }: Pick<Endpoint, 'produces' | 'query'>): boolean =>
  produces === undefined || (typeof produces === 'object' && 'byFormat' in produces && !(query.required as readonly string[] | undefined)?.includes('format'))

/** Whether something that a module exports is an endpoint. */
export const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'doors' in value

export type Params<E extends Endpoint> = Static<E['params']>
export type Query<E extends Endpoint> = Static<E['query']>
export type Body<E extends Endpoint> = E['body'] extends TObject ? Static<E['body']> : undefined
export type Reply<E extends Endpoint> = Static<E['reply']>

/** An object with exactly these properties: anything else is refused on the way in and left out on the way out. */
export const closedObject = <P extends Parameters<typeof Type.Object>[0]>(properties: P, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

/** `{ "data": item }` */
export const one = <S extends TSchema>(item: S) => closedObject({ data: item })

/** `{ "data": [item], "meta": { total, page, perPage, totalPages } }` */
export const page = <S extends TSchema>(item: S) => closedObject({ data: Type.Array(item), meta: PageMeta })

/** `{ "data": [item], "meta": { perPage, nextCursor } }`; the last page says `nextCursor: null`. */
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
  total: Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0, description: `rows on all pages; \`null\` above ${MAX_TOTAL}` }),
})

/** `page` and `perPage` of the specified lists (specification, section 4). */
export const PageQuery = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 9_999_999, default: 1 })),
  perPage: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
}

/** `cursor` and `perPage` of extension lists that can grow long (open point 25). */
export const CursorQuery = {
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'meta.nextCursor of the page before' })),
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

/** ISO 8601, UTC, milliseconds: `2026-11-21T08:30:00.000Z` (specification, section 2). */
export const Timestamp = (description?: string) =>
  Type.String({
    format: 'date-time',
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
    maxLength: 24,
    examples: ['2026-11-21T08:30:00.000Z'],
    ...(description && { description }),
  })

/** A day of the calendar, `2026-11-21`, or null. */
export const NullableDay = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date', maxLength: 10, examples: ['2026-12-01'], description })

export const NullableTimestamp = (description: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date-time',
    examples: ['2026-11-21T08:30:00.000Z'],
    description,
  })

export const NullableString = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description })

/** An object, or `null`. */
export const Nullable = <P extends Parameters<typeof Type.Object>[0]>(properties: P, description: string) => {
  const object = closedObject(properties)
  return Type.Unsafe<Static<typeof object> | null>({ ...object, type: ['object', 'null'], description })
}

/** One of these words. */
export const OneOf = <const W extends readonly string[]>(words: W, options: object = {}) =>
  Type.Unsafe<W[number]>({ type: 'string', enum: [...words], ...options })

/**
 * A one-line text that people read: trimmed and NFC-normalised before its length, in code points, is checked.
 * Control and bidirectional formatting characters are refused (`format: single-line`, open point 32).
 */
export const Line = (maxLength: number, options: object = {}) => Type.String({ minLength: 1, maxLength, format: 'single-line', ...options })

/** A text of several lines, kept as typed. NUL and lone surrogates are refused for every body before this. */
export const Text = (maxLength: number, options: object = {}) => Type.String({ maxLength, format: 'multi-line', ...options })

/** A text as people paste it, terminals included: kept as it is. NUL and lone surrogates are refused for every body before this. */
export const Pasted = (maxLength: number, options: object = {}) => Type.String({ maxLength, ...options })

export const Markdown = (maxLength: number) => Pasted(maxLength, { description: 'Markdown' })

/** An e-mail address with an ASCII local part; a domain name is compared in its ASCII form. */
export const Email = Type.String({ format: 'email-address', maxLength: 254, examples: ['ada@example.com'] })
