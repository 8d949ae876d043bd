import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ workers: false, env: { RATE_LIMIT_ANONYMOUS_MAX: '2' } })
})
afterAll(() => app.close())

test('health needs no key, has no rate limit, and has only status and timestamp', async () => {
  for (let i = 0; i < 5; i++) {
    const { status, body, headers } = await app.anonymous.get('/api/health')
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 'ok',
      timestamp: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
    })
    expect(headers.get('x-ratelimit-remaining')).toBe('2')
  }
})

test('a key, a cookie and a query change nothing; other spellings of the path are 404', async () => {
  const client = app.anonymous.with({ authorization: 'Bearer svc_live_nonsense', cookie: 'sid=nonsense' })
  expect((await client.get('/api/health?verbose=1')).body.status).toBe('ok')
  expect((await app.anonymous.get('/api/Health')).status).toBe(404)
  expect((await app.anonymous.post('/api/health/', {})).status).toBe(404)
})
