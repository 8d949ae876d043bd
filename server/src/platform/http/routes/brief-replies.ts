import { answersJson, type Endpoint } from '@sortie/contract/core/endpoint.ts'
import type { EngagementScopeSetting, Guard } from '@sortie/contract/core/scopes.ts'
import fastJson, { type Schema } from 'fast-json-stringify'
import type { Actor } from '../../auth/actor.ts'
import { isPermitted, type Requirement, requirementOf } from '../../auth/guard.ts'
import type { Config } from '../../config.ts'
import { firstUse } from './validate.ts'

interface ObjectSchema {
  type?: unknown
  properties?: Record<string, ObjectSchema>
  required?: readonly string[]
  items?: ObjectSchema
}

/** The answer to a change for keys that may not read what they change (finding T22). */
export interface BriefReply {
  /** Guard for receiving the whole object. */
  requirement: Requirement
  schema: ObjectSchema
  serialize(reply: unknown): string
}

/** Fields that identify an object, and its times of writing. Nullable ones name a parent, which the caller knows. */
const KEPT = ['id', 'resultId', 'createdAt', 'updatedAt']
const isKept = ({ type }: ObjectSchema, name: string) => KEPT.includes(name) && type === 'string'

/**
 * Returns the brief reply of an endpoint, or undefined if its full reply contains no more than that: reads, deletions,
 * counts. Specified endpoints reply as the specification defines.
 */
export const briefReplyOf = (
  endpoint: Endpoint,
  config: Pick<Config, EngagementScopeSetting>,
): BriefReply | undefined => {
  const guard = readGuardOf(endpoint)
  if (endpoint.origin === 'specified' || endpoint.method === 'GET' || guard === undefined || !answersJson(endpoint))
    return undefined
  const whole = endpoint.reply as unknown as ObjectSchema
  const schema = mapProperties(whole, briefOf)
  if (countFields(schema) === countFields(whole)) return undefined
  const serialize = firstUse<unknown, string>(() => fastJson(schema as Schema, { ajv: { validateFormats: false } }))
  return { requirement: requirementOf(guard, config), schema, serialize }
}

/** Reports whether the reply is one object, as `BRIEF_OBJECT` describes it. */
export const isOfOneObject = ({ schema }: BriefReply): boolean => {
  const { data, ...others } = schema.properties ?? {}
  const names = Object.keys(data?.properties ?? {})
  return Object.keys(others).length === 0 && (names.includes('id') || names.includes('engagementId'))
}

const TIME = { type: 'string', format: 'date-time' }

/** One schema for the brief replies of all changes of one object, for the OpenAPI document. */
export const BRIEF_OBJECT = {
  type: 'object',
  description: 'What a key without the scope that reads an object is answered when it changes the object.',
  required: ['data'],
  additionalProperties: false,
  properties: {
    data: {
      type: 'object',
      minProperties: 1,
      additionalProperties: false,
      properties: {
        id: { type: 'string' },
        engagementId: { type: 'string', description: 'in place of `id`: of the details of an engagement' },
        resultId: { type: 'string', description: 'the result that was made' },
        createdAt: TIME,
        updatedAt: TIME,
      },
    },
  },
}

/** Reports whether a caller gets the brief reply: a key without the scope to read. */
export const isAnsweredBriefly = (brief: BriefReply | undefined, actor: Actor | undefined): brief is BriefReply =>
  brief !== undefined && actor?.kind === 'key' && !isPermitted(actor, brief.requirement)

/** The guard for reading what an endpoint changes. */
const readGuardOf = ({ scope, readBy }: Endpoint): Guard | undefined => {
  if (readBy) return readBy
  if (scope.endsWith(':ENGAGEMENT_WRITE_SCOPE')) return 'setting:ENGAGEMENT_READ_SCOPE'
  return scope.endsWith(':write') ? (scope.replace(/write$/, 'read') as Guard) : undefined
}

/** An object keeps its identifying fields; lists and groups of objects keep those of each object. */
const briefOf = (schema: ObjectSchema): ObjectSchema => {
  if (schema.items)
    return {
      ...schema,
      items: schema.items.properties && 'id' in schema.items.properties ? briefOf(schema.items) : schema.items,
    }
  if (!schema.properties) return schema
  const names = Object.keys(schema.properties)
  const id = ['id', 'engagementId'].find((name) => names.includes(name))
  if (id === undefined) return mapProperties(schema, briefOf)
  const isDeletion = names.includes('deleted')
  return mapProperties(schema, (property, name) =>
    isDeletion || name === id || isKept(property, name) ? property : undefined,
  )
}

const countFields = ({ properties = {}, items }: ObjectSchema): number =>
  Object.values(properties).reduce((sum, property) => sum + 1 + countFields(property), items ? countFields(items) : 0)

const mapProperties = (
  schema: ObjectSchema,
  map: (property: ObjectSchema, name: string) => ObjectSchema | undefined,
): ObjectSchema => {
  const entries = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const kept = map(property, name)
    return kept ? [[name, kept] as const] : []
  })
  const required = (schema.required ?? []).filter((name) => entries.some(([kept]) => kept === name))
  return {
    type: 'object',
    properties: Object.fromEntries(entries),
    required,
    additionalProperties: false,
  } as ObjectSchema
}
