import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, type TestOrganization, testApp } from '../../testing/test-app.ts'
import type { TestClient } from '../../testing/test-client.ts'
import { applyEvent } from './apply-event.service.ts'
import { applyBillingEvent, deleteOldEvents } from './billing.service.ts'

const SECRET = 'whsec_the_one_in_use'
const NEXT_SECRET = 'whsec_its_successor'
const URL = '/api/billing/webhook'
const ENV = { BILLING_PROVIDER: 'stripe', BILLING_WEBHOOK_SECRET: SECRET, DEFAULT_PLAN: 'free' }

let app: TestApp
let admin: TestClient
let serial = 0

beforeAll(async () => {
  app = await testApp({ env: { ...ENV, BILLING_WEBHOOK_SECRET: `${SECRET},${NEXT_SECRET}` } })
  admin = await app.signIn(await app.createUser('Instance Administrator', { isInstanceAdmin: true }))
})
afterAll(() => app.close())

const permutations = (items: number[]): number[][] =>
  items.length < 2 ? [items] : items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]))

const hmac = (secret: string, seconds: number | string, body: string | Buffer) => createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')
const nowSeconds = (of = app) => Math.floor(of.clock.now() / 1000)
const signed = (body: string | Buffer, secret = SECRET, seconds = nowSeconds()) => `t=${seconds},v1=${hmac(secret, seconds, body)}`
const post = (body: string | Buffer, header: string | undefined, to = app) =>
  to.anonymous.request('POST', URL, {
    rawBody: body,
    headers: { 'content-type': 'application/json', ...(header !== undefined && { 'stripe-signature': header }) },
  })
const deliver = (event: object, to = app) => {
  const body = JSON.stringify(event)
  return post(body, signed(body, SECRET, nowSeconds(to)), to)
}

interface Change {
  customer: string
  status?: string
  product?: string | { id: string; name: string }
  created?: number
  kind?: 'created' | 'updated' | 'deleted'
  subscription?: string
  nickname?: string
}

const subscriptionEvent = ({
  customer,
  status = 'active',
  product = { id: 'prod_team', name: 'Team' },
  created = 1_790_000_000,
  kind = 'updated',
  subscription = `sub_of_${customer}`,
  nickname,
}: Change) => ({
  id: `evt_${++serial}`,
  object: 'event',
  type: `customer.subscription.${kind}`,
  created,
  data: {
    object: {
      id: subscription,
      object: 'subscription',
      customer,
      status,
      start_date: 1_780_000_000,
      cancel_at_period_end: false,
      items: { data: [{ current_period_end: 1_800_000_000, price: { product, nickname: nickname ?? null } }] },
    },
  },
})

const outcomeOf = async (id: string, of = app): Promise<string> => {
  for (const deadline = performance.now() + 15_000; performance.now() < deadline; await sleep(20)) {
    const row = await of.db.selectFrom('billing_events').select('outcome').where('id', '=', id).executeTakeFirst()
    if (row?.outcome) return row.outcome
  }
  throw new Error(`the event ${id} was not applied`)
}
const planOf = async (organization: TestOrganization, of = app) =>
  (await of.db.selectFrom('organizations').select('plan').where('id', '=', organization.id).executeTakeFirstOrThrow()).plan
const storedCount = async (of = app) =>
  (
    await of.db
      .selectFrom('billing_events')
      .select((e) => e.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  ).n
const planChanges = (organization: TestOrganization, of = app) =>
  of.db.selectFrom('audit_entries').selectAll().where('organization_id', '=', organization.id).where('action', '=', 'organization.plan-changed').execute()
const link = (organization: TestOrganization, customerId: string, by = admin) =>
  by.request('PUT', `/api/web/instance/organizations/${organization.id}/billing-customer`, { body: { customerId } })
const linkedOrganization = async (customer: string) => {
  const organization = await app.createOrganization()
  expect((await link(organization, customer)).status).toBe(200)
  return organization
}

describe('the signature of a billing notification', () => {
  test('W1: the published vector is accepted at its time', async () => {
    const other = await testApp({ env: { ...ENV, BILLING_WEBHOOK_SECRET: 'whsec_test' }, workers: false })
    other.clock.freeze(1_700_000_000_000)
    const header = 't=1700000000,v1=c89214b5b5da833daed6f0b8c5bb6bd58cea9022bd80ccc78230f3942d632925'
    const { status, body } = await post('{"id":"evt_1"}', header, other)
    expect([status, body]).toEqual([200, { received: true }])
    expect((await post('{"id":"evt_2"}', header, other)).status).toBe(400)
    await other.close()
  })

  test('W1: no signature, a short, wrong or non-hexadecimal one, or another scheme is 400 and stores nothing', async () => {
    const body = JSON.stringify(subscriptionEvent({ customer: 'cus_w1' }))
    const t = nowSeconds()
    const right = hmac(SECRET, t, body)
    const before = await storedCount()
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
      const response = await post(body, header)
      expect([header, response.status, response.body.error.code]).toEqual([header, 400, 'BAD_REQUEST'])
    }
    expect(await storedCount()).toBe(before)
  })

  test('W1: any other byte in body or signature is 400, whatever the bytes', async () => {
    const body = Buffer.from(JSON.stringify({ id: 'evt_bytes', name: 'Zoë' }))
    const header = signed(body)
    await fc.assert(
      fc.asyncProperty(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), async (index, change) => {
        const other = Buffer.from(body)
        other[index] = (other[index] as number) ^ change
        expect((await post(other, header)).status).toBe(400)
      }),
      { numRuns: 60 },
    )
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 80 }), async (bytes) => {
        expect((await post(Buffer.from(bytes), header)).status).toBe(400)
      }),
      { numRuns: 60 },
    )
    for (const other of [Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]), Buffer.concat([body, Buffer.from('\n')]), Buffer.alloc(0)]) {
      expect((await post(other, header)).status).toBe(400)
    }
    expect(await outcomeOfAny('evt_bytes')).toBeUndefined()
    expect((await post(body, header)).status).toBe(200)
  })

  test('W1: a body is not parsed before its signature holds', async () => {
    const broken = '{"id":'
    const t = nowSeconds()
    expect((await post(broken, `t=${t},v1=${'0'.repeat(64)}`)).body.error.message).toContain('Stripe-Signature')
    const verified = await post(broken, signed(broken))
    expect([verified.status, verified.body.error.message]).toEqual([400, 'The body is not valid JSON.'])
  })

  test('W2: 300 s to either side of the clock pass, 301 s do not', async () => {
    const other = await testApp({ env: ENV, workers: false })
    other.clock.freeze(1_795_000_000_000)
    const now = nowSeconds(other)
    const at = (seconds: number | string, body = JSON.stringify({ id: `evt_${++serial}` })) =>
      post(body, `t=${seconds},v1=${hmac(SECRET, seconds, body)}`, other)
    for (const offset of [0, -300, 300]) expect([offset, (await at(now + offset)).status]).toEqual([offset, 200])
    for (const offset of [-301, 301, 400_000_000, -now]) expect([offset, (await at(now + offset)).status]).toEqual([offset, 400])
    for (const odd of [`${now}abc`, `+${now}`, ` ${now}`, '', `${now}.0`, '0x6553f100', '1e9']) expect([odd, (await at(odd)).status]).toEqual([odd, 400])
    const body = JSON.stringify({ id: 'evt_twice' })
    for (const times of [`t=${now},t=${now}`, `t=${now - 9_999},t=${now}`, `t=${now}, t=${now}`]) {
      expect([times, (await post(body, `${times},v1=${hmac(SECRET, now, body)}`, other)).status]).toEqual([times, 400])
    }
    expect((await post(body, `v1=${hmac(SECRET, now, body)}`, other)).status).toBe(400)
    await other.close()
  })

  test('W7: two secrets hold while one replaces the other, and the old one no longer once it is taken out', async () => {
    for (const secret of [SECRET, NEXT_SECRET]) {
      const body = JSON.stringify({ id: `evt_${++serial}` })
      expect((await post(body, signed(body, secret))).status).toBe(200)
    }
    const both = JSON.stringify({ id: `evt_${++serial}` })
    const t = nowSeconds()
    expect((await post(both, `t=${t},v1=${'0'.repeat(64)},v1=${hmac(NEXT_SECRET, t, both)}`)).status).toBe(200)
    const other = await testApp({ env: { ...ENV, BILLING_WEBHOOK_SECRET: NEXT_SECRET }, workers: false })
    const body = JSON.stringify({ id: `evt_${++serial}` })
    expect((await post(body, signed(body, SECRET), other)).status).toBe(400)
    expect((await post(body, signed(body, NEXT_SECRET), other)).status).toBe(200)
    await other.close()
  })
})

const outcomeOfAny = (id: string) => app.db.selectFrom('billing_events').select('id').where('id', '=', id).executeTakeFirst()

describe('limits of the billing webhook', () => {
  test('W5: a body over 256 KiB is 400, one of exactly that is read', async () => {
    const fill = (length: number) => {
      const event = { id: `evt_${++serial}`, padding: '' }
      event.padding = 'x'.repeat(length - JSON.stringify(event).length)
      return JSON.stringify(event)
    }
    const most = fill(262_144)
    expect((await post(most, signed(most))).status).toBe(200)
    const more = fill(262_145)
    const refused = await post(more, signed(more))
    expect([refused.status, refused.body.error.message]).toEqual([400, 'The body is larger than 262144 bytes.'])
  })

  test('W5: senders count as anybody without a key: headers on each answer, then 429 before the body is looked at', async () => {
    const other = await testApp({ env: { ...ENV, RATE_LIMIT_ANONYMOUS_MAX: '5' }, workers: false })
    const statuses: number[] = []
    for (let i = 0; i < 7; i++) {
      const response = await deliver({ id: `evt_${++serial}` }, other)
      statuses.push(response.status)
      expect(response.headers.get('x-ratelimit-limit')).toBe('5')
      expect(response.headers.get('x-ratelimit-remaining')).toBe(String(Math.max(0, 4 - i)))
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
    expect(await storedCount(other)).toBe(5)
    await other.close()
  })

  test('W6: without a provider the path does not exist, also for a rightly signed notification', async () => {
    const other = await testApp({ env: { BILLING_WEBHOOK_SECRET: SECRET }, workers: false })
    expect((await deliver({ id: 'evt_off' }, other)).status).toBe(404)
    expect((await post('{}', undefined, other)).status).toBe(404)
    expect(await storedCount(other)).toBe(0)
    const owner = await other.signedIn('owner')
    expect((await owner.get('/api/web/billing')).body.data).toMatchObject({ provider: 'off', plan: 'free', customerId: null, subscription: null, events: [] })
    await other.close()
  })

  test('only POST is there', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) expect((await app.anonymous.request(method, URL)).status).toBe(404)
  })
})

describe('a billing event', () => {
  test('W2, W3: twenty copies at once, and replays after, answer 200 and have one effect', async () => {
    const organization = await linkedOrganization('cus_copies')
    const event = subscriptionEvent({ customer: 'cus_copies' })
    const answers = await Promise.all(Array.from({ length: 20 }, () => deliver(event)))
    expect(answers.map(({ status, text }) => `${status} ${text}`)).toEqual(Array(20).fill('200 {"received":true}'))
    expect(await outcomeOf(event.id)).toBe('applied')
    expect((await deliver({ ...event, created: event.created + 60, data: {} })).status).toBe(200)
    await sleep(300)
    expect(await planOf(organization)).toBe('Team')
    const changes = await planChanges(organization)
    expect(changes.map(({ actor_type, actor_name, before, after }) => ({ actor_type, actor_name, before, after }))).toEqual([
      { actor_type: 'system', actor_name: 'billing', before: { plan: 'free' }, after: { plan: 'Team' } },
    ])
  })

  test('W3: in whatever order the events come, what happened last holds', async () => {
    const at = 1_790_000_000
    const life = (customer: string) => [
      subscriptionEvent({ customer, kind: 'created', status: 'incomplete', created: at }),
      subscriptionEvent({ customer, kind: 'updated', status: 'active', created: at }),
      subscriptionEvent({ customer, status: 'active', product: { id: 'prod_business', name: 'Business' }, created: at + 100 }),
      subscriptionEvent({ customer, status: 'past_due', product: { id: 'prod_business', name: 'Business' }, created: at + 200 }),
    ]
    const orders = permutations([0, 1, 2, 3])
    expect(orders.length).toBe(24)
    for (const order of orders) {
      const customer = `cus_order_${++serial}`
      const organization = await linkedOrganization(customer)
      const events = life(customer)
      for (const index of order) {
        const event = events[index] as (typeof events)[number]
        await deliver(event)
        await applyEvent(app.platform, event.id)
      }
      const { status } = await app.db
        .selectFrom('billing_subscriptions')
        .select('status')
        .where('organization_id', '=', organization.id)
        .executeTakeFirstOrThrow()
      expect([order, status, await planOf(organization)]).toEqual([order, 'past_due', 'Business'])
    }
  })

  test('W3: an ended subscription stays ended when an update of the same second comes later, and the plan is the default again', async () => {
    const organization = await linkedOrganization('cus_ended')
    const created = 1_790_000_000
    const ended = subscriptionEvent({ customer: 'cus_ended', kind: 'deleted', status: 'canceled', created: created + 5 })
    const late = subscriptionEvent({ customer: 'cus_ended', kind: 'updated', status: 'active', created: created + 5 })
    for (const event of [subscriptionEvent({ customer: 'cus_ended', created }), ended, late]) {
      await deliver(event)
      await outcomeOf(event.id)
    }
    expect(await outcomeOf(late.id)).toBe('superseded')
    expect(await planOf(organization)).toBe('free')
    expect((await planChanges(organization)).length).toBe(2)
  })

  test('of two subscriptions the newest that is in force decides', async () => {
    const organization = await linkedOrganization('cus_two')
    const old = subscriptionEvent({ customer: 'cus_two', subscription: 'sub_old', product: { id: 'prod_old', name: 'Old' } })
    const newer = subscriptionEvent({ customer: 'cus_two', subscription: 'sub_new', product: { id: 'prod_new', name: 'New' } })
    newer.data.object.start_date += 100
    const end = { ...subscriptionEvent({ customer: 'cus_two', subscription: 'sub_new', kind: 'deleted', status: 'canceled', created: 1_790_000_100 }) }
    end.data.object.start_date += 100
    const plans: string[] = []
    for (const event of [newer, old, end]) {
      await deliver(event)
      await outcomeOf(event.id)
      plans.push(await planOf(organization))
    }
    expect(plans).toEqual(['New', 'New', 'Old'])
  })

  test("a product that is known by its id only gives its name once the provider tells it, and the price's name until then", async () => {
    const organization = await linkedOrganization('cus_product')
    const other = await linkedOrganization('cus_product_2')
    const event = subscriptionEvent({ customer: 'cus_product', product: 'prod_late' })
    const named = subscriptionEvent({ customer: 'cus_product_2', product: 'prod_late', nickname: 'Yearly' })
    for (const each of [event, named]) {
      await deliver(each)
      await outcomeOf(each.id)
    }
    expect([await planOf(organization), await planOf(other)]).toEqual(['free', 'Yearly'])
    const tell = async (id: string, name: string, created: number) => {
      await deliver({ id, type: 'product.updated', created, data: { object: { id: 'prod_late', object: 'product', name } } })
      return outcomeOf(id)
    }
    expect(await tell('evt_product_1', 'Enterprise', 1_790_000_500)).toBe('applied')
    expect([await planOf(organization), await planOf(other)]).toEqual(['Enterprise', 'Enterprise'])
    expect(await tell('evt_product_0', 'An earlier name', 1_790_000_400)).toBe('superseded')
    expect(await planOf(organization)).toBe('Enterprise')
  })

  test('W4: it is stored with its job before the 200, and a worker that starts later applies it', async () => {
    const other = await testApp({ env: ENV, workers: false })
    const event = { id: 'evt_stored', type: 'invoice.paid', created: 1_790_000_000, data: { object: { customer: 'cus_1' } } }
    expect((await deliver(event, other)).status).toBe(200)
    expect(await storedCount(other)).toBe(1)
    expect(await jobsOf(other)).toEqual([{ data: { eventId: 'evt_stored' } }])
    await other.platform.jobs.work(applyBillingEvent, ({ eventId }) => applyEvent(other.platform, eventId))
    expect(await outcomeOf('evt_stored', other)).toBe('unknown-customer')
    await other.close()
  })

  test('W4: where the job cannot be stored the event is not stored either, and the answer is no 200', async () => {
    const other = await testApp({ env: ENV, workers: false })
    const { enqueue } = other.platform.jobs
    let failing = true
    other.platform.jobs.enqueue = async (...args) => {
      await enqueue(...args)
      if (failing) throw new Error('the process dies here')
    }
    const event = { id: 'evt_crash', type: 'invoice.paid', created: 1_790_000_000, data: {} }
    expect((await deliver(event, other)).status).toBe(500)
    expect([await storedCount(other), (await jobsOf(other)).length]).toEqual([0, 0])
    failing = false
    expect((await deliver(event, other)).status).toBe(200)
    expect([await storedCount(other), (await jobsOf(other)).length]).toEqual([1, 1])
    await other.close()
  })

  test('W8: a customer that no administrator linked changes nothing, whatever else the event names, and leaves an audit entry', async () => {
    const organization = await app.createOrganization()
    const event = subscriptionEvent({ customer: 'cus_stranger' })
    Object.assign(event.data.object, {
      metadata: { organization_id: organization.id, organizationId: organization.id },
      client_reference_id: organization.id,
      description: organization.slug,
      customer_email: organization.owner.email,
    })
    expect((await deliver(event)).status).toBe(200)
    expect(await outcomeOf(event.id)).toBe('unknown-customer')
    expect(await planOf(organization)).toBe('free')
    const entries = await app.db.selectFrom('audit_entries').selectAll().where('object_id', '=', event.id).execute()
    expect(entries).toMatchObject([{ action: 'billing.event-ignored', actor_type: 'system', organization_id: null, after: { customerId: 'cus_stranger' } }])
  })

  test('of an unknown form or kind is acknowledged and changes nothing', async () => {
    const organization = await linkedOrganization('cus_odd')
    const base = subscriptionEvent({ customer: 'cus_odd' })
    const cases = [
      [{ id: 'evt_odd_1' }, 'not-used'],
      [{ id: 'evt_odd_2', type: 'invoice.paid', created: 1_790_000_000, data: { object: { customer: 'cus_odd' } } }, 'not-used'],
      [{ ...base, id: 'evt_odd_3', created: 'yesterday' }, 'unreadable'],
      [{ ...base, id: 'evt_odd_4', data: { object: { customer: 'cus_odd' } } }, 'unreadable'],
      [{ ...base, id: 'evt_odd_5', data: { object: { ...base.data.object, customer: ['cus_odd'] } } }, 'unreadable'],
      [{ ...base, id: 'evt_odd_6', data: { object: { ...base.data.object, status: 'a\u0000b' } } }, 'unreadable'],
    ] as const
    for (const [event, outcome] of cases) {
      expect((await deliver(event)).status).toBe(200)
      expect([event.id, await outcomeOf(event.id)]).toEqual([event.id, outcome])
    }
    const noName = subscriptionEvent({ customer: 'cus_odd', product: { id: 'prod_odd', name: 'Gold\u0000\u202e' } })
    await deliver(noName)
    expect(await outcomeOf(noName.id)).toBe('applied')
    expect(await planOf(organization)).toBe('free')
    for (const body of ['[]', '{}', '{"id":7}', '{"id":"an id"}', 'null', '"evt_1"']) {
      const { status, body: answer } = await post(body, signed(body))
      expect([body, status, answer.error?.code]).toEqual([body, 400, 'BAD_REQUEST'])
    }
  })

  test('W2: ids are kept for 30 days', async () => {
    const other = await testApp({ env: ENV, workers: false })
    await deliver({ id: 'evt_old' }, other)
    other.clock.advance(29 * 24 * 60 * 60 * 1000)
    await deliver({ id: 'evt_new' }, other)
    await deleteOldEvents(other.db, other.clock)
    expect(await storedCount(other)).toBe(2)
    other.clock.advance(24 * 60 * 60 * 1000 + 1)
    await deleteOldEvents(other.db, other.clock)
    expect(await storedCount(other)).toBe(1)
    await other.close()
  })
})

const jobsOf = async (of: TestApp) => (await sql<{ data: unknown }>`select data from pgboss.job where name = 'apply-billing-event'`.execute(of.db)).rows

describe('a billing customer', () => {
  test('is linked by an instance administrator only', async () => {
    const owner = await app.signedIn('owner')
    expect((await link(app.organization, 'cus_own', owner)).status).toBe(403)
    expect((await link(app.organization, 'cus_own', app.anonymous)).status).toBe(401)
    expect((await owner.delete(`/api/web/instance/organizations/${app.organization.id}/billing-customer`)).status).toBe(403)
    for (const path of ['customers', 'unknown-customers']) expect((await owner.get(`/api/web/instance/billing/${path}`)).status).toBe(403)
    expect(await app.db.selectFrom('billing_customers').selectAll().where('customer_id', '=', 'cus_own').execute()).toEqual([])
  })

  test('pays for one organization at a time', async () => {
    const organization = await linkedOrganization('cus_one')
    const other = await app.createOrganization()
    expect((await link(other, 'cus_one')).status).toBe(409)
    expect((await link(organization, 'cus_one')).status).toBe(200)
    expect((await link({ ...other, id: `org_${'0'.repeat(26)}` }, 'cus_none')).status).toBe(404)
    expect((await link(other, 'cus 1')).status).toBe(422)
    const { body } = await admin.get('/api/web/instance/billing/customers?perPage=100')
    expect(body.data.filter(({ customerId }: { customerId: string }) => customerId === 'cus_one')).toMatchObject([{ organizationId: organization.id }])
  })

  test('that events came for before it was linked has them applied then', async () => {
    const organization = await app.createOrganization()
    const event = subscriptionEvent({ customer: 'cus_early' })
    await deliver(event)
    expect(await outcomeOf(event.id)).toBe('unknown-customer')
    const { body } = await admin.get('/api/web/instance/billing/unknown-customers?perPage=100')
    expect(body.data).toContainEqual({ customerId: 'cus_early', events: 1, lastReceivedAt: expect.any(String) })
    await link(organization, 'cus_early')
    expect(await outcomeOf(event.id)).toBe('applied')
    expect(await planOf(organization)).toBe('Team')
  })

  test('taken away takes the plan of its subscription along, and the organization sees both in its audit log', async () => {
    const organization = await linkedOrganization('cus_away')
    const event = subscriptionEvent({ customer: 'cus_away' })
    await deliver(event)
    await outcomeOf(event.id)
    const path = `/api/web/instance/organizations/${organization.id}/billing-customer`
    expect((await admin.delete(path)).status).toBe(200)
    expect((await admin.delete(path)).status).toBe(404)
    expect(await planOf(organization)).toBe('free')
    const owner = await app.signedIn('owner', organization)
    const { body } = await owner.get('/api/web/audit')
    const actions = body.data.map((entry: { action: string; actor: { name: string } }) => `${entry.actor.name}: ${entry.action}`)
    expect(actions).toEqual(
      expect.arrayContaining([
        'Instance Administrator: billing.customer-unlinked',
        'Instance Administrator: organization.plan-changed',
        'billing: organization.plan-changed',
        'Instance Administrator: billing.customer-linked',
      ]),
    )
  })
})

describe('the billing page of the settings', () => {
  test("shows plan, customer, subscription and the last events to owner and admins, and nothing of another organization's", async () => {
    const organization = await linkedOrganization('cus_page')
    const event = subscriptionEvent({ customer: 'cus_page' })
    const invoice = {
      id: `evt_${++serial}`,
      type: 'invoice.paid',
      created: 1_790_000_001,
      data: { object: { object: 'invoice', customer: { id: 'cus_page' } } },
    }
    for (const each of [event, invoice]) {
      await deliver(each)
      await outcomeOf(each.id)
    }
    const page = await (await app.signedIn('admin', organization)).get('/api/web/billing')
    expect(page.body.data).toEqual({
      provider: 'stripe',
      plan: 'Team',
      customerId: 'cus_page',
      subscription: { id: 'sub_of_cus_page', status: 'active', name: 'Team', periodEnd: '2027-01-15T08:00:00.000Z', cancelsAtPeriodEnd: false },
      events: [
        { id: invoice.id, type: 'invoice.paid', eventAt: '2026-09-21T14:13:21.000Z', receivedAt: expect.any(String), outcome: 'not-used' },
        { id: event.id, type: 'customer.subscription.updated', eventAt: '2026-09-21T14:13:20.000Z', receivedAt: expect.any(String), outcome: 'applied' },
      ],
    })
    expect((await (await app.signedIn('member', organization)).get('/api/web/billing')).status).toBe(403)
    const other = await app.signedIn('owner', await app.createOrganization())
    expect((await other.get('/api/web/billing')).text).not.toContain('cus_page')
    expect((await other.with({ 'x-organization': organization.id }).get('/api/web/billing')).status).toBe(404)
  })

  test('neither the secrets nor a notification are in the log', () => {
    const log = app.logLines.join('')
    expect(log).toContain('a notification was refused')
    for (const secret of [SECRET, NEXT_SECRET, 'sub_of_cus_page', 'v1=']) expect(log).not.toContain(secret)
  })
})
