import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

const PATH = '/api/v1/organizations/current'
const ANONYMOUS_MAX = 100
const KEY_MAX = 90
/** Level numbers of pino. */
const [DEBUG, INFO] = [20, 30]

let app: TestApp
let key: TestClient

beforeAll(async () => {
  app = await testApp({
    workers: false,
    env: {
      RATE_LIMIT_ANONYMOUS_MAX: String(ANONYMOUS_MAX),
      RATE_LIMIT_MAX: String(KEY_MAX),
      TRUST_PROXY: '127.0.0.1',
      CODE_HOSTING_WEBHOOK_SECRET: 'the secret of the repositories',
    },
  })
  key = await app.withKey(['organizations:read'])
})
afterAll(() => app.close())

interface Line {
  level: number
  msg: string
  status?: number
  requests?: Record<string, number>
}

/** Runs requests, and returns how many of their lines have a level, once all have arrived. */
const levelsOf = async (
  count: number,
  request: (i: number) => Promise<unknown>,
  msg = 'request',
): Promise<Record<number, number>> => {
  const first = app.logLines.length
  for (let i = 0; i < count; i++) await request(i)
  return eventually(() => {
    const lines = app.logLines.slice(first).map((line) => JSON.parse(line) as Line)
    const own = lines.filter((line) => line.msg === msg)
    if (msg === 'request') expect(own).toHaveLength(count)
    return Object.fromEntries([...Map.groupBy(own, ({ level }) => level)].map(([level, { length }]) => [level, length]))
  })
}

const from = (i: number) => app.anonymous.with({ 'x-forwarded-for': `2001:db8:${i}::1` })

test('S39: refusals of strangers from many addresses have 60 lines a minute for each status', async () => {
  expect(await levelsOf(90, (i) => from(i).get(PATH))).toEqual({ [INFO]: 60, [DEBUG]: 30 })
  expect(await levelsOf(90, (i) => from(i).post('/api/v1/nothing'))).toEqual({ [INFO]: 60, [DEBUG]: 30 })
})

test('S39: refusals of members and keys have one per line', async () => {
  expect(await levelsOf(KEY_MAX, () => key.get('/api/v1/engagements/eng_00000000000000000000000000'))).toEqual({
    [INFO]: KEY_MAX,
  })
})

test('O10: a read has a line at info with a key, and at debug in a session', async () => {
  const reader = await app.withKey(['organizations:read'])
  expect(await levelsOf(3, () => reader.get(PATH))).toEqual({ [INFO]: 3 })
  const owner = await app.signedIn('owner')
  expect(await levelsOf(3, () => owner.get('/api/web/organizations/current'))).toEqual({ [DEBUG]: 3 })
})

test('S39: a request over its limit has no line at info, regardless of who sent it', async () => {
  expect(await levelsOf(20, () => key.get(PATH))).toEqual({ [DEBUG]: 20 })
  for (let i = 0; i < ANONYMOUS_MAX; i++) await from(500).get('/api/auth/mode')
  expect(await levelsOf(20, () => from(500).get(PATH))).toEqual({ [DEBUG]: 20 })
})

test('S39: refused notifications have 10 lines a minute for each reason', async () => {
  const refused = (i: number) => from(1_000 + i).request('POST', '/api/code-hosting/webhook', { rawBody: '{}' })
  expect(await levelsOf(30, refused, 'a notification was refused')).toEqual({ 40: 10 })
})
