import type { ErrorObject, ValidateFunction } from 'ajv'

const FORMAT_MESSAGES: Record<string, string> = {
  'single-line': 'must not contain control, invisible or direction characters',
  'multi-line': 'must not contain control characters',
  'email-address': 'must be an email address',
  'date-time': 'must be a time like 2026-11-21T08:30:00.000Z',
  date: 'must be a day like 2026-11-21',
  'day-or-time': 'must be a day like 2026-11-21, or a time like 2026-11-21T08:30:00.000Z',
}

/** Describes the first error of a value for the client: `role: must be one of admin, member`. */
export const describe = (validate: ValidateFunction, unknownProperty: string): string => {
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
      if (schema.format === 'day-or-time') return FORMAT_MESSAGES['day-or-time'] as string
      return 'does not have the expected form'
    default:
      return error.message ?? 'is not valid'
  }
}

const wholeNumber = ({ minimum, maximum }: { minimum?: number; maximum?: number }) =>
  `must be a whole number from ${minimum ?? 0} to ${maximum ?? 'any'}`

const article = (type: string) => {
  const noun = type === 'array' ? 'list' : type
  return `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`
}

/** A client's name for something, short enough to be repeated in a message. */
export const shortened = (name: string) => (name.length > 60 ? `${name.slice(0, 60)}…` : name)
