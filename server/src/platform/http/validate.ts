import type { Endpoint } from '@sortie/contract/endpoint.ts'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { TObject, TSchema } from 'typebox'
import { badRequest, invalid, notFound } from '../errors.ts'
import { isMultiLine, isSingleLine, isStorable, normalizeLine, parseEmail } from '../text.ts'

/** Formats that the contract's schemas name. */
const FORMATS: Record<string, (text: string) => boolean> = {
  'single-line': isSingleLine,
  'multi-line': isMultiLine,
  'email-address': (text) => parseEmail(text) !== undefined,
  'date-time': isMoment,
}

/** A day that exists, in a year that Postgres knows: `Date.parse` alone makes the 2nd of March of the 30th of February. */
function isMoment(text: string): boolean {
  const time = Date.parse(text)
  return !Number.isNaN(time) && !text.startsWith('0000') && new Date(time).toISOString() === text
}

const FORMAT_MESSAGES: Record<string, string> = {
  'single-line': 'must not contain control, invisible or direction characters',
  'multi-line': 'must not contain control characters',
  'email-address': 'must be an e-mail address',
  'date-time': 'must be a time like 2026-11-21T08:30:00.000Z',
}

const createAjv = (useDefaults: boolean) => {
  const ajv = new Ajv({ strict: false, coerceTypes: false, removeAdditional: false, useDefaults, allErrors: false, verbose: true })
  for (const [name, validate] of Object.entries(FORMATS)) ajv.addFormat(name, validate)
  return ajv
}

const bodies = createAjv(false)
const queries = createAjv(true)

/** Turns raw parts of a request into what the endpoint's handler gets, or refuses them. */
export interface RequestParser {
  /** @throws ApiError NOT_FOUND: a parameter that is no id names nothing (open point 12) */
  params(raw: Record<string, string>): unknown
  /** @throws ApiError BAD_REQUEST */
  query(raw: string): unknown
  /** @throws ApiError VALIDATION_ERROR */
  body(raw: Record<string, unknown> | undefined): unknown
}

export const requestParser = (endpoint: Endpoint): RequestParser => {
  const params = bodies.compile(plain(endpoint.params))
  const query = queries.compile(plain(endpoint.query))
  const body = endpoint.body ? bodies.compile(plain(endpoint.body)) : undefined
  const integers = namesOf(endpoint.query, (schema) => schema.type === 'integer')
  const lines = endpoint.body ? namesOf(endpoint.body, (schema) => schema.format === 'single-line') : []
  const addresses = endpoint.body ? namesOf(endpoint.body, (schema) => schema.format === 'email-address') : []
  return {
    params: (raw) => {
      if (!params(raw)) throw notFound()
      return raw
    },
    query: (raw) => {
      const values = parseQuery(raw, integers)
      if (!query(values)) throw badRequest(describe(query, 'is not a query parameter of this endpoint'))
      return values
    },
    body: (raw) => {
      if (!body) {
        if (raw && Object.keys(raw).length > 0) throw invalid(`${quoted(Object.keys(raw)[0] as string)}: this endpoint takes no body`)
        return undefined
      }
      const values = { ...raw }
      for (const name of lines) if (typeof values[name] === 'string') values[name] = normalizeLine(values[name])
      for (const name of addresses) if (typeof values[name] === 'string') values[name] = values[name].trim()
      if (!body(values)) throw invalid(describe(body, 'is not a field that can be set here'))
      return values
    },
  }
}

/** The schema as plain JSON, without the type library's own marks. */
const plain = (schema: TSchema): object => JSON.parse(JSON.stringify(schema))

type Property = { type?: unknown; format?: unknown }

const namesOf = (schema: TObject, matches: (property: Property) => boolean): string[] =>
  Object.entries(schema.properties)
    .filter(([, property]) => matches(property as Property))
    .map(([name]) => name)

/** `a=b&c=d` strictly: each name once, valid percent-encoding, whole numbers in digits only (open point 17). */
const parseQuery = (raw: string, integers: string[]): Record<string, unknown> => {
  const values: Record<string, unknown> = Object.create(null)
  if (raw === '') return values
  for (const pair of raw.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decodePart(equals < 0 ? pair : pair.slice(0, equals))
    const value = decodePart(equals < 0 ? '' : pair.slice(equals + 1))
    if (name in values) throw badRequest(`${quoted(name)}: is given more than once`)
    values[name] = integers.includes(name) && /^[1-9][0-9]{0,6}$/.test(value) ? Number(value) : value
  }
  return values
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

/** `role: must be one of admin, member` */
const describe = (validate: ValidateFunction, unknownProperty: string): string => {
  const error = validate.errors?.[0] as ErrorObject
  const field = error.instancePath.slice(1).replaceAll('/', '.')
  const within = field ? `${field}.` : ''
  switch (error.keyword) {
    case 'additionalProperties':
      return `${within}${quoted(error.params.additionalProperty)}: ${unknownProperty}`
    case 'required':
      return `${within}${error.params.missingProperty}: is required`
    default:
      return `${field}: ${requirement(error)}`
  }
}

const requirement = (error: ErrorObject): string => {
  const { params } = error
  const schema = error.parentSchema as { minimum?: number; maximum?: number; minLength?: number; type?: unknown }
  switch (error.keyword) {
    case 'enum':
      return `must be one of ${params.allowedValues.join(', ')}`
    case 'type':
      return schema.type === 'integer' ? wholeNumber(schema) : `must be ${article(String(params.type))}`
    case 'minimum':
    case 'maximum':
      return wholeNumber(schema)
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`
    case 'maxLength':
      return `must have at most ${params.limit} characters`
    case 'minItems':
      return `must have at least ${params.limit === 1 ? 'one entry' : `${params.limit} entries`}`
    case 'maxItems':
      return `must have at most ${params.limit} entries`
    case 'uniqueItems':
      return 'must not contain an entry twice'
    case 'format':
      return FORMAT_MESSAGES[params.format] ?? `must be of the format ${params.format}`
    case 'pattern':
      return 'is not of the form that is expected here'
    default:
      return error.message ?? 'is not valid'
  }
}

const wholeNumber = ({ minimum, maximum }: { minimum?: number; maximum?: number }) => `must be a whole number from ${minimum ?? 0} to ${maximum ?? 'any'}`

const article = (type: string) => `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type === 'array' ? 'list' : type}`

/** A name that came from outside, short enough to be repeated in a message. */
const quoted = (name: string) => (name.length > 60 ? `${name.slice(0, 60)}…` : name)
