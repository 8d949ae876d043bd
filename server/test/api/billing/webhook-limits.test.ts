import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import * as billing from '../../support/providers/billing-provider.ts'
import * as directory from '../../support/providers/workos.ts'

const ANONYMOUS_MAX = 3
/** Per key; notifications of one sender have ten times that. */
const MAX = 2
const SECRET = 'the secret of the repositories'
const workos = new directory.WorkosCounterpart()

let app: TestApp
beforeAll(async () => {
  await workos.up()
  app = await testApp({
    workers: false,
    env: {
      ...workos.settings,
      ...billing.BILLING,
      CODE_HOSTING_WEBHOOK_SECRET: SECRET,
      RATE_LIMIT_ANONYMOUS_MAX: String(ANONYMOUS_MAX),
      RATE_LIMIT_MAX: String(MAX),
      TRUST_PROXY: '127.0.0.1',
    },
  })
})
afterAll(async () => {
  await app.close()
  await workos.down()
})

let serial = 0
/** Bodies without an effect, in the form of each sender. */
const bodyOf: Record<string, () => object> = {
  billing: () => ({ ...billing.subscriptionEvent({ customer: 'cus_nobody' }), type: 'invoice.paid' }),
  'code hosting': () => ({ number: ++serial }),
  directory: () => ({
    object: 'event',
    id: `event_01HXYZ${++serial}`,
    event: 'session.created',
    created_at: new Date().toISOString(),
    data: {},
  }),
}
const WEBHOOKS: Record<string, { url: string; header: string; sign(body: string): string }> = {
  billing: { url: '/api/billing/webhook', header: 'stripe-signature', sign: (body) => billing.signed(app, body) },
  'code hosting': {
    url: '/api/code-hosting/webhook',
    header: 'x-hub-signature-256',
    sign: (body) => `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
  },
  directory: {
    url: '/api/workos/webhook',
    header: 'workos-signature',
    sign: (body) => directory.signature(app, body),
  },
}

describe.each(Object.entries(WEBHOOKS))('R9: the webhook of %s', (name, { url, header, sign }) => {
  const network = Object.keys(WEBHOOKS).indexOf(name) + 1
  const send = (address: string, signature: string | undefined, rawBody: string) =>
    app.anonymous.request('POST', url, {
      rawBody,
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': `203.0.113.${network}${address}`,
        ...(signature !== undefined && { [header]: signature }),
      },
    })
  const genuine = (address: string) => {
    const body = JSON.stringify(bodyOf[name]?.())
    return send(address, sign(body), body)
  }

  test('counts unsigned notifications like any request without a key, whatever is wrong with them', async () => {
    const wrong = [
      () => send('1', undefined, '{}'),
      () => send('1', sign('{"other":1}'), '{}'),
      () => send('1', sign('{}'), 'x'.repeat(300_000)),
      () => send('1', undefined, '{}'),
      () => send('1', sign('{"other":1}'), '{}'),
    ]
    const statuses = []
    for (const attempt of wrong) statuses.push((await attempt()).status)
    expect(statuses).toEqual([400, 400, 400, 429, 429])
  })

  test('accepts signed ones from an address that has used up its limit, and counts them separately', async () => {
    const first = await genuine('1')
    expect([first.status, first.body]).toEqual([200, { received: true }])
    expect(first.headers.get('x-ratelimit-limit')).toBe(String(10 * MAX))
    for (let i = 0; i < ANONYMOUS_MAX + 2; i++) expect((await genuine('2')).status).toBe(200)
    const { headers } = await app.anonymous.get('/api/health', {
      headers: { 'x-forwarded-for': `203.0.113.${network}2` },
    })
    expect(headers.get('x-ratelimit-remaining')).toBe(String(ANONYMOUS_MAX))
  })

  test('has a separate limit for signed ones', async () => {
    const statuses = []
    for (let i = 0; i < 10 * MAX; i++) statuses.push((await genuine(String(i % 9))).status)
    expect(statuses.indexOf(429)).toBeGreaterThan(0)
    const refused = await genuine('3')
    expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})
