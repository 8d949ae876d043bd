import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { describe as messageOf } from '../../../src/platform/http/routes/validation-messages.ts'

test.each([
  ['array', 'must be a list'],
  ['object', 'must be an object'],
  ['string', 'must be a string'],
  ['boolean', 'must be a boolean'],
])('a value that is not a %s is rejected in plain words', (type, message) => {
  const validate = new Ajv({ verbose: true }).compile({ type: 'object', properties: { of: { type } } })
  validate({ of: 1.5 })
  expect(messageOf(validate, 'unknown')).toBe(`of: ${message}`)
})
