import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyEvent } from '../../../src/features/billing/apply-event.service.ts'
import { applyBillingEvent, deleteOldEvents } from '../../../src/features/billing/billing.service.ts'
import { type TestApp, type TestOrganization, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import {
  BILLING,
  deliver,
  nextNumber,
  outcomeOf,
  planOf,
  post,
  signed,
  storedCount,
  subscriptionEvent,
} from '../../support/providers/billing-provider.ts'

let app: TestApp
let admin: TestClient

beforeAll(async () => {
  app = await testApp({ env: BILLING })
  admin = await app.signIn(await app.createUser('Instance Administrator', { isInstanceAdmin: true }))
})
afterAll(() => app.close())

const permutations = (items: number[]): number[][] =>
  items.length < 2
    ? [items]
    : items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]))

const planChanges = (organization: TestOrganization, of = app) =>
  of.db
    .selectFrom('audit_entries')
    .selectAll()
    .where('organization_id', '=', organization.id)
    .where('action', '=', 'organization.plan-changed')
    .execute()
const link = (organization: TestOrganization, customerId: string, by = admin) =>
  by.request('PUT', `/api/web/instance/organizations/${organization.id}/billing-customer`, { body: { customerId } })
const linkedOrganization = async (customer: string) => {
  const organization = await app.createOrganization()
  expect((await link(organization, customer)).status).toBe(200)
  return organization
}

describe('a billing event', () => {
  test('W2, W3: twenty copies at once, and replays after, answer 200 and have one effect', async () => {
    const organization = await linkedOrganization('cus_copies')
    const event = subscriptionEvent({ customer: 'cus_copies' })
    const answers = await Promise.all(Array.from({ length: 20 }, () => deliver(app, event)))
    expect(answers.map(({ status, text }) => `${status} ${text}`)).toEqual(Array(20).fill('200 {"received":true}'))
    expect(await outcomeOf(app, event.id)).toBe('applied')
    expect((await deliver(app, { ...event, created: event.created + 60, data: {} })).status).toBe(200)
    await sleep(300)
    expect(await planOf(app, organization)).toBe('Team')
    const changes = await planChanges(organization)
    expect(
      changes.map(({ actor_type, actor_name, before, after }) => ({ actor_type, actor_name, before, after })),
    ).toEqual([{ actor_type: 'system', actor_name: 'billing', before: { plan: 'free' }, after: { plan: 'Team' } }])
  })

  test('W3: in any order of arrival the latest event by time decides', async () => {
    const at = 1_790_000_000
    const life = (customer: string) => [
      subscriptionEvent({ customer, kind: 'created', status: 'incomplete', created: at }),
      subscriptionEvent({ customer, kind: 'updated', status: 'active', created: at }),
      subscriptionEvent({
        customer,
        status: 'active',
        product: { id: 'prod_business', name: 'Business' },
        created: at + 100,
      }),
      subscriptionEvent({
        customer,
        status: 'past_due',
        product: { id: 'prod_business', name: 'Business' },
        created: at + 200,
      }),
    ]
    const orders = permutations([0, 1, 2, 3])
    expect(orders.length).toBe(24)
    for (const order of orders) {
      const customer = `cus_order_${nextNumber()}`
      const organization = await linkedOrganization(customer)
      const events = life(customer)
      for (const index of order) {
        const event = events[index] as (typeof events)[number]
        await deliver(app, event)
        await applyEvent(app.platform, event.id)
      }
      const { status } = await app.db
        .selectFrom('billing_subscriptions')
        .select('status')
        .where('organization_id', '=', organization.id)
        .executeTakeFirstOrThrow()
      expect([order, status, await planOf(app, organization)]).toEqual([order, 'past_due', 'Business'])
    }
  })

  test('W3: an ended subscription stays ended when an update of the same second comes later, and the plan is the default again', async () => {
    const organization = await linkedOrganization('cus_ended')
    const created = 1_790_000_000
    const ended = subscriptionEvent({
      customer: 'cus_ended',
      kind: 'deleted',
      status: 'canceled',
      created: created + 5,
    })
    const late = subscriptionEvent({ customer: 'cus_ended', kind: 'updated', status: 'active', created: created + 5 })
    for (const event of [subscriptionEvent({ customer: 'cus_ended', created }), ended, late]) {
      await deliver(app, event)
      await outcomeOf(app, event.id)
    }
    expect(await outcomeOf(app, late.id)).toBe('superseded')
    expect(await planOf(app, organization)).toBe('free')
    expect((await planChanges(organization)).length).toBe(2)
  })

  test('of two subscriptions the newest active one decides', async () => {
    const organization = await linkedOrganization('cus_two')
    const old = subscriptionEvent({
      customer: 'cus_two',
      subscription: 'sub_old',
      product: { id: 'prod_old', name: 'Old' },
    })
    const newer = subscriptionEvent({
      customer: 'cus_two',
      subscription: 'sub_new',
      product: { id: 'prod_new', name: 'New' },
    })
    newer.data.object.start_date += 100
    const end = {
      ...subscriptionEvent({
        customer: 'cus_two',
        subscription: 'sub_new',
        kind: 'deleted',
        status: 'canceled',
        created: 1_790_000_100,
      }),
    }
    end.data.object.start_date += 100
    const plans: string[] = []
    for (const event of [newer, old, end]) {
      await deliver(app, event)
      await outcomeOf(app, event.id)
      plans.push(await planOf(app, organization))
    }
    expect(plans).toEqual(['New', 'New', 'Old'])
  })

  test("with only a product id has the price's name until the provider returns the product's name", async () => {
    const organization = await linkedOrganization('cus_product')
    const other = await linkedOrganization('cus_product_2')
    const event = subscriptionEvent({ customer: 'cus_product', product: 'prod_late' })
    const named = subscriptionEvent({ customer: 'cus_product_2', product: 'prod_late', nickname: 'Yearly' })
    for (const each of [event, named]) {
      await deliver(app, each)
      await outcomeOf(app, each.id)
    }
    expect([await planOf(app, organization), await planOf(app, other)]).toEqual(['free', 'Yearly'])
    const tell = async (id: string, name: string, created: number) => {
      await deliver(app, {
        id,
        type: 'product.updated',
        created,
        data: { object: { id: 'prod_late', object: 'product', name } },
      })
      return outcomeOf(app, id)
    }
    expect(await tell('evt_product_1', 'Enterprise', 1_790_000_500)).toBe('applied')
    expect([await planOf(app, organization), await planOf(app, other)]).toEqual(['Enterprise', 'Enterprise'])
    expect(await tell('evt_product_0', 'An earlier name', 1_790_000_400)).toBe('superseded')
    expect(await planOf(app, organization)).toBe('Enterprise')
  })

  test('W4: is stored with its job before the 200, and a worker that starts later applies it', async () => {
    const other = await testApp({ env: BILLING, workers: false })
    const event = {
      id: 'evt_stored',
      type: 'invoice.paid',
      created: 1_790_000_000,
      data: { object: { customer: 'cus_1' } },
    }
    expect((await deliver(other, event)).status).toBe(200)
    expect(await storedCount(other)).toBe(1)
    expect(await jobsOf(other)).toEqual([{ data: { eventId: 'evt_stored' } }])
    await other.platform.jobs.work(applyBillingEvent, ({ eventId }) => applyEvent(other.platform, eventId))
    expect(await outcomeOf(other, 'evt_stored')).toBe('unknown-customer')
    await other.close()
  })

  test('W4: is not stored when its job cannot be stored, and the answer is not 200', async () => {
    const other = await testApp({ env: BILLING, workers: false })
    const { enqueue } = other.platform.jobs
    let failing = true
    other.platform.jobs.enqueue = async (...args) => {
      const id = await enqueue(...args)
      if (failing) throw new Error('the process dies here')
      return id
    }
    const event = { id: 'evt_crash', type: 'invoice.paid', created: 1_790_000_000, data: {} }
    expect((await deliver(other, event)).status).toBe(500)
    expect([await storedCount(other), (await jobsOf(other)).length]).toEqual([0, 0])
    failing = false
    expect((await deliver(other, event)).status).toBe(200)
    expect([await storedCount(other), (await jobsOf(other)).length]).toEqual([1, 1])
    await other.close()
  })

  test('W8: for a customer that no administrator linked changes nothing, whatever else it names, and leaves an audit entry', async () => {
    const organization = await app.createOrganization()
    const event = subscriptionEvent({ customer: 'cus_stranger' })
    Object.assign(event.data.object, {
      metadata: { organization_id: organization.id, organizationId: organization.id },
      client_reference_id: organization.id,
      description: organization.slug,
      customer_email: organization.owner.email,
    })
    expect((await deliver(app, event)).status).toBe(200)
    expect(await outcomeOf(app, event.id)).toBe('unknown-customer')
    expect(await planOf(app, organization)).toBe('free')
    const entries = await app.db.selectFrom('audit_entries').selectAll().where('object_id', '=', event.id).execute()
    expect(entries).toMatchObject([
      {
        action: 'billing.event-ignored',
        actor_type: 'system',
        organization_id: null,
        after: { customerId: 'cus_stranger' },
      },
    ])
  })

  test('of an unknown form or kind is acknowledged and changes nothing', async () => {
    const organization = await linkedOrganization('cus_odd')
    const base = subscriptionEvent({ customer: 'cus_odd' })
    const cases = [
      [{ id: 'evt_odd_1' }, 'not-used'],
      [
        { id: 'evt_odd_2', type: 'invoice.paid', created: 1_790_000_000, data: { object: { customer: 'cus_odd' } } },
        'not-used',
      ],
      [{ ...base, id: 'evt_odd_3', created: 'yesterday' }, 'unreadable'],
      [{ ...base, id: 'evt_odd_4', data: { object: { customer: 'cus_odd' } } }, 'unreadable'],
      [{ ...base, id: 'evt_odd_5', data: { object: { ...base.data.object, customer: ['cus_odd'] } } }, 'unreadable'],
      [{ ...base, id: 'evt_odd_6', data: { object: { ...base.data.object, status: 'a\u0000b' } } }, 'unreadable'],
    ] as const
    for (const [event, outcome] of cases) {
      expect((await deliver(app, event)).status).toBe(200)
      expect([event.id, await outcomeOf(app, event.id)]).toEqual([event.id, outcome])
    }
    const noName = subscriptionEvent({ customer: 'cus_odd', product: { id: 'prod_odd', name: 'Gold\u0000\u202e' } })
    await deliver(app, noName)
    expect(await outcomeOf(app, noName.id)).toBe('applied')
    expect(await planOf(app, organization)).toBe('free')
    for (const body of ['[]', '{}', '{"id":7}', '{"id":"an id"}', 'null', '"evt_1"']) {
      const { status, body: answer } = await post(app, body, signed(app, body))
      expect([body, status, answer.error?.code]).toEqual([body, 400, 'BAD_REQUEST'])
    }
  })

  test('W2: ids are kept for 30 days', async () => {
    const other = await testApp({ env: BILLING, workers: false })
    await deliver(other, { id: 'evt_old' })
    other.clock.advance(29 * 24 * 60 * 60 * 1000)
    await deliver(other, { id: 'evt_new' })
    await deleteOldEvents(other.db, other.clock)
    expect(await storedCount(other)).toBe(2)
    other.clock.advance(24 * 60 * 60 * 1000 + 1)
    await deleteOldEvents(other.db, other.clock)
    expect(await storedCount(other)).toBe(1)
    await other.close()
  })
})

const jobsOf = async (of: TestApp) =>
  (await sql<{ data: unknown }>`select data from pgboss.job where name = 'apply-billing-event'`.execute(of.db)).rows

describe('a billing customer', () => {
  test('is linked only by an instance administrator', async () => {
    const owner = await app.signedIn('owner')
    expect((await link(app.organization, 'cus_own', owner)).status).toBe(403)
    expect((await link(app.organization, 'cus_own', app.anonymous)).status).toBe(401)
    expect((await owner.delete(`/api/web/instance/organizations/${app.organization.id}/billing-customer`)).status).toBe(
      403,
    )
    for (const path of ['customers', 'unknown-customers'])
      expect((await owner.get(`/api/web/instance/billing/${path}`)).status).toBe(403)
    expect(
      await app.db.selectFrom('billing_customers').selectAll().where('customer_id', '=', 'cus_own').execute(),
    ).toEqual([])
  })

  test('pays for one organization at a time', async () => {
    const organization = await linkedOrganization('cus_one')
    const other = await app.createOrganization()
    expect((await link(other, 'cus_one')).status).toBe(409)
    expect((await link(organization, 'cus_one')).status).toBe(200)
    expect((await link({ ...other, id: `org_${'0'.repeat(26)}` }, 'cus_none')).status).toBe(404)
    expect((await link(other, 'cus 1')).status).toBe(422)
    const { body } = await admin.get('/api/web/instance/billing/customers?perPage=100')
    expect(body.data.filter(({ customerId }: { customerId: string }) => customerId === 'cus_one')).toMatchObject([
      { organizationId: organization.id },
    ])
  })

  test('gets earlier events applied when it is linked', async () => {
    const organization = await app.createOrganization()
    const event = subscriptionEvent({ customer: 'cus_early' })
    await deliver(app, event)
    expect(await outcomeOf(app, event.id)).toBe('unknown-customer')
    const { body } = await admin.get('/api/web/instance/billing/unknown-customers?perPage=100')
    expect(body.data).toContainEqual({ customerId: 'cus_early', events: 1, lastReceivedAt: expect.any(String) })
    await link(organization, 'cus_early')
    expect(await outcomeOf(app, event.id)).toBe('applied')
    expect(await planOf(app, organization)).toBe('Team')
  })

  test('that is unlinked loses the plan of its subscription, and the organization sees both in its audit log', async () => {
    const organization = await linkedOrganization('cus_away')
    const event = subscriptionEvent({ customer: 'cus_away' })
    await deliver(app, event)
    await outcomeOf(app, event.id)
    const path = `/api/web/instance/organizations/${organization.id}/billing-customer`
    expect((await admin.delete(path)).status).toBe(200)
    expect((await admin.delete(path)).status).toBe(404)
    expect(await planOf(app, organization)).toBe('free')
    const owner = await app.signedIn('owner', organization)
    const { body } = await owner.get('/api/web/audit')
    const actions = body.data.map(
      (entry: { action: string; actor: { name: string } }) => `${entry.actor.name}: ${entry.action}`,
    )
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
  test('shows plan, customer, subscription and the last events to owner and admins, and nothing of another organization', async () => {
    const organization = await linkedOrganization('cus_page')
    const event = subscriptionEvent({ customer: 'cus_page' })
    const invoice = {
      id: `evt_${nextNumber()}`,
      type: 'invoice.paid',
      created: 1_790_000_001,
      data: { object: { object: 'invoice', customer: { id: 'cus_page' } } },
    }
    for (const each of [event, invoice]) {
      await deliver(app, each)
      await outcomeOf(app, each.id)
    }
    const page = await (await app.signedIn('admin', organization)).get('/api/web/billing')
    expect(page.body.data).toEqual({
      provider: 'stripe',
      plan: 'Team',
      customerId: 'cus_page',
      subscription: {
        id: 'sub_of_cus_page',
        status: 'active',
        name: 'Team',
        periodEnd: '2027-01-15T08:00:00.000Z',
        cancelsAtPeriodEnd: false,
      },
      events: [
        {
          id: invoice.id,
          type: 'invoice.paid',
          eventAt: '2026-09-21T14:13:21.000Z',
          receivedAt: expect.any(String),
          outcome: 'not-used',
        },
        {
          id: event.id,
          type: 'customer.subscription.updated',
          eventAt: '2026-09-21T14:13:20.000Z',
          receivedAt: expect.any(String),
          outcome: 'applied',
        },
      ],
    })
    expect((await (await app.signedIn('member', organization)).get('/api/web/billing')).status).toBe(403)
    const other = await app.signedIn('owner', await app.createOrganization())
    expect((await other.get('/api/web/billing')).text).not.toContain('cus_page')
    expect((await other.with({ 'x-organization': organization.id }).get('/api/web/billing')).status).toBe(404)
  })
})
