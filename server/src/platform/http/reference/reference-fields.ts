import type { OpenApiDocument } from '../openapi/openapi.ts'

/** The part of JSON Schema that the document uses. */
export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  enum?: string[]
  format?: string
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  minItems?: number
  maxItems?: number
  examples?: unknown[]
  description?: string
}

export interface Field {
  /** Path, such as `data[].settings.ssoEnabled`. */
  name: string
  optional: boolean
  schema: JsonSchema
}

/** Lists the fields of an object and of its nested objects, outermost first. */
export const fieldsOf = (document: OpenApiDocument, schema: JsonSchema, prefix = ''): Field[] => {
  const object = resolveSchema(document, schema)
  return Object.entries(object.properties ?? {}).flatMap(([key, property]) => {
    const name = `${prefix}${key}`
    const inner = resolveSchema(document, property)
    const items = inner.items && resolveSchema(document, inner.items)
    const nested = inner.properties
      ? fieldsOf(document, inner, `${name}.`)
      : items?.properties
        ? fieldsOf(document, items, `${name}[].`)
        : []
    return nested.length > 0 ? nested : [{ name, optional: !object.required?.includes(key), schema: inner }]
  })
}

const resolveSchema = (document: OpenApiDocument, schema: JsonSchema): JsonSchema =>
  schema.$ref ? (document.components['schemas']?.[schema.$ref.split('/').at(-1) as string] as JsonSchema) : schema

/** Returns the constraints of a value as short phrases. */
export const rulesOf = (schema: JsonSchema): string[] => {
  const rules: string[] = []
  const types = [schema.type ?? 'any value'].flat()
  if (schema.enum) rules.push(`one of ${schema.enum.map((word) => `\`${word}\``).join(', ')}`)
  else rules.push(types.join(' or '))
  if (schema.format === 'date-time') rules.push('ISO 8601, UTC')
  if (schema.format === 'email-address') rules.push('an email address')
  if (schema.format === 'single-line') rules.push('one line')
  if (schema.minimum !== undefined || schema.maximum !== undefined)
    rules.push(between(schema.minimum, schema.maximum, ''))
  // A pattern states the length more exactly, by example.
  if (!schema.pattern && (schema.minLength !== undefined || schema.maxLength !== undefined))
    rules.push(between(schema.minLength, schema.maxLength, ' characters'))
  if (schema.default !== undefined) rules.push(`\`${shown(schema.default)}\` when absent`)
  if (schema.examples?.[0] !== undefined) rules.push(`like \`${shown(schema.examples[0])}\``)
  return rules
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const between = (min: number | undefined, max: number | undefined, unit: string): string => {
  if (max === undefined) return `at least ${min}${unit}`
  return min === undefined ? `at most ${max}${unit}` : `${min} to ${max}${unit}`
}
