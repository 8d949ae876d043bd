import { SCOPE_NAMES } from '@sortie/contract/core/scopes.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import { sendMalformed } from '../../support/inputs/malformed.ts'

const REQUESTS = 1_000_000
const ROUND = 50_000
let app: TestApp

beforeAll(async () => {
  app = await testApp({ workers: false, env: { LOG_LEVEL: 'error' } })
})
afterAll(() => app.close())

test(
  'L4: 1,000,000 malformed requests: no 5xx, every refusal as specified, memory steady',
  async () => {
    const { value } = await app.withKey(SCOPE_NAMES)
    const owner = await app.signedIn('owner')
    const callers = [
      `Authorization: Bearer ${value}`,
      `Cookie: ${owner.headers.cookie}\r\nX-Organization: ${app.organization.id}`,
      'Authorization: Bearer x',
    ]
    await sendMalformed(app, callers, ROUND)
    const before = process.memoryUsage().rss
    for (let sent = ROUND; sent < REQUESTS; sent += ROUND) {
      const { wrong, statuses } = await sendMalformed(app, callers, ROUND)
      expect(wrong.slice(0, 5)).toEqual([])
      expect([...statuses.keys()].every((status) => status < 500)).toBe(true)
    }
    expect((process.memoryUsage().rss - before) / 1024 ** 2).toBeLessThan(64)
  },
  60 * 60_000,
)
