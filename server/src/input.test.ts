import { SCOPE_NAMES } from '@sortie/contract/scopes.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { statementsDuring } from './testing/count-queries.ts'
import { sendMalformed } from './testing/malformed.ts'
import { checksums } from './testing/snapshot.ts'
import { type TestApp, testApp } from './testing/test-app.ts'
import type { TestClient } from './testing/test-client.ts'
import { bodyOf, isWrite, type JsonSchema, type Mounted, mountedRoutes, pathOf } from './testing/walk.ts'

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

const raw = (rawBody: string | Uint8Array, headers: Record<string, string> = JSON_HEADERS) => key.request('POST', ENGAGEMENTS, { rawBody, headers })
const clientOf = (route: Mounted) => (route.door === 'key' ? key : owner)
const withBody = () => mountedRoutes(app).filter(({ endpoint, requirement }) => endpoint.body && requirement !== 'public' && requirement !== 'instance-admin')

describe('I1: what is no JSON object in UTF-8', () => {
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
    ['__proto__', '{"name":"x","__proto__":{"isAdmin":true}}'],
    ['__proto__ in another spelling', '{"name":"x","__pro\\u0074o__":{}}'],
    ['more than BODY_LIMIT_BYTES', JSON.stringify({ name: 'x'.repeat(1_048_576) })],
  ]
  test.each(BODIES)('I1, I2: %s answers 400 within 250 ms, without a query but the one for the key', async (_what, body) => {
    const started = performance.now()
    let status = 0
    const statements = await statementsDuring(async () => {
      ;({ status } = await raw(body))
    })
    expect(status).toBe(400)
    expect(performance.now() - started).toBeLessThan(250)
    expect(statements.filter((text) => !/api_keys|set last_seen_at/.test(text))).toEqual([])
  })

  test('I2: what is within the limits is judged by its fields: 422', async () => {
    for (const body of [
      `{"name":${'['.repeat(31)}${']'.repeat(31)}}`,
      JSON.stringify({ name: Array.from({ length: 10_000 }, () => 1) }),
      '{"name":1e400}',
      JSON.stringify({ name: 'x'.repeat(1_000_000) }),
      '{"constructor":{"prototype":{"x":1}},"name":"x"}',
    ]) {
      expect((await raw(body)).status, body.slice(0, 40)).toBe(422)
    }
    const scopes = Array.from({ length: 80_000 }, () => 'wiki:read')
    const started = performance.now()
    expect((await owner.post('/api/web/api-keys', { name: 'x', environment: 'live', scopes })).status).toBe(422)
    expect(performance.now() - started).toBeLessThan(500)
  })

  test('I1: any JSON text is read as JSON.parse reads it, or refused for a reason that is told', async () => {
    const value = fc.jsonValue({ maxDepth: 4 })
    await fc.assert(
      fc.asyncProperty(fc.oneof(value, fc.dictionary(fc.string({ maxLength: 5 }), value)), async (json) => {
        const { status } = await raw(JSON.stringify(json))
        const isObject = typeof json === 'object' && json !== null && !Array.isArray(json)
        expect([400, 422]).toContain(status)
        if (!isObject) expect(status).toBe(400)
      }),
      { numRuns: 200 },
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
  test.each(GOOD)('%j is taken', async (type) => {
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
  test.each(BAD)('%j answers 400, and the body is not looked at', async (type) => {
    expect((await raw('{"name":"x"}', { 'content-type': type })).status).toBe(400)
  })

  test('none answers 400; so does a compressed body', async () => {
    expect((await key.request('POST', ENGAGEMENTS, { rawBody: Buffer.from('{"name":"x"}') })).status).toBe(400)
    for (const encoding of ['gzip', 'br', 'x']) expect((await raw('{"name":"x"}', { ...JSON_HEADERS, 'content-encoding': encoding })).status).toBe(400)
  })

  test('I10: sixteen thousand spaces in it cost nothing', async () => {
    for (const type of [
      `application/json${' '.repeat(15_000)}x`,
      `application/json;charset=utf-8${' '.repeat(15_000)}x`,
      `application/json;${' '.repeat(15_000)}charset`,
    ]) {
      const started = performance.now()
      const { status } = await app.anonymous.request('POST', '/api/auth/sign-in/email', { rawBody: '{}', headers: { 'content-type': type } })
      expect(status).toBe(400)
      expect(performance.now() - started).toBeLessThan(100)
    }
  })
})

describe('I4, I5: what a body may set', () => {
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
  test('I4: any field that is not declared answers 422 on every route with a body, and nothing happens', async () => {
    const before = await checksums(app.db)
    let covered = 0
    for (const route of withBody()) {
      const declared = Object.keys(route.endpoint.body?.properties ?? {})
      for (const name of HIDDEN.filter((field) => !declared.includes(field))) {
        const { status } = await clientOf(route).request(route.method, pathOf(route), { body: { ...(bodyOf(route) as object), [name]: 'x' } })
        expect(status, `${route.name} ${name}`).toBe(422)
        covered++
      }
    }
    expect(covered).toBeGreaterThanOrEqual(HIDDEN.length * 9)
    expect(await checksums(app.db)).toEqual(before)
  })

  test('I5: no request changes what all objects inherit', async () => {
    const inherited = Object.getOwnPropertyNames(Object.prototype).join()
    for (const text of ['{"__proto__":{"polluted":1}}', '{"constructor":{"prototype":{"polluted":1}}}', '{"name":{"__proto__":{"polluted":1}}}']) {
      for (const route of withBody()) await clientOf(route).request(route.method, pathOf(route), { rawBody: text, headers: JSON_HEADERS })
    }
    for (const query of ['__proto__[polluted]=1', '__proto__=1', 'constructor[prototype][polluted]=1', '__proto__.polluted=1'])
      await key.get(`${ENGAGEMENTS}?${query}`)
    expect((await key.with({ __proto__x: '1', constructor: '1' }).get(ENGAGEMENTS)).status).toBe(200)
    expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(inherited)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  test('a route that takes no body refuses one that says anything', async () => {
    const without = mountedRoutes(app).filter(
      (route) => isWrite(route) && !route.endpoint.body && route.requirement !== 'public' && route.requirement !== 'instance-admin',
    )
    expect(without.length).toBeGreaterThanOrEqual(4)
    for (const route of without) expect((await clientOf(route).request(route.method, pathOf(route), { body: { force: true } })).status, route.name).toBe(422)
  })

  test('no field takes a value of another type: nothing is converted', async () => {
    let covered = 0
    for (const route of withBody()) {
      for (const [name, schema] of Object.entries(route.endpoint.body?.properties ?? {}) as [string, JsonSchema][]) {
        for (const value of [null, 0, 1, true, [], ['x'], {}, 'x'.repeat(2_000)]) {
          const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
          if (type === schema.type && type !== 'string') continue
          if (type === 'string' && (schema.maxLength ?? 0) >= 2_000) continue
          const { status } = await clientOf(route).request(route.method, pathOf(route), { body: { ...(bodyOf(route) as object), [name]: value } })
          expect(status, `${route.name} ${name}=${JSON.stringify(value).slice(0, 40)}`).toBe(422)
          covered++
        }
      }
    }
    expect(covered).toBeGreaterThanOrEqual(100)
  })
})

describe('I6: texts', () => {
  test('names come back trimmed and in NFC, descriptions as they were sent', async () => {
    const visible = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      .filter((text) => /^[\p{L}\p{N}\p{S}\p{P}\p{M} ]+$/u.test(text) && text.trim() !== '' && !/[\u0600-\u0605\p{Cf}]/u.test(text))
    const multiline = fc
      .string({ unit: 'binary', maxLength: 200 })
      .filter((text) => text.isWellFormed() && !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(text))
    await fc.assert(
      fc.asyncProperty(visible, multiline, async (name, description) => {
        const { status, body } = await key.post(ENGAGEMENTS, { name, description })
        if (status === 422) return
        expect(status).toBe(201)
        expect((await key.get(`${ENGAGEMENTS}/${body.data.id}`)).body.data).toMatchObject({ name: name.trim().normalize('NFC'), description })
      }),
      { numRuns: 150 },
    )
  })

  test.each(['Ärzte & Söhne', '日本語のテスト', 'مرحبا', '🚀 Mission 🎯', 'a\u0301', 'Ⅷ', "O'Neil; drop table users --", '<b>bold</b>', '%s %d', '${x}', '𝒳'])(
    '%s is a name',
    async (name) => {
      const { status, body } = await key.post(ENGAGEMENTS, { name })
      expect(status).toBe(201)
      expect(body.data.name).toBe(name.normalize('NFC'))
    },
  )

  const DECEPTIVE = [
    '\u202e',
    '\u2066',
    '\u200b',
    '\u200d',
    '\u2060',
    '\ufeff',
    '\u00ad',
    '\u034f',
    '\u115f',
    '\u3164',
    '\uffa0',
    '\u180e',
    '\u{e0041}',
    '\u061c',
    '\u200e',
    '\u2028',
    '\u2029',
    '\u0085',
    '\u007f',
    '\u001b',
    '\t',
    '\n',
    '\ufff9',
  ]
  test.each(DECEPTIVE.map((character) => [character.codePointAt(0)?.toString(16), character] as const))(
    'a name with U+%s answers 422',
    async (_code, character) => {
      expect((await key.post(ENGAGEMENTS, { name: `a${character}b` })).status).toBe(422)
      expect((await key.patch('/api/v1/organizations/current', { name: `a${character}b` })).status).toBe(422)
    },
  )

  test('a name of nothing visible answers 422', async () => {
    for (const name of ['', ' ', '\u00a0', '\u3000\u2003', '\u00ad', '\u3164', '\u200b'])
      expect((await key.post(ENGAGEMENTS, { name })).status, JSON.stringify(name)).toBe(422)
  })
})

describe('I11: the limits of every text', () => {
  /** Texts that a schema bounds, found in the bodies of all routes, but passwords, addresses and tokens. */
  const bounded = () =>
    withBody().flatMap((route) =>
      (Object.entries(route.endpoint.body?.properties ?? {}) as [string, JsonSchema][])
        .filter(([, schema]) => schema.format === 'single-line' || schema.format === 'multi-line')
        .map(([name, schema]) => ({ route, name, max: schema.maxLength as number })),
    )

  test('the longest is taken, also in characters of four bytes; one more answers 422', async () => {
    const fields = bounded()
    expect(fields.length).toBeGreaterThanOrEqual(8)
    for (const { route, name, max } of fields) {
      for (const character of ['x', 'ä', '𝒳', '🚀']) {
        const send = (length: number) =>
          clientOf(route).request(route.method, pathOf(route), { body: { ...(bodyOf(route) as object), [name]: character.repeat(length) } })
        expect((await send(max + 1)).status, `${route.name} ${name} ${character} x ${max + 1}`).toBe(422)
        expect([200, 201, 404, 409], `${route.name} ${name} ${character} x ${max}`).toContain((await send(max)).status)
      }
    }
  })

  test('the longest is stored whole', async () => {
    const name = '🚀'.repeat(200)
    const description = '𝒳'.repeat(10_000)
    const { body } = await key.post(ENGAGEMENTS, { name, description })
    expect((await key.get(`${ENGAGEMENTS}/${body.data.id}`)).body.data).toMatchObject({ name, description })
    expect((await key.patch('/api/v1/organizations/current', { name })).body.data.name).toBe(name)
    expect((await key.get('/api/v1/organizations/current')).body.data.name).toBe(name)
  })

  test('an address of 254 characters is taken, of 255 refused', async () => {
    const domain = (length: number) => `${'d'.repeat(60)}.`.repeat(3) + `${'e'.repeat(length - 183 - 4)}.com`
    const address = (length: number) => `${'a'.repeat(64)}@${domain(length - 65)}`
    const invite = (email: string) => key.post('/api/v1/organizations/current/members/invite', { email, role: 'member' })
    expect(address(254).length).toBe(254)
    expect((await invite(address(254))).status).toBe(201)
    expect((await invite(address(255))).status).toBe(422)
  })
})

describe('malformed requests at random', () => {
  test('L4, I1, I2, I3, I14: 5,000 of them: no 5xx, every refusal as specified, and the server goes on', async () => {
    const cookie = `Cookie: ${owner.headers.cookie}\r\nX-Organization: ${app.organization.id}`
    const tally = await sendMalformed(app, [`Authorization: Bearer ${key.value}`, cookie, 'Authorization: Bearer x'], 5_000)
    expect(tally.wrong.slice(0, 5)).toEqual([])
    const counted = [...tally.statuses.values()].reduce((sum, count) => sum + count, 0)
    expect(counted).toBeGreaterThanOrEqual(4_500)
    for (const status of [400, 401, 404, 422]) expect(tally.statuses.get(status) ?? 0, `${status}`).toBeGreaterThan(50)
    expect((await app.anonymous.get('/api/health')).status).toBe(200)
  }, 60_000)
})
