import { ENDPOINTS } from '@sortie/contract/core/contract.ts'
import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../support/walks/walk.ts'

interface Place {
  /** `inviteMember body.email` */
  name: string
  schema: JsonSchema
}

/** A schema and all its subschemas that a value consists of. */
const placesIn = (name: string, schema: JsonSchema): Place[] => [
  { name, schema },
  ...Object.entries(schema.properties ?? {}).flatMap(([field, property]) => placesIn(`${name}.${field}`, property)),
  ...(schema.items ? placesIn(`${name}[]`, schema.items) : []),
]

const inputs = ENDPOINTS.flatMap(({ id, params, query, body }) =>
  Object.entries({ params, query, body }).flatMap(([part, schema]) =>
    schema ? placesIn(`${id} ${part}`, schema as JsonSchema) : [],
  ),
)
const isOf = (type: string, { schema }: Place) =>
  schema.type === type || (Array.isArray(schema.type) && schema.type.includes(type))

describe('I15: accepted input of the contract', () => {
  test('limits the length of every text, and of every list', () => {
    const texts = inputs.filter((place) => isOf('string', place) && !place.schema.enum)
    const lists = inputs.filter((place) => isOf('array', place))
    expect(texts.length).toBeGreaterThanOrEqual(70)
    expect(lists.length).toBeGreaterThanOrEqual(2)
    expect(texts.filter(({ schema }) => schema.maxLength === undefined).map(({ name }) => name)).toEqual([])
    expect(lists.filter(({ schema }) => schema.maxItems === undefined).map(({ name }) => name)).toEqual([])
  })

  test('consists of types that the walks examine, and of closed objects', () => {
    const objects = inputs.filter((place) => isOf('object', place))
    expect(objects.length).toBeGreaterThanOrEqual(100)
    expect(objects.filter(({ schema }) => schema.additionalProperties !== false).map(({ name }) => name)).toEqual([])
    const known = ['string', 'integer', 'boolean', 'array', 'object', 'null']
    const unknown = inputs.filter(
      ({ schema }) => !schema.enum && ![schema.type ?? []].flat().some((type) => known.includes(type)),
    )
    expect(unknown.map(({ name }) => name)).toEqual([])
  })
})
