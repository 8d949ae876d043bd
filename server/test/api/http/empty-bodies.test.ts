import { SCOPE_NAMES } from '@sortie/contract/core/scopes.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import { rawRequest, sendRaw } from '../../support/network/raw-http.ts'
import { BILLING } from '../../support/providers/billing-provider.ts'
import { isWrite, mountedRoutes, pathOf } from '../../support/walks/walk.ts'

const WEBHOOKS = ['/api/billing/webhook', '/api/code-hosting/webhook']
const TYPE = 'Content-Type: application/json'
/** Much less than the server's connection timeout. */
const AT_ONCE_MS = 5_000

let app: TestApp

beforeAll(async () => {
  app = await testApp({ workers: false, env: { ...BILLING, CODE_HOSTING_WEBHOOK_SECRET: 'a secret of the test' } })
})
afterAll(() => app.close())

test('I16: every write route answers a write with Content-Type and no body at once, and the next request on the connection too', async () => {
  const key = `Authorization: Bearer ${(await app.withKey(SCOPE_NAMES)).value}`
  const { cookie, 'x-organization': organization } = (await app.signedIn('owner')).headers
  const session = [`Cookie: ${cookie}`, `X-Organization: ${organization}`]
  const writes = mountedRoutes(app).filter(isWrite)
  expect(writes.length).toBeGreaterThan(50)
  const asked = writes.map((route) => {
    // Routes that need a body do nothing. Others could carry out the owner's request.
    const callers = route.endpoint.body ? [[], route.door === 'key' ? [key] : session] : [[]]
    return { line: `${route.method} ${pathOf(route)} HTTP/1.1`, callers }
  })
  for (const path of WEBHOOKS) asked.push({ line: `POST ${path} HTTP/1.1`, callers: [[]] })
  const refused = new Set<string>()
  for (const { line, callers } of asked) {
    const requests = callers.flatMap((headers) => [
      rawRequest(line, [...headers, TYPE]),
      rawRequest(line, [...headers, TYPE, 'Content-Length: 0']),
    ])
    const last = rawRequest('GET /api/health/live HTTP/1.1', ['Connection: close'])
    const { responses, text } = await sendRaw(app.origin, requests.join('') + last, {
      quietMs: AT_ONCE_MS,
      timeoutMs: AT_ONCE_MS,
    })
    expect(responses.length, `${line}: ${text.slice(0, 300)}`).toBe(requests.length + 1)
    expect(responses.at(-1)?.status).toBe(200)
    for (const { status, body } of responses.slice(0, -1)) {
      expect(status, `${line}: ${body}`).toBeLessThan(500)
      if (body.includes('body is empty')) refused.add(line)
    }
  }
  expect(refused.size).toBeGreaterThan(20)
})
