import { MAX_EXPRESSION } from '@sortie/contract/requests/request-parts.ts'
import { idPrefixOf, type JsonSchema, type Mounted, onlyNeeded, sampleOf, unknownId } from '../walks/walk.ts'

/** Contents of texts: each makes something else grow. */
export const GROWTHS = {
  letters: 'x',
  'combining marks': '\u0301\u0323',
  variables: '{{a}}',
  expressions: '[^\\p{L}\\p{N}\\p{M}\\p{S}]',
  brackets: '[',
  'lines of addresses': '10.0.0.0/8\n',
} as const
export type Growth = keyof typeof GROWTHS
/** The maximum number of items, or the longest possible items. */
export type Shape = 'many' | 'long'

interface Wanted {
  growth: Growth
  shape: Shape
  /** An id of the caller's own, by prefix. */
  idOf(prefix: string): string
}

/** Words that select the most expensive path of an endpoint, if a schema has them. */
const DEAREST_WORDS = ['matches', 'regex', 'raw', 'body']
const MAX_ITEMS_WITHOUT_LIMIT = 20_000
/** Shorter texts are cheap with any content. */
const SHORT = 1_000

interface Schema extends JsonSchema {
  patternProperties?: Record<string, JsonSchema>
  maxProperties?: number
}

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '')

/** The largest value of a schema that fits into this number of bytes of JSON. @param index makes neighbours distinct */
export const largest = (schema: Schema, bytes: number, wanted: Wanted, index = 0): unknown => {
  const [type] = [schema.type].flat().filter((each) => each !== 'null')
  if (schema.enum) return DEAREST_WORDS.find((word) => schema.enum?.includes(word)) ?? schema.enum[0]
  if (type === 'array') return listOf(schema, bytes, wanted)
  if (schema.patternProperties)
    return { a: textOf(Object.values(schema.patternProperties)[0] as Schema, bytes, 'letters', 0) }
  if (type === 'object') {
    const entries = Object.entries(schema.properties ?? {})
    let left = bytes
    return Object.fromEntries(
      entries.map(([name, property], at) => {
        const value = largest(property, left / (entries.length - at) - name.length - 4, wanted, index)
        left -= sizeOf(value) + name.length + 4
        return [name, value]
      }),
    )
  }
  const prefix = idPrefixOf(schema)
  if (prefix) return wanted.idOf(prefix)
  if (type !== 'string' || schema.format) return sampleOf(schema)
  if (schema.pattern)
    return schema.examples?.[0] === undefined ? sampleOf(schema) : `${schema.examples[0] as string}${index || ''}`
  return textOf(schema, bytes, wanted.growth, index)
}

const listOf = (schema: Schema, bytes: number, wanted: Wanted): unknown[] => {
  const items: Schema = schema.items ?? {}
  const least = sizeOf(largest(items, 0, wanted)) + 8
  const most = wanted.shape === 'long' ? sizeOf(largest(items, bytes - 10, wanted)) + 8 : least
  const fitting = Math.max(1, Math.floor(bytes / most))
  const count = Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? MAX_ITEMS_WITHOUT_LIMIT, fitting))
  return Array.from({ length: count }, (_, index) => largest(items, bytes / count - 8, wanted, index))
}

const textOf = (
  { minLength = 1, maxLength = Number.POSITIVE_INFINITY }: Schema,
  bytes: number,
  growth: Growth,
  index: number,
): string => {
  const unit = GROWTHS[growth]
  // Longer ones are refused before they are compiled.
  const longest = growth === 'expressions' ? Math.min(maxLength, MAX_EXPRESSION) : maxLength
  const start = String(index || '')
  const count = Math.floor(
    Math.min((longest - start.length) / unit.length, (bytes - start.length) / (sizeOf(unit) - 2)),
  )
  const text = start + unit.repeat(Math.max(0, count))
  return text.length >= minLength ? text : 'x'.repeat(minLength)
}

/** Dotted paths of the parts of a body that may be large; `''` is the whole. */
export const largePartsOf = (schema: Schema, path = '', depth = 0): { path: string; schema: JsonSchema }[] => {
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const at = path ? `${path}.${name}` : name
    const [type] = [property.type].flat().filter((each) => each !== 'null')
    if (type === 'object' && depth < 2 && property.properties) return largePartsOf(property, at, depth + 1)
    const isLargeText =
      type === 'string' &&
      !property.enum &&
      !property.pattern &&
      !property.format &&
      (property.maxLength ?? SHORT) >= SHORT
    return type === 'array' || isLargeText ? [{ path: at, schema: property }] : []
  })
  return path === '' && inner.length > 1 ? [{ path: '', schema }, ...inner] : inner
}

/** The mode that a part of a request's body belongs to. */
const MODES: Record<string, string> = { fields: 'form', parts: 'multipart', text: 'raw' }

/**
 * A body that an endpoint may accept, in which one part is as large as the contract and the limit of the body allow.
 */
export const largestBody = ({ endpoint }: Mounted, part: string, bytes: number, wanted: Wanted): string => {
  const whole = endpoint.body as unknown as JsonSchema
  if (part === '') return JSON.stringify(largest(whole, bytes - 100, wanted))
  // With all its optional fields, which the rest of the body omits.
  const ofPart = largePartsOf(whole).find(({ path }) => path === part)?.schema
  const isWithVariables = wanted.growth === 'variables' && whole.properties?.['variables'] !== undefined
  const choose = (path: string, schema: JsonSchema, free: number): unknown => {
    if (path === part) return largest(ofPart ?? schema, free, wanted)
    if (path.endsWith('.mode') || path === 'mode') return MODES[part.split('.').at(-1) as string] ?? undefined
    if (/(?:^|\.)url$/.test(path)) return 'http://127.0.0.1:1/'
    const prefix = idPrefixOf(schema)
    return prefix && wanted.idOf(prefix)
  }
  const made = (free: number) => {
    const body = sampleOf(onlyNeeded(withEngagement(whole), part), (path, schema) =>
      choose(path, schema, free),
    ) as object
    return { ...body, ...(isWithVariables && { variables: { a: 'x'.repeat(16_000) } }) }
  }
  return JSON.stringify(made(bytes - sizeOf(made(0)) - 200))
}

/** Many endpoints need an engagement to do their main work. */
const withEngagement = (schema: JsonSchema): JsonSchema =>
  schema.properties?.['engagementId'] ? { ...schema, required: [...(schema.required ?? []), 'engagementId'] } : schema

export const anyId = (own: ReadonlyMap<string, string>) => (prefix: string) => own.get(prefix) ?? unknownId(prefix)
