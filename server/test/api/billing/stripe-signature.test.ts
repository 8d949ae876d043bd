import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runs } from '../../support/app/nightly.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import {
  BILLING,
  deliver,
  hmac,
  NEXT_SECRET,
  nextNumber,
  nowSeconds,
  post,
  SECRET,
  signed,
  storedCount,
  subscriptionEvent,
} from '../../support/providers/billing-provider.ts'

let app: TestApp

beforeAll(async () => {
  app = await testApp({ env: { ...BILLING, BILLING_WEBHOOK_SECRET: `${SECRET},${NEXT_SECRET}` }, workers: false })
})
afterAll(() => app.close())

describe('the signature of a billing notification', () => {
  test('W1: the published vector is accepted at its time', async () => {
    const other = await testApp({ env: { ...BILLING, BILLING_WEBHOOK_SECRET: 'whsec_test' }, workers: false })
    other.clock.freeze(1_700_000_000_000)
    const header = 't=1700000000,v1=c89214b5b5da833daed6f0b8c5bb6bd58cea9022bd80ccc78230f3942d632925'
    const { status, body } = await post(other, '{"id":"evt_1"}', header)
    expect([status, body]).toEqual([200, { received: true }])
    expect((await post(other, '{"id":"evt_2"}', header)).status).toBe(400)
    await other.close()
  })

  test('W1: a missing, short, wrong or non-hexadecimal one, or another scheme, is 400 and stores nothing', async () => {
    const body = JSON.stringify(subscriptionEvent({ customer: 'cus_w1' }))
    const t = nowSeconds(app)
    const right = hmac(SECRET, t, body)
    const before = await storedCount(app)
    const headers = [
      undefined,
      '',
      right,
      `t=${t}`,
      `v1=${right}`,
      `t=${t},v1=`,
      `t=${t},v1`,
      `t=${t},v1=${right.slice(0, 63)}`,
      `t=${t},v1=${right}0`,
      `t=${t},v1=${'é'.repeat(64)}`,
      `t=${t},v1=${'0'.repeat(64)}`,
      `t=${t},v1=,v1=${right}`,
      `t=${t},v0=${right}`,
      `t=${t},V1=${right}`,
      `t=${t};v1=${right}`,
      `t=${t},v1=${hmac('', t, body)}`,
      `t=${t},v1=${hmac(`${SECRET}\n`, t, body)}`,
      `t=${t},v1=${hmac(`${SECRET},${NEXT_SECRET}`, t, body)}`,
      `t=${t},v1=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
    ]
    for (const header of headers) {
      const response = await post(app, body, header)
      expect([header, response.status, response.body.error.code]).toEqual([header, 400, 'BAD_REQUEST'])
    }
    expect(await storedCount(app)).toBe(before)
  })

  test('W1: a signature of another scheme in addition to the right one is ignored', async () => {
    for (const other of ['v0=6ffbb59b2300aae63f272406069a9788598b792a944a07aba816edb039989a39', 'v2=x']) {
      const body = JSON.stringify({ id: `evt_${nextNumber()}` })
      const t = nowSeconds(app)
      expect([other, (await post(app, body, `t=${t},v1=${hmac(SECRET, t, body)},${other}`)).status]).toEqual([
        other,
        200,
      ])
      expect([other, (await post(app, body, `t=${t},v1=${'0'.repeat(64)},${other}`)).status]).toEqual([other, 400])
    }
  })

  test('W1: any other byte in body or signature is 400, whatever the bytes', async () => {
    const body = Buffer.from(JSON.stringify({ id: 'evt_bytes', name: 'Zoë' }))
    const header = signed(app, body)
    await fc.assert(
      fc.asyncProperty(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), async (index, change) => {
        const other = Buffer.from(body)
        other[index] = (other[index] as number) ^ change
        expect((await post(app, other, header)).status).toBe(400)
      }),
      { numRuns: runs(60) },
    )
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 80 }), async (bytes) => {
        expect((await post(app, Buffer.from(bytes), header)).status).toBe(400)
      }),
      { numRuns: runs(60) },
    )
    for (const other of [
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
      Buffer.concat([body, Buffer.from('\n')]),
      Buffer.alloc(0),
    ]) {
      expect((await post(app, other, header)).status).toBe(400)
    }
    expect(
      await app.db.selectFrom('billing_events').select('id').where('id', '=', 'evt_bytes').executeTakeFirst(),
    ).toBeUndefined()
    expect((await post(app, body, header)).status).toBe(200)
  })

  test('W1: a body is not parsed before its signature is verified', async () => {
    const broken = '{"id":'
    const t = nowSeconds(app)
    expect((await post(app, broken, `t=${t},v1=${'0'.repeat(64)}`)).body.error.message).toContain('Stripe-Signature')
    const verified = await post(app, broken, signed(app, broken))
    expect([verified.status, verified.body.error.message]).toEqual([400, 'The body is not valid JSON.'])
  })

  test('W2: 300 s before and after the clock are accepted, 301 s are not', async () => {
    const other = await testApp({ env: BILLING, workers: false })
    other.clock.freeze(1_795_000_000_000)
    const now = nowSeconds(other)
    const at = (seconds: number | string, body = JSON.stringify({ id: `evt_${nextNumber()}` })) =>
      post(other, body, `t=${seconds},v1=${hmac(SECRET, seconds, body)}`)
    for (const offset of [0, -300, 300]) expect([offset, (await at(now + offset)).status]).toEqual([offset, 200])
    for (const offset of [-301, 301, 400_000_000, -now])
      expect([offset, (await at(now + offset)).status]).toEqual([offset, 400])
    for (const odd of [`${now}abc`, `+${now}`, ` ${now}`, '', `${now}.0`, '0x6553f100', '1e9'])
      expect([odd, (await at(odd)).status]).toEqual([odd, 400])
    const body = JSON.stringify({ id: 'evt_twice' })
    for (const times of [`t=${now},t=${now}`, `t=${now - 9_999},t=${now}`, `t=${now}, t=${now}`]) {
      expect([times, (await post(other, body, `${times},v1=${hmac(SECRET, now, body)}`)).status]).toEqual([times, 400])
    }
    expect((await post(other, body, `v1=${hmac(SECRET, now, body)}`)).status).toBe(400)
    await other.close()
  })

  test('W7: two secrets are valid during a rotation, and the old one no longer once it is removed', async () => {
    for (const secret of [SECRET, NEXT_SECRET]) {
      const body = JSON.stringify({ id: `evt_${nextNumber()}` })
      expect((await post(app, body, signed(app, body, secret))).status).toBe(200)
    }
    const both = JSON.stringify({ id: `evt_${nextNumber()}` })
    const t = nowSeconds(app)
    expect((await post(app, both, `t=${t},v1=${'0'.repeat(64)},v1=${hmac(NEXT_SECRET, t, both)}`)).status).toBe(200)
    const other = await testApp({ env: { ...BILLING, BILLING_WEBHOOK_SECRET: NEXT_SECRET }, workers: false })
    const body = JSON.stringify({ id: `evt_${nextNumber()}` })
    expect((await post(other, body, signed(app, body, SECRET))).status).toBe(400)
    expect((await post(other, body, signed(app, body, NEXT_SECRET))).status).toBe(200)
    await other.close()
  })
})

describe('limits of the billing webhook', () => {
  test('W5: a body over 256 KiB is 400; a body of exactly 256 KiB is read', async () => {
    const fill = (length: number) => {
      const event = { id: `evt_${nextNumber()}`, padding: '' }
      event.padding = 'x'.repeat(length - JSON.stringify(event).length)
      return JSON.stringify(event)
    }
    const most = fill(262_144)
    expect((await post(app, most, signed(app, most))).status).toBe(200)
    const more = fill(262_145)
    const refused = await post(app, more, signed(app, more))
    expect([refused.status, refused.body.error.message]).toEqual([400, 'The body is larger than 262144 bytes.'])
  })

  test('W6: without a provider the path does not exist, also for a correctly signed notification', async () => {
    const other = await testApp({ env: { BILLING_WEBHOOK_SECRET: SECRET }, workers: false })
    expect((await deliver(other, { id: 'evt_off' })).status).toBe(404)
    expect((await post(other, '{}', undefined)).status).toBe(404)
    expect(await storedCount(other)).toBe(0)
    const owner = await other.signedIn('owner')
    expect((await owner.get('/api/web/billing')).body.data).toMatchObject({
      provider: 'off',
      plan: 'free',
      customerId: null,
      subscription: null,
      events: [],
    })
    await other.close()
  })

  test('only POST exists', async () => {
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect((await app.anonymous.request(method, '/api/billing/webhook')).status).toBe(404)
  })

  test('neither the secrets nor a notification are in the log', () => {
    const log = app.logLines.join('')
    expect(log).toContain('a notification was refused')
    for (const secret of [SECRET, NEXT_SECRET, 'sub_of_cus_w1', 'v1=']) expect(log).not.toContain(secret)
  })
})
