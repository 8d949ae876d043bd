import { DOOR_PATHS, type Door, type Endpoint } from '@sortie/contract/core/endpoint.ts'
import { SCOPE_NAMES, type Scope } from '@sortie/contract/core/scopes.ts'
import { type Requirement, requirementOf } from '../../../src/platform/auth/guard.ts'
import { variantsFor } from '../app/nightly.ts'
import type { TestApp } from '../app/test-app.ts'
import { PASSWORD } from '../app/test-app.ts'

/** A route as a client sees it: one endpoint behind one door. */
export interface Mounted {
  /** `GET /api/v1/engagements/:engagementId` */
  name: string
  endpoint: Endpoint
  door: Door
  method: string
  /** With `:name` for parameters. */
  path: string
  requirement: Requirement
  /** True if the request names an organization: by its key, or by `X-Organization`. */
  ofOrganization: boolean
}

/** Every route of every door, future ones included. */
export const mountedRoutes = ({ routes, platform }: Pick<TestApp, 'routes' | 'platform'>): Mounted[] =>
  routes.flatMap(({ endpoint }) =>
    endpoint.doors.map((door) => {
      const requirement = requirementOf(endpoint.scope, platform.config)
      const path = DOOR_PATHS[door] + endpoint.path
      const ofOrganization = requirement !== 'public' && requirement !== 'session' && requirement !== 'instance-admin'
      return {
        name: `${endpoint.method} ${path}`,
        endpoint,
        door,
        method: endpoint.method,
        path,
        requirement,
        ofOrganization,
      }
    }),
  )

/**
 * A commit tests each endpoint at one of its doors, the night at all: for behaviour that does not depend on the caller.
 */
export const atOneDoor = (routes: readonly Mounted[]): Mounted[] =>
  [...new Set(routes.map(({ endpoint }) => endpoint.id))].flatMap((id) => {
    const doors = routes.filter(({ endpoint }) => endpoint.id === id)
    return variantsFor(id, doors.length, doors)
  })

/** POST because the input is long; nothing is changed, and no answer is stored. */
const READ_BY_POST = ['checkScope', 'parseScopeRules']

export const changesSomething = (route: Mounted): boolean => isWrite(route) && !READ_BY_POST.includes(route.endpoint.id)

export const isWrite = ({ method }: Mounted): boolean => method !== 'GET'

/** All scopes without one. */
export const allScopesBut = (scope: Scope): Scope[] => SCOPE_NAMES.filter((name) => name !== scope)

export interface JsonSchema {
  description?: string
  type?: string | string[]
  enum?: string[]
  pattern?: string
  examples?: unknown[]
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean
}

const ID_PATTERN = /^\^([a-z]{3})_\[0-9a-z\]\{26\}\$$/

/** Also one of several, or an id or a word: `^(?:tgt|res)_[0-9a-z]{26}$`, `^(?:tgt_[0-9a-z]{26}|none)$`. */
const ID_IN_PATTERN = /((?:[a-z]{3}\|)*[a-z]{3})\)?_\[0-9a-z\]\{26\}/

/** The prefix of the ids that a schema accepts; undefined if it accepts none. */
export const idPrefixOf = (schema: JsonSchema): string | undefined => ID_PATTERN.exec(schema.pattern ?? '')?.[1]

/** The prefixes of the ids that a schema accepts, also together with words, or in a list. */
export const idPrefixesOf = ({ pattern, items }: JsonSchema): string[] =>
  items ? idPrefixesOf(items) : (ID_IN_PATTERN.exec(pattern ?? '')?.[1]?.split('|') ?? [])

/** An unknown id of the right grammar. */
export const unknownId = (prefix: string): string => `${prefix}_${'0'.repeat(25)}z`

/** An unknown id that sorts directly next to an existing one. */
export const twinOf = (id: string): string => id.slice(0, -1) + (id.endsWith('0') ? '1' : '0')

/** Chooses the value of one field; undefined leaves the choice to the sample. `path` is dotted, without indexes. */
export type Choose = (path: string, schema: JsonSchema) => unknown

let serial = 0

/** A value that the schema accepts: every property, also the optional ones. */
export const sampleOf = (schema: JsonSchema, choose: Choose = () => undefined, path = ''): unknown => {
  const chosen = choose(path, schema)
  if (chosen !== undefined) return chosen
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (schema.enum) return schema.enum[0]
  if (type === 'object') {
    const entries = Object.entries(schema.properties ?? {})
    return Object.fromEntries(
      entries.map(([name, property]) => [name, sampleOf(property, choose, path ? `${path}.${name}` : name)]),
    )
  }
  if (type === 'array') {
    const item = schema.items ?? {}
    // An unknown id is refused in a body.
    if (idPrefixOf(item) && !schema.minItems) return [choose(path, item)].filter((id) => id !== undefined)
    return [sampleOf(item, choose, path)]
  }
  if (type === 'boolean') return true
  if (type === 'integer') return schema.minimum ?? 1
  const prefix = idPrefixOf(schema)
  if (prefix && schema.type?.includes('null')) return null
  if (prefix) return unknownId(prefix)
  if (schema.pattern?.includes('|none')) return 'none'
  if (schema.examples && (schema.format === 'date' || schema.pattern)) return schema.examples[0]
  if (schema.format === 'date-time') return '2026-01-01T00:00:00.000Z'
  if (schema.format === 'email-address') return `sample.${process.pid}.${serial++}@example.com`
  if (/password$/i.test(path)) return PASSWORD
  // Texts with a grammar, not only a length.
  if (/(?:^|\.)(?:pattern|value)$/.test(path)) return `sample-${serial++}.example`
  if (/(?:^|\.)url$/.test(path)) return 'https://sample.example/'
  return 'x'.repeat(Math.max(1, schema.minLength ?? 1))
}

/** Only the required fields of the schema, and the field at `name` with its parents. */
export const onlyNeeded = (schema: JsonSchema, name = '', path = ''): JsonSchema => {
  if (schema.items) return { ...schema, items: onlyNeeded(schema.items, name, path) }
  if (!schema.properties) return schema
  const needed = Object.entries(schema.properties).flatMap(([property, of]) => {
    const at = path ? `${path}.${property}` : property
    const isNeeded = schema.required?.includes(property) || name === at || name.startsWith(`${at}.`)
    return isNeeded ? [[property, onlyNeeded(of, name, at)]] : []
  })
  return { ...schema, properties: Object.fromEntries(needed) }
}

/** The parameters in the path of an endpoint, by name. */
export const paramsOf = ({ endpoint }: Mounted): Record<string, JsonSchema> => endpoint.params.properties

/** The path with its parameters filled in; missing ones get an unknown id. */
export const pathOf = (route: Mounted, params: Record<string, string> = {}): string =>
  route.path.replace(
    /:(\w+)/g,
    (_match, name: string) => params[name] ?? unknownId(idPrefixOf(paramsOf(route)[name] ?? {}) ?? 'xxx'),
  )

/** The path with its required query parameters. */
export const addressOf = (route: Mounted, params: Record<string, string> = {}): string => {
  const required = (route.endpoint.query.required ?? []) as readonly string[]
  const query = sampleOf(route.endpoint.query as unknown as JsonSchema) as Record<string, string>
  const given = required.map((name) => `${name}=${query[name]}`)
  return pathOf(route, params) + (given.length > 0 ? `?${given.join('&')}` : '')
}

/** True if the body is a file: every body is valid, and none is parsed. */
export const takesBytes = ({ endpoint }: Mounted): boolean => endpoint.consumes === 'bytes'

/** A body that the endpoint accepts; undefined if it has none. */
export const bodyOf = ({ endpoint }: Mounted, choose?: Choose): unknown =>
  endpoint.body ? sampleOf(endpoint.body, choose) : undefined
