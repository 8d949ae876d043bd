import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createLogger } from '../../../src/platform/log.ts'

const SECRET = 'canary-of-a-secret'

/** What the log has of a value that was thrown. */
const logged = (
  thrown: unknown,
): { text: string; err: { message: string; type?: string; code?: string; stack?: string } } => {
  let text = ''
  const log = createLogger('info', new Writable({ write: (chunk, _encoding, done) => (text += chunk) && done() }))
  log.error({ err: thrown }, 'it failed')
  return { text, err: JSON.parse(text).err }
}

test('O16: an object with the fields of an error is logged like one', () => {
  const { err } = logged({
    name: 'error',
    message: 'terminating connection',
    code: '57P01',
    stack: 'error: at one',
    queue: 'mail',
    detail: SECRET,
  })
  expect(err).toEqual({ type: 'error', message: 'terminating connection', code: '57P01', stack: 'error: at one' })
})

test('O16: any other value is logged with its content, and never as [object Object]', () => {
  class Odd {
    reason = 'odd'
  }
  const values: [unknown, string][] = [
    [{ queue: 'mail', worker: { id: 7 } }, "{ queue: 'mail', worker: { id: 7 } }"],
    [new Odd(), "{ reason: 'odd' }"],
    [Object.assign(Object.create(null), { a: 1 }), '{ a: 1 }'],
    [['one', { two: 2 }], "[ 'one', { two: 2 } ]"],
    ['a sentence', 'a sentence'],
    [undefined, 'undefined'],
    [Symbol('mark'), 'Symbol(mark)'],
    [{ deep: { deeper: { deepest: { hidden: 1 } } } }, "{ deep: { deeper: { deepest: '[object]' } } }"],
  ]
  for (const [value, message] of values)
    expect(logged(value === undefined ? { err: value } : value).err.message ?? '').toContain(
      value === undefined ? 'err' : message,
    )
  for (const [value] of values) expect(logged(value).text).not.toContain('[object Object]')
})

test('O16: secrets and values of statements are left out, getters are not run, and what is long or endless is bounded', () => {
  const circle: Record<string, unknown> = { name: 1 }
  circle['self'] = circle
  const hostile = {
    password: SECRET,
    apiKey: SECRET,
    headers: { authorization: SECRET, 'set-cookie': SECRET },
    nested: [{ access_token: SECRET }],
    parameters: [SECRET],
    get trap(): string {
      throw new Error(SECRET)
    },
    bytes: Buffer.alloc(1_000_000),
    list: Array.from({ length: 1_000_000 }, () => 'x'),
    long: 'y'.repeat(10_000_000),
    circle,
  }
  for (const thrown of [
    hostile,
    { cause: hostile },
    [hostile],
    Object.assign(new Error('with a cause'), { cause: hostile }),
  ]) {
    const { text } = logged(thrown)
    expect(text).not.toContain(SECRET)
    expect(text.length).toBeLessThan(10_000)
  }
  const error = new Error('its own cause')
  error.cause = error
  expect(logged(error).text.length).toBeLessThan(20_000)
})
