import type { JSONObject } from '@modelcontextprotocol/server'
import type { Endpoint } from '@sortie/contract/core/endpoint.ts'
import { invalid } from '../../../platform/errors.ts'
import type { Parts } from '../../../platform/http/routes/dispatch.ts'

/** The arguments of a tool call, as the client sent them. */
export type Arguments = Record<string, unknown>

/** The schema of a tool's arguments: a closed object of JSON Schema. */
export interface InputSchema extends Record<string, unknown> {
  type: 'object'
  properties: Record<string, JSONObject>
  required?: string[]
  additionalProperties: false
}

interface Shape {
  /** Arguments that the endpoints take, and the tool does not. */
  omit?: readonly string[]
  /** Arguments of the tool itself; they replace one of the same name. */
  add?: Record<string, JSONObject>
  /** Without it: those that each of the endpoints requires. */
  required?: readonly string[]
}

const partsOf = ({ params, query, body }: Endpoint) => [params, query, ...(body ? [body] : [])]

/** The schema of a tool that calls these endpoints: their parameters, query and body in one object. */
export const inputOf = (endpoints: readonly Endpoint[], { omit = [], add = {}, required }: Shape = {}): InputSchema => {
  const properties: Record<string, JSONObject> = {}
  for (const endpoint of endpoints)
    for (const part of partsOf(endpoint))
      for (const [name, schema] of Object.entries(part.properties))
        if (!omit.includes(name)) properties[name] ??= plain(schema) as JSONObject
  Object.assign(properties, add)
  const requiredBy = (endpoint: Endpoint) =>
    partsOf(endpoint).flatMap((part) => (part.required as string[] | undefined) ?? [])
  const names =
    required ??
    Object.keys(properties).filter((name) => endpoints.every((endpoint) => requiredBy(endpoint).includes(name)))
  return {
    type: 'object',
    properties,
    ...(names.length > 0 && { required: [...names] }),
    additionalProperties: false,
  }
}

/** Keywords that only this server reads. */
const OWN_KEYWORDS = ['x-commas', 'x-repeats']
/** Formats that JSON Schema knows; a client can refuse a schema with another one. */
const KNOWN_FORMATS = ['date', 'date-time']

const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const isSchema = 'type' in value && (typeof value.type === 'string' || Array.isArray(value.type))
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([key, inner]) =>
          !(isSchema && (OWN_KEYWORDS.includes(key) || (key === 'format' && !KNOWN_FORMATS.includes(String(inner))))),
      )
      .map(([key, inner]) => [key, plain(inner)]),
  )
}

/** @throws ApiError VALIDATION_ERROR for an argument that the tool does not have, or lacks */
export const requireKnown = (args: Arguments, { properties, required = [] }: InputSchema): void => {
  const unknown = Object.keys(args).find((name) => !Object.hasOwn(properties, name))
  if (unknown !== undefined) throw invalid(`${unknown.slice(0, 40)}: is not an argument of this tool`)
  const missing = required.find((name) => args[name] === undefined)
  if (missing !== undefined) throw invalid(`${missing}: is missing`)
}

/**
 * The request that carries these arguments to an endpoint. One that the endpoint does not declare goes where it refuses
 * it.
 *
 * @throws ApiError VALIDATION_ERROR
 */
export const partsFor = ({ params, query, body }: Endpoint, args: Arguments, file?: Buffer): Parts => {
  const parts = { params: {} as Record<string, string>, body: {} as Record<string, unknown> }
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined) continue
    if (Object.hasOwn(params.properties, name)) parts.params[name] = textOf(name, value)
    else if (Object.hasOwn(query.properties, name) || !body)
      addTo(search, name, value, (query.properties as Record<string, unknown>)[name])
    else parts.body[name] = value
  }
  return { ...parts, query: search.toString(), ...(file && { file }) }
}

const addTo = (search: URLSearchParams, name: string, value: unknown, schema: unknown): void => {
  if (!Array.isArray(value)) return search.append(name, textOf(name, value))
  const texts = value.map((one) => textOf(name, one))
  if ((schema as { 'x-repeats'?: boolean } | undefined)?.['x-repeats'])
    for (const text of texts) search.append(name, text)
  else search.append(name, texts.join(','))
}

const textOf = (name: string, value: unknown): string => {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw invalid(`${name.slice(0, 40)}: must be text, a number, true or false`)
}
