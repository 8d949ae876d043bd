import type { Endpoint } from '@sortie/contract/endpoint.ts'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'
import { badRequest, invalid, notFound } from '../errors.ts'
import { isMultiLine, isSingleLine, normalizeLine, parseEmail } from '../text.ts'
import { type InputSchema, prepareTexts } from './prepare-texts.ts'
import { parseQuery, shortened } from './query-string.ts'

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
  const integers = Object.entries(endpoint.query.properties as Record<string, InputSchema>).flatMap(([name, { type }]) => (type === 'integer' ? [name] : []))
  // Texts are searched for in the form in which they are stored.
  const prepareQuery = prepareTexts(endpoint.query, { refuse: badRequest, normalize: (text) => text.normalize('NFC') })
  const prepareParams = prepareTexts(endpoint.params, { refuse: () => notFound(), normalize: (text) => text })
  const prepareBody = endpoint.body && prepareTexts(endpoint.body, { refuse: invalid, normalize: normalizeText })
  return {
    params: (raw) => {
      const values = prepareParams ? prepareParams(raw, '') : raw
      if (!params(values)) throw notFound()
      return values
    },
    query: (raw) => {
      const given = parseQuery(raw, integers)
      const values = prepareQuery ? prepareQuery(given, '') : given
      if (!query(values)) throw badRequest(describe(query, 'is not a query parameter of this endpoint'))
      return values
    },
    body: (raw) => {
      if (!body) {
        if (raw && Object.keys(raw).length > 0) throw invalid(`${shortened(Object.keys(raw)[0] as string)}: this endpoint takes no body`)
        return undefined
      }
      const values = prepareBody ? prepareBody(raw, '') : raw
      if (!body(values)) throw invalid(describe(body, 'is not a field that can be set here'))
      return values
    },
  }
}

const normalizeText = (text: string, { format, maxLength = 0 }: InputSchema): string => {
  if (format === 'single-line') return normalizeLine(text, maxLength) ?? text
  return format === 'email-address' ? text.trim() : text
}

/** The schema as plain JSON, without the type library's own marks. */
const plain = (schema: TSchema): object => JSON.parse(JSON.stringify(schema))

/** `role: must be one of admin, member` */
const describe = (validate: ValidateFunction, unknownProperty: string): string => {
  const error = validate.errors?.[0] as ErrorObject
  const field = error.instancePath.slice(1).replaceAll('/', '.')
  const within = field ? `${field}.` : ''
  switch (error.keyword) {
    case 'additionalProperties':
      return `${within}${shortened(error.params.additionalProperty)}: ${unknownProperty}`
    case 'required':
      return `${within}${error.params.missingProperty}: is required`
    default:
      return `${field}: ${requirement(error)}`
  }
}

const requirement = (error: ErrorObject): string => {
  const { params } = error
  const schema = error.parentSchema as { minimum?: number; maximum?: number; format?: string; type?: unknown }
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
      if (schema.format === 'date-time') return FORMAT_MESSAGES['date-time'] as string
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
