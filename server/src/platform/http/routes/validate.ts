import type { Endpoint } from '@sortie/contract/core/endpoint.ts'
import { Ajv } from 'ajv'
import type { TSchema } from 'typebox'
import { badRequest, invalid, notFound } from '../../errors.ts'
import { isMultiLine, isSingleLine, isStorable, normalizeLine, parseEmail } from '../../text/text.ts'
import { type InputSchema, prepareTexts, readInteger } from './prepare-texts.ts'
import { describe, shortened } from './validation-messages.ts'

/** Formats that the contract's schemas name. */
const FORMATS: Record<string, (text: string) => boolean> = {
  'single-line': isSingleLine,
  'multi-line': isMultiLine,
  'email-address': (text) => parseEmail(text) !== undefined,
  'date-time': isMoment,
  date: isDay,
  'day-or-time': (text) => isDay(text) || isMoment(text),
}

/**
 * A day that exists, in a year that Postgres accepts: `Date.parse` turns the 30th of February into the 2nd of March.
 */
function isMoment(text: string): boolean {
  const time = Date.parse(text)
  return !Number.isNaN(time) && !text.startsWith('0000') && new Date(time).toISOString() === text
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && isMoment(`${text}T00:00:00.000Z`)
}

const createAjv = (useDefaults: boolean) => {
  const ajv = new Ajv({
    strict: false,
    coerceTypes: false,
    removeAdditional: false,
    useDefaults,
    allErrors: false,
    verbose: true,
  })
  for (const [name, validate] of Object.entries(FORMATS)) ajv.addFormat(name, validate)
  return ajv
}

const bodies = createAjv(false)
const queries = createAjv(true)

/** Parses the raw parts of a request into the input of the endpoint's handler, or refuses them. */
export interface RequestParser {
  /** @throws ApiError NOT_FOUND: a parameter that is not an id names nothing (open point 12) */
  params(raw: Record<string, string>): unknown
  /** @throws ApiError BAD_REQUEST */
  query(raw: string): unknown
  /** @throws ApiError VALIDATION_ERROR */
  body(raw: Record<string, unknown> | undefined): unknown
}

/**
 * The parser of an endpoint, one for all doors. Compiles its schemas on first use: otherwise a start would compile
 * hundreds of unused ones (2 s of 4).
 */
export const requestParser = (endpoint: Endpoint): RequestParser => {
  const known = PARSERS.get(endpoint)
  if (known) return known
  const parser: RequestParser = {
    params: firstUse(() => paramsParser(endpoint.params)),
    query: firstUse(() => queryParser(endpoint.query)),
    body: firstUse(() => (endpoint.body ? bodyParser(endpoint.body) : refuseBody)),
  }
  PARSERS.set(endpoint, parser)
  return parser
}

const PARSERS = new WeakMap<Endpoint, RequestParser>()

/** Returns a function that is created on its first call. */
export const firstUse = <Input, Output>(make: () => (input: Input) => Output): ((input: Input) => Output) => {
  let made: ((input: Input) => Output) | undefined
  return (input) => {
    made ??= make()
    return made(input)
  }
}

const paramsParser = (schema: Endpoint['params']): RequestParser['params'] => {
  const validate = bodies.compile(plain(schema))
  const prepare = prepareTexts(schema, { refuse: () => notFound(), normalize: (text) => text })
  return (raw) => {
    const values = prepare ? prepare(raw, '') : raw
    if (!validate(values)) throw notFound()
    return values
  }
}

const queryParser = (schema: Endpoint['query']): RequestParser['query'] => {
  const validate = queries.compile(plain(schema))
  const schemas = new Map<string, InputSchema>(Object.entries(schema.properties))
  // Normalised like stored texts, so that a search finds them.
  const prepare = prepareTexts(schema, { refuse: badRequest, normalize: (text) => text.normalize('NFC') })
  return (raw) => {
    const given = parseQuery(raw, schemas)
    const values = prepare ? prepare(given, '') : given
    if (!validate(values))
      throw badRequest(ofParameter(describe(validate, 'is not a query parameter of this endpoint')))
    return values
  }
}

const bodyParser = (schema: TSchema): RequestParser['body'] => {
  const validate = bodies.compile(plain(schema))
  const prepare = prepareTexts(schema, { refuse: invalid, normalize: normalizeText })
  return (raw) => {
    const values = prepare ? prepare(raw, '') : raw
    if (!validate(values)) throw invalid(describe(validate, 'is not a field that can be set here'))
    return values
  }
}

const refuseBody: RequestParser['body'] = (raw) => {
  if (raw && Object.keys(raw).length > 0)
    throw invalid(`${shortened(Object.keys(raw)[0] as string)}: this endpoint takes no body`)
  return undefined
}

/** Names a parameter with several values as it was written: `kind`, not `kind.0`. */
const ofParameter = (message: string): string => message.replace(/^(\w+)\.\d+: /, '$1: ')

const normalizeText = (text: string, { format, maxLength = 0 }: InputSchema): string | undefined => {
  if (format === 'single-line') return normalizeLine(text, maxLength)
  return format === 'email-address' ? text.trim() : text
}

/** The schema as plain JSON, without the type library's own marks. */
const plain = (schema: TSchema): object => JSON.parse(JSON.stringify(schema))

/**
 * Reads `a=b&c=d` strictly: each name once (unless its values are a list), valid percent-encoding of text that can be
 * stored, whole numbers in digits only (open point 17), `true` and `false` literally. A request line, and so a query
 * string, has at most 16 KiB.
 *
 * @param schemas of the parameters, by name
 * @throws ApiError BAD_REQUEST
 */
const parseQuery = (raw: string, schemas: ReadonlyMap<string, InputSchema>): Record<string, unknown> => {
  const values: Record<string, unknown> = Object.create(null)
  if (raw === '') return values
  for (const pair of raw.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decodePart(equals < 0 ? pair : pair.slice(0, equals))
    const value = decodePart(equals < 0 ? '' : pair.slice(equals + 1))
    const schema = schemas.get(name)
    if (schema?.['x-repeats']) {
      values[name] = [...((values[name] as string[] | undefined) ?? []), value]
      continue
    }
    if (name in values) throw badRequest(`${shortened(name)}: is given more than once`)
    values[name] = readAs(schema?.type, value)
  }
  return values
}

/** A value of another type stays a text, for the validation to refuse. */
const readAs = (type: InputSchema['type'], value: string): unknown => {
  if (type === 'boolean') return value === 'true' || value === 'false' ? value === 'true' : value
  return type === 'integer' ? readInteger(value) : value
}

const decodePart = (part: string): string => {
  let text: string
  try {
    text = decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    throw badRequest('The query string is not validly encoded.')
  }
  if (!isStorable(text)) throw badRequest('The query string contains a character that is not allowed.')
  return text
}
