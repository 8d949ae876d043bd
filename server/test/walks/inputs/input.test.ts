import { SCOPE_NAMES } from '@sortie/contract/core/scopes.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isNightly, runs, variantsFor } from '../../support/app/nightly.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { statementsDuring } from '../../support/inputs/count-queries.ts'
import { sendMalformed } from '../../support/inputs/malformed.ts'
import { checksums } from '../../support/inputs/snapshot.ts'
import {
  atOneDoor,
  bodyOf,
  isWrite,
  type JsonSchema,
  type Mounted,
  mountedRoutes,
  pathOf,
  takesBytes,
} from '../../support/walks/walk.ts'

let app: TestApp
let key: TestClient & { value: string }
let owner: TestClient
const ENGAGEMENTS = '/api/v1/engagements'
const JSON_HEADERS = { 'content-type': 'application/json' }

beforeAll(async () => {
  app = await testApp({ workers: false })
  key = await app.withKey(SCOPE_NAMES)
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

const raw = (rawBody: string | Uint8Array, headers: Record<string, string> = JSON_HEADERS) =>
  key.request('POST', ENGAGEMENTS, { rawBody, headers })
const clientOf = (route: Mounted) => (route.door === 'key' ? key : owner)
const withBody = () =>
  atOneDoor(
    mountedRoutes(app).filter(
      ({ endpoint, requirement }) => endpoint.body && requirement !== 'public' && requirement !== 'instance-admin',
    ),
  )

describe('I1: bodies that are not a JSON object in UTF-8', () => {
  const utf16 = Buffer.from('\ufeff{"name":"x"}', 'utf16le')
  const BODIES: [what: string, body: string | Uint8Array][] = [
    ['nothing', ''],
    ['white space', ' \n'],
    ['half an object', '{"name":"x"'],
    ['trailing bytes', '{"name":"x"}x'],
    ['two objects', '{"name":"x"}{"name":"y"}'],
    ['a trailing comma', '{"name":"x",}'],
    ['single quotes', "{'name':'x'}"],
    ['a comment', '{"name":"x"/* */}'],
    ['NaN', '{"name":NaN}'],
    ['Infinity', '{"name":-Infinity}'],
    ['hexadecimal', '{"name":0x10}'],
    ['undefined', 'undefined'],
    ['an array', '[{"name":"x"}]'],
    ['a text', '"name"'],
    ['a number', '7'],
    ['null', 'null'],
    ['a byte order mark', Buffer.from([0xef, 0xbb, 0xbf, ...Buffer.from('{"name":"x"}')])],
    ['UTF-16', utf16],
    ['UTF-16, big end first', Buffer.from(utf16).swap16()],
    ['UTF-32', Buffer.from([...'{"name":"x"}'].flatMap((character) => [character.charCodeAt(0), 0, 0, 0]))],
    ['Latin-1', Buffer.from('{"name":"ä"}', 'latin1')],
    ['an overlong encoding', Buffer.from([...Buffer.from('{"name":"'), 0xc0, 0xaf, ...Buffer.from('"}')])],
    ['a surrogate in UTF-8', Buffer.from([...Buffer.from('{"name":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')])],
    ['a key twice', '{"name":"x","name":"y"}'],
    ['a key twice in another spelling', '{"name":"x","n\\u0061me":"y"}'],
    ['a key twice in a nested object', '{"name":{"a":1,"a":2}}'],
    ['a raw line break in a text', '{"name":"a\nb"}'],
    ['a raw control character in a text', '{"name":"a\u0001b"}'],
    ['an escaped NUL', '{"name":"a\\u0000b"}'],
    ['half a surrogate pair', '{"name":"\\ud83d"}'],
    ['the other half', '{"name":"\\ude00x"}'],
    ['a NUL in a key', '{"na\\u0000me":"x"}'],
    ['depth 33', `{"name":${'['.repeat(32)}${']'.repeat(32)}}`],
    ['depth 1,000,000', '['.repeat(1_000_000)],
    ['depth by objects', '{"a":'.repeat(100_000)],
    ['2,001 keys', JSON.stringify(Object.fromEntries(Array.from({ length: 2_001 }, (_, i) => [`k${i}`, 1])))],
    ['20,001 values', JSON.stringify({ name: Array.from({ length: 20_000 }, () => 1) })],
    ['a megabyte of empty objects', `{"name":[${'{},'.repeat(340_000)}{}]}`],
    ['__proto__', '{"name":"x","__proto__":{"isAdmin":true}}'],
    ['__proto__ in another spelling', '{"name":"x","__pro\\u0074o__":{}}'],
    ['more than BODY_LIMIT_BYTES', JSON.stringify({ name: 'x'.repeat(1_048_576) })],
  ]
  test.each(BODIES)('I1, I2: %s answers 400, without a query except the one for the key', async (_what, body) => {
    let status = 0
    const statements = await statementsDuring(async () => {
      ;({ status } = await raw(body))
    })
    expect(status).toBe(400)
    expect(statements.filter((text) => !/api_keys|set last_seen_at/.test(text))).toEqual([])
  })

  test('I2: a body within the limits is checked by its fields: 422', async () => {
    for (const body of [
      `{"name":${'['.repeat(31)}${']'.repeat(31)}}`,
      JSON.stringify({ name: Array.from({ length: 10_000 }, () => 1) }),
      '{"name":1e400}',
      JSON.stringify({ name: 'x'.repeat(1_000_000) }),
      '{"constructor":{"prototype":{"x":1}},"name":"x"}',
    ]) {
      expect((await raw(body)).status, body.slice(0, 40)).toBe(422)
    }
    const scopes = Array.from({ length: 10_000 }, () => 'wiki:read')
    expect((await owner.post('/api/web/api-keys', { name: 'x', environment: 'live', scopes })).status).toBe(422)
  })

  test('I1: any JSON text is read as JSON.parse reads it, or refused with a reason', async () => {
    const value = fc.jsonValue({ maxDepth: 4 })
    await fc.assert(
      fc.asyncProperty(fc.oneof(value, fc.dictionary(fc.string({ maxLength: 5 }), value)), async (json) => {
        const { status } = await raw(JSON.stringify(json))
        const isObject = typeof json === 'object' && json !== null && !Array.isArray(json)
        expect([400, 422]).toContain(status)
        if (!isObject) expect(status).toBe(400)
      }),
      { numRuns: runs(200) },
    )
  })
})

describe('I3: the content type', () => {
  const GOOD = [
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json ; charset="utf-8"',
    'application/json;',
  ]
  test.each(GOOD)('%j is accepted', async (type) => {
    expect((await raw('{"name":"x"}', { 'content-type': type })).status).toBe(201)
  })

  const BAD = [
    'text/plain',
    'text/json',
    'application/jsonx',
    'application/x-json',
    'application/json, text/plain',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json; charset=utf-8; x=y',
    'application/json x',
    'application/ json',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'application/json;charset',
    '*/*',
    'application/*',
    'application/problem+json',
  ]
  test.each(BAD)('%j answers 400, and the body is not read', async (type) => {
    expect((await raw('{"name":"x"}', { 'content-type': type })).status).toBe(400)
  })

  test('none answers 400; so does a compressed body', async () => {
    expect((await key.request('POST', ENGAGEMENTS, { rawBody: Buffer.from('{"name":"x"}') })).status).toBe(400)
    for (const encoding of ['gzip', 'br', 'x'])
      expect((await raw('{"name":"x"}', { ...JSON_HEADERS, 'content-encoding': encoding })).status).toBe(400)
  })
})

describe('I4, I5: fields of a body', () => {
  const HIDDEN = [
    'id',
    'organizationId',
    'organization_id',
    'isOwner',
    'isAdmin',
    'is_instance_admin',
    'createdAt',
    'created_at',
    'status',
    'plan',
    'memberCount',
    'password_hash',
    'tokenHash',
    'secretHash',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'Name',
    'name ',
    '',
  ]
  test('I4: any undeclared field answers 422 on every route with a body, and nothing happens', async () => {
    const before = await checksums(app.db)
    let covered = 0
    for (const route of withBody()) {
      const declared = Object.keys(route.endpoint.body?.properties ?? {})
      for (const name of variantsFor(
        route.name,
        6,
        HIDDEN.filter((field) => !declared.includes(field)),
      )) {
        const { status } = await clientOf(route).request(route.method, pathOf(route), {
          body: { ...(bodyOf(route) as object), [name]: 'x' },
        })
        expect(status, `${route.name} ${name}`).toBe(422)
        covered++
      }
    }
    expect(covered).toBeGreaterThanOrEqual(HIDDEN.length * 2)
    expect(await checksums(app.db)).toEqual(before)
  })

  test('I5: no request changes Object.prototype', async () => {
    const inherited = Object.getOwnPropertyNames(Object.prototype).join()
    const texts = [
      '{"__proto__":{"polluted":1}}',
      '{"constructor":{"prototype":{"polluted":1}}}',
      '{"name":{"__proto__":{"polluted":1}}}',
    ]
    for (const route of withBody()) {
      for (const text of variantsFor(route.name, texts.length, texts))
        await clientOf(route).request(route.method, pathOf(route), { rawBody: text, headers: JSON_HEADERS })
    }
    for (const query of [
      '__proto__[polluted]=1',
      '__proto__=1',
      'constructor[prototype][polluted]=1',
      '__proto__.polluted=1',
    ])
      await key.get(`${ENGAGEMENTS}?${query}`)
    expect((await key.with({ __proto__x: '1', constructor: '1' }).get(ENGAGEMENTS)).status).toBe(200)
    expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(inherited)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  test('a route without a body refuses a non-empty one', async () => {
    const without = mountedRoutes(app).filter(
      (route) =>
        isWrite(route) &&
        !route.endpoint.body &&
        !takesBytes(route) &&
        route.requirement !== 'public' &&
        route.requirement !== 'instance-admin',
    )
    expect(without.length).toBeGreaterThanOrEqual(4)
    for (const route of without)
      expect(
        (await clientOf(route).request(route.method, pathOf(route), { body: { force: true } })).status,
        route.name,
      ).toBe(422)
  })

  test('no field accepts a value of another type: nothing is converted', async () => {
    let covered = 0
    for (const route of withBody()) {
      for (const [name, schema] of Object.entries(route.endpoint.body?.properties ?? {}) as [string, JsonSchema][]) {
        for (const value of variantsFor(route.name + name, 6, [null, 0, 1, true, [], ['x'], {}, 'x'.repeat(2_000)])) {
          const type = Array.isArray(value)
            ? 'array'
            : value === null
              ? 'null'
              : typeof value === 'number'
                ? 'integer'
                : typeof value
          if ([schema.type].flat().includes(type) && type !== 'string') continue
          if (type === 'string' && (schema.maxLength ?? 0) >= 2_000) continue
          const { status } = await clientOf(route).request(route.method, pathOf(route), {
            body: { ...(bodyOf(route) as object), [name]: value },
          })
          expect(status, `${route.name} ${name}=${JSON.stringify(value).slice(0, 40)}`).toBe(422)
          covered++
        }
      }
    }
    expect(covered).toBeGreaterThanOrEqual(100)
  })
})

describe('random malformed requests', () => {
  const COUNT = isNightly ? 5_000 : 2_000

  test('L4, I1, I2, I3, I14: thousands of them cause no 5xx, every refusal is as specified, and the server stays up', async () => {
    const cookie = `Cookie: ${owner.headers.cookie}\r\nX-Organization: ${app.organization.id}`
    const tally = await sendMalformed(
      app,
      [`Authorization: Bearer ${key.value}`, cookie, 'Authorization: Bearer x'],
      COUNT,
    )
    expect(tally.wrong.slice(0, 5)).toEqual([])
    const counted = [...tally.statuses.values()].reduce((sum, count) => sum + count, 0)
    expect(counted).toBeGreaterThanOrEqual(0.9 * COUNT)
    for (const status of [400, 401, 404, 422]) expect(tally.statuses.get(status) ?? 0, `${status}`).toBeGreaterThan(20)
    expect((await app.anonymous.get('/api/health')).status).toBe(200)
  }, 600_000)
})
