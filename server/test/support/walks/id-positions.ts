import type { TestApp } from '../app/test-app.ts'
import { idPrefixesOf, type JsonSchema, type Mounted, mountedRoutes, paramsOf } from './walk.ts'

/** One place in a request that may contain an id. */
export interface IdPosition {
  route: Mounted
  where: 'path' | 'query' | 'body' | 'header'
  /** Name of the parameter, or dotted path in the body. */
  name: string
  /** Prefixes of the ids that belong there; empty if any will do. */
  prefixes: string[]
}

/**
 * Every position of an id in every route, found in the schemas: those with an id's pattern, and text query parameters.
 * Routes of instance administrators have no tenants and are left out.
 */
export const idPositions = (app: TestApp): IdPosition[] =>
  allPositions(app).filter(({ route, where, name }) => {
    const { id } = route.endpoint
    return !(where === 'body' && (STORED[id] ?? /^$/).test(name)) && !(where === 'query' && NAMES[id] === name)
  })

/** Stored as a name that the caller chose. */
const NAMES: Record<string, string> = { createImport: 'loggedAs' }

const FILE_OF_REQUEST = /\bfileId$/
const CONDITION = /\.filter\.(?!engagementId)/
/** Findings are looked for in the engagement of the report; ids are checked. */
const FINDING_FILTER = /^findingFilter\.(?!ids)/

/** Stored unchanged, and looked up with the caller's own rights at each use. */
const STORED: Record<string, RegExp> = {
  createApiRequest: FILE_OF_REQUEST,
  updateApiRequest: FILE_OF_REQUEST,
  createScanSchedule: CONDITION,
  updateScanSchedule: CONDITION,
  updateReport: FINDING_FILTER,
}

const allPositions = (app: TestApp): IdPosition[] =>
  mountedRoutes(app)
    .filter(({ requirement }) => requirement !== 'instance-admin')
    .flatMap((route) => [
      ...Object.entries(paramsOf(route)).map(([name, schema]) => ({
        route,
        where: 'path' as const,
        name,
        prefixes: idPrefixesOf(schema),
      })),
      ...Object.entries(route.endpoint.query.properties as Record<string, JsonSchema>)
        .filter(
          ([, schema]) =>
            idPrefixesOf(schema).length > 0 || (schema.type === 'string' && !schema.enum && !schema.format),
        )
        .map(([name, schema]) => ({ route, where: 'query' as const, name, prefixes: idPrefixesOf(schema) })),
      ...(route.endpoint.body ? idsInBody(route.endpoint.body as JsonSchema, '') : []).map((found) => ({
        route,
        where: 'body' as const,
        ...found,
      })),
      ...(route.door === 'web' && route.ofOrganization
        ? [{ route, where: 'header' as const, name: 'x-organization', prefixes: ['org'] }]
        : []),
    ])

const idsInBody = (schema: JsonSchema, path: string): { name: string; prefixes: string[] }[] => {
  if (schema.pattern && idPrefixesOf(schema).length > 0) return [{ name: path, prefixes: idPrefixesOf(schema) }]
  if (schema.items) return idsInBody(schema.items, path)
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    idsInBody(property, path ? `${path}.${name}` : name),
  )
}

export const placeOf = ({ route, where, name }: IdPosition): string => `${route.name} ${where} ${name}`
