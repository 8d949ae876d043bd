import type { ApiError } from '../../errors.ts'
import { maxRawUnits } from '../../text/text.ts'

/** The part of a JSON schema that is read here. */
export interface InputSchema {
  type?: string | readonly string[]
  format?: string
  enum?: readonly unknown[]
  maxLength?: number
  maxItems?: number
  properties?: Record<string, InputSchema>
  /** Objects by a name that clients choose; only with `maxProperties`. */
  patternProperties?: Record<string, InputSchema>
  maxProperties?: number
  items?: InputSchema
  /** Several values of a filter: also accepted as one text with commas. */
  'x-commas'?: boolean
  /** A query parameter that may be repeated: its values are a list. */
  'x-repeats'?: boolean
}

/** @param field position of the value, such as `passkey.id`, for an error message */
export type PrepareTexts = (value: unknown, field: string) => unknown

export interface TextRules {
  refuse(message: string): ApiError
  /**
   * Brings a text into the form that is validated; called only with texts of bounded length.
   * @returns undefined for a text that is only combining marks on one letter
   */
  normalize(text: string, schema: InputSchema): string | undefined
}

/**
 * Makes the step before validation: bounds the length of every text at every depth of a value, in UTF-16 units, then
 * normalises it. Nothing that takes more than linear time may run on a text before (abuse case I15). The validation
 * refuses everything else that a schema forbids.
 *
 * @returns undefined if the schema has no text
 */
export const prepareTexts = (schema: InputSchema, rules: TextRules): PrepareTexts | undefined => {
  const { properties, items, enum: words } = schema
  if (words) return undefined
  if (schema['x-commas']) return prepareValues(schema, rules)
  if (properties) return prepareFields(properties, rules)
  const named = Object.values(schema.patternProperties ?? {}).find((one) => one.properties)
  if (named) return prepareNamed(named, schema.maxProperties ?? 0, rules)
  if (items) return prepareEntries(items, schema.maxItems ?? 0, rules)
  return schema.type === 'string' || schema.type?.includes('string') ? prepareText(schema, rules) : undefined
}

const prepareText =
  (schema: InputSchema, { refuse, normalize }: TextRules): PrepareTexts =>
  (value, field) => {
    if (typeof value !== 'string') return value
    const { maxLength = 0 } = schema
    if (value.length > maxRawUnits(maxLength)) throw refuse(`${field}: must have at most ${maxLength} characters`)
    const normal = normalize(value, schema)
    if (normal === undefined) throw refuse(`${field}: has too many combining marks on one letter`)
    return normal
  }

const prepareFields = (properties: Record<string, InputSchema>, rules: TextRules): PrepareTexts | undefined => {
  const fields = Object.entries(properties).flatMap(([name, schema]) => {
    const prepare = prepareTexts(schema, rules)
    return prepare ? [{ name, prepare }] : []
  })
  if (fields.length === 0) return undefined
  return (value, field) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const prepared: Record<string, unknown> = { ...value }
    for (const { name, prepare } of fields) {
      if (Object.hasOwn(prepared, name)) prepared[name] = prepare(prepared[name], field ? `${field}.${name}` : name)
    }
    return prepared
  }
}

/** Objects beyond the limit are left for the validation, which refuses them. */
const prepareNamed = (schema: InputSchema, maxProperties: number, rules: TextRules): PrepareTexts | undefined => {
  const prepare = prepareTexts(schema, rules)
  if (!prepare) return undefined
  return (value, field) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const entries = Object.entries(value)
    if (entries.length > maxProperties) throw rules.refuse(`${field}: must have at most ${maxProperties} properties`)
    return Object.fromEntries(entries.map(([name, one]) => [name, prepare(one, `${field}.${name.slice(0, 40)}`)]))
  }
}

/** Turns `a,b` into `["a", "b"]`, and a single value into a list with it. */
const prepareValues = (schema: InputSchema, rules: TextRules): PrepareTexts => {
  const { items = {}, maxItems = 0 } = schema
  const prepare = prepareEntries(items, maxItems, rules)
  return (value, field) => {
    if (typeof value === 'string' && value.length > MAX_VALUES_UNITS) throw rules.refuse(`${field}: is too long`)
    const texts = typeof value === 'string' ? value.split(',') : value
    const values = Array.isArray(texts) ? texts : [texts]
    const read = items.type === 'integer' ? values.map(readInteger) : values
    return prepare ? prepare(read, field) : read
  }
}

/** The limit of a request line. */
const MAX_VALUES_UNITS = 16_384

/** Reads whole numbers in digits only; the validation refuses everything else. */
export const readInteger = (value: unknown): unknown =>
  typeof value === 'string' && /^(?:0|[1-9][0-9]{0,6})$/.test(value) ? Number(value) : value

const prepareEntries = (items: InputSchema, maxItems: number, rules: TextRules): PrepareTexts | undefined => {
  const prepare = prepareTexts(items, rules)
  if (!prepare) return undefined
  return (value, field) => {
    if (!Array.isArray(value) || value.length > maxItems) return value
    return value.map((entry, index) => prepare(entry, `${field}.${index}`))
  }
}
