import { randomBytes } from 'node:crypto'
import { SCOPE_NAMES } from '@sortie/contract/core/scopes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generateKey, withChecksum } from '../../../src/features/api-keys/authenticate.ts'
import { nightly } from '../../support/app/nightly.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { statementsDuring } from '../../support/inputs/count-queries.ts'
import { rawRequest, sendRaw } from '../../support/network/raw-http.ts'

let app: TestApp
let owner: TestClient
let value: string
const PATH = '/api/v1/organizations/current'

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  value = (await app.withKey(SCOPE_NAMES)).value
  await app.flush()
})
afterAll(() => app.close())

/** Header lines that carry no valid key. */
const variants = (): string[][] => {
  const schemes = [
    '',
    'Basic ',
    'Token ',
    'ApiKey ',
    'Key ',
    'Digest ',
    'Bearer',
    'Bearer:',
    'Bearer=',
    'Bearer\t',
    'Bearer, ',
    'Bearer "',
    'Bearer Bearer ',
    'BearerBearer ',
    'bearer-token ',
    'OAuth ',
    'Negotiate ',
    'JWT ',
  ]
  const values = [value, Buffer.from(`${value}:`).toString('base64'), 'x']
  const garbled = [
    ...[0, 3, 4, 8, 9, 10, 30, 51, 52, 57].map(
      (at) => value.slice(0, at) + (value[at] === 'A' ? 'B' : 'A') + value.slice(at + 1),
    ),
    ...[1, 2, 10, 49].map((cut) => value.slice(0, -cut)),
    ...['x', '0', '=', '%00', '.', ' x', ',x', ';x'].map((more) => value + more),
    value.toUpperCase(),
    value.toLowerCase(),
    value.replace('live', 'test'),
    value.replace('svc_', 'svc-'),
    value.replace('svc_live_', ''),
    value.split('').toReversed().join(''),
    withChecksum(`svc_prod_${'a'.repeat(43)}`),
    withChecksum(`svc_live_${'a'.repeat(42)}`),
    withChecksum(`svc_live_${'a'.repeat(44)}`),
    withChecksum(`svc_live_${'-'.repeat(43)}`),
    'a'.repeat(8_000),
    'null',
    'undefined',
    '*',
    '%',
    "' or 1=1 --",
    '\\',
    '"',
    'svc_live_',
    'svc_test_',
    `svc_live_${'0'.repeat(49)}`,
    encodeURIComponent(value) + '%20',
    `${value}${value}`,
  ]
  return [
    [],
    ...schemes.flatMap((scheme) => values.map((key) => [`Authorization: ${scheme}${key}`])),
    ...garbled.map((key) => [`Authorization: Bearer ${key}`]),
    ...['Bearer', 'Bearer ', 'bearer', 'Basic', ':', '{}', '[]', '0'].map((text) => [`Authorization: ${text}`]),
    [`Authorization: Bearer ${value}`, `Authorization: Bearer ${value}`],
    [`Authorization: Bearer x`, `Authorization: Bearer ${value}`],
    [`Authorization: Bearer ${value}`, `authorization: Basic x`],
    [`Authorization: Bearer ${value}, Bearer ${value}`],
    ...[
      'X-API-Key',
      'Api-Key',
      'X-Auth-Token',
      'X-Access-Token',
      'Proxy-Authorization',
      'X-Authorization',
      'Authentication',
      'Token',
      'X-Forwarded-Authorization',
      'X-Original-Authorization',
    ].map((name) => [`${name}: Bearer ${value}`]),
    ...['sid', 'token', 'api_key', 'Authorization', '__Host-sid', 'access_token'].map((name) => [
      `Cookie: ${name}=${value}`,
    ]),
    ...Array.from({ length: 60 }, (_, i) => [`Authorization: Bearer ${randomBytes(i + 4).toString('base64url')}`]),
    ...Array.from({ length: 30 }, (_, i) => [
      `Authorization: Bearer svc_${i % 2 ? 'live' : 'test'}_${randomBytes(60)
        .toString('base64')
        .replace(/[^0-9A-Za-z]/g, '')
        .slice(0, 49)}`,
    ]),
  ]
}

describe('a request without a valid key', () => {
  test('K1, K10: 200 variants answer 401 with WWW-Authenticate and the rate headers, and a malformed key costs no query', async () => {
    const all = variants()
    expect(all.length).toBeGreaterThanOrEqual(200)
    const statements = await statementsDuring(async () => {
      for (const headers of all) {
        const { responses, text } = await sendRaw(
          app.origin,
          rawRequest(`GET ${PATH} HTTP/1.1`, [...headers, 'Connection: close']),
        )
        expect(
          responses.map(({ status }) => status),
          `${headers.join(' | ').slice(0, 200)} ${text.slice(0, 60)}`,
        ).toEqual([401])
        const [response] = responses as [(typeof responses)[0]]
        expect(response.headers['www-authenticate']).toBe('Bearer')
        expect(response.headers['x-ratelimit-limit']).toMatch(/^\d+$/)
        expect(JSON.parse(response.body).error.code).toBe('UNAUTHORIZED')
      }
    })
    expect(statements.filter((text) => !/set last_(?:seen|used)_at/.test(text))).toEqual([])
  })

  test('K1: a key in the query is ignored', async () => {
    for (const name of ['key', 'api_key', 'apikey', 'access_token', 'token', 'authorization']) {
      expect((await app.anonymous.get(`${PATH}?${name}=${value}`)).status).toBe(401)
    }
  })

  test('the scheme is case-insensitive, and spaces before the key are allowed', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer  '])
      expect((await app.anonymous.with({ authorization: `${scheme} ${value}` }).get(PATH)).status).toBe(200)
  })

  test('K10: a well-formed unknown key costs one query, shared by simultaneous requests', async () => {
    const statements = await statementsDuring(() =>
      Promise.all(
        Array.from({ length: 40 }, () =>
          app.anonymous.with({ authorization: `Bearer ${generateKey('live')}` }).get(PATH),
        ),
      ),
    )
    const lookups = statements.filter((text) => text.includes('from api_keys'))
    expect(lookups.length).toBeGreaterThan(0)
    expect(lookups.length).toBeLessThanOrEqual(40)
    expect(statements.filter((text) => !/set last_(?:seen|used)_at/.test(text))).toEqual(lookups)
  })

  test('K10: guessing ends at the limit of the address with 429', async () => {
    const strict = await testApp({ workers: false, env: { RATE_LIMIT_ANONYMOUS_MAX: '60' } })
    try {
      const statuses = []
      for (let i = 0; i < 65; i++)
        statuses.push(
          (await strict.anonymous.with({ authorization: `Bearer ${generateKey('test')}` }).get(PATH)).status,
        )
      expect(statuses.slice(-5)).toEqual([429, 429, 429, 429, 429])
      expect(statuses.filter((status) => status === 401).length).toBe(60)
      expect(
        (await strict.anonymous.post('/api/auth/sign-in/email', { email: 'a@example.com', password: 'x' })).status,
      ).toBe(429)
    } finally {
      await strict.close()
    }
  })

  test('K10: an address that keeps guessing is refused without a query, and keys that were valid before still work from there', async () => {
    const strict = await testApp({ workers: false, env: { RATE_LIMIT_ANONYMOUS_MAX: '5' } })
    try {
      strict.clock.freeze(strict.clock.now())
      const key = await strict.withKey(['organizations:read'])
      expect((await key.get(PATH)).status).toBe(200)
      const guess = () => strict.anonymous.with({ authorization: `Bearer ${generateKey('live')}` }).get(PATH)
      for (let i = 0; i < 50; i++) await guess()
      const statements = await statementsDuring(async () => {
        for (let i = 0; i < 20; i++) {
          const { status, headers } = await guess()
          expect(status).toBe(429)
          expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
          expect(headers.get('x-ratelimit-remaining')).toBe('0')
        }
      })
      expect(statements.filter((text) => text.includes('from api_keys'))).toEqual([])
      expect((await key.get(PATH)).status).toBe(200)
      const fresh = await strict.withKey(['organizations:read'])
      expect((await fresh.get(PATH)).status).toBe(429)
      strict.clock.advance(61_000)
      expect((await fresh.get(PATH)).status).toBe(200)
    } finally {
      await strict.close()
    }
  })
})

describe('K9: looking a key up', () => {
  test('K9: uses a unique index over the hash of the whole key, so that no comparison sees its characters', async () => {
    const { rows } = await sql<{
      definition: string
    }>`select indexdef as definition from pg_indexes where tablename = 'api_keys'`.execute(app.db)
    expect(
      rows.filter(({ definition }) => /unique index \S+ on \S+ using btree \(secret_hash\)/i.test(definition)).length,
    ).toBe(1)
    const { rows: columns } = await sql<{
      name: string
      size: number
    }>`select column_name as name, octet_length(secret_hash) as size
      from information_schema.columns, (select secret_hash from api_keys limit 1) k where table_name = 'api_keys'`.execute(
      app.db,
    )
    expect(columns.map(({ name }) => name).sort()).toEqual([
      'agent_id',
      'created_at',
      'created_by',
      'engagement_access',
      'environment',
      'expires_at',
      'id',
      'kind',
      'last_used_at',
      'name',
      'organization_id',
      'owner_id',
      'scopes',
      'secret_hash',
      'stopped_at',
    ])
    expect(columns[0]?.size).toBe(32)
  })

  nightly('K9: a wrong first and a wrong last character take the same time', async () => {
    const sample = async (key: string) => {
      const started = performance.now()
      await app.http.inject({ url: PATH, headers: { authorization: `Bearer ${key}` } })
      return performance.now() - started
    }
    const wrongAt = (at: number) =>
      withChecksum(value.slice(0, at) + (value[at] === '7' ? '8' : '7') + value.slice(at + 1, 52))
    const [first, last] = [wrongAt(10), wrongAt(51)]
    const times: [number[], number[]] = [[], []]
    for (let i = 0; i < 1_500; i++) {
      times[0].push(await sample(first))
      times[1].push(await sample(last))
    }
    expect(Math.abs(welch(times[0].slice(100), times[1].slice(100)))).toBeLessThan(4.5)
  })
})

/** Welch's t of two samples without the slowest tenth of each, which measures the machine. */
const welch = (a: number[], b: number[]): number => {
  const trimmed = [a, b].map((times) => times.toSorted((x, y) => x - y).slice(0, Math.floor(times.length * 0.9)))
  const [meanA, meanB] = trimmed.map((times) => times.reduce((sum, time) => sum + time, 0) / times.length) as [
    number,
    number,
  ]
  const variance = (times: number[], mean: number) =>
    times.reduce((sum, time) => sum + (time - mean) ** 2, 0) / (times.length - 1)
  const [left, right] = trimmed as [number[], number[]]
  return (meanA - meanB) / Math.sqrt(variance(left, meanA) / left.length + variance(right, meanB) / right.length)
}

describe('K13: a key and a cookie together', () => {
  test('K13: each door reads only its own credential', async () => {
    const other = await app.createOrganization()
    const both = (await app.signedIn('owner', other)).with({ authorization: `Bearer ${value}` })
    expect((await both.get(PATH)).body.data.id).toBe(app.organization.id)
    expect((await both.get('/api/web/organizations/current')).body.data.id).toBe(other.id)
    expect(
      (await owner.with({ authorization: 'Bearer svc_live_nonsense' }).get('/api/web/organizations/current')).status,
    ).toBe(200)
    expect(
      (await app.anonymous.with({ authorization: `Bearer ${value}`, 'x-organization': other.id }).get(PATH)).body.data
        .id,
    ).toBe(app.organization.id)
  })
})
