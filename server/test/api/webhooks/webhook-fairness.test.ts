import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { claimDue, type Shares } from '../../../src/features/webhook-endpoints/deliveries/claims.queries.ts'
import { isoTime } from '../../../src/platform/clock.ts'
import { transaction } from '../../../src/platform/database/transaction.ts'
import { newId } from '../../../src/platform/ids.ts'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, type TestOrganization, testApp } from '../../support/app/test-app.ts'
import { deliveriesOf, endpointOf } from '../../support/webhooks/endpoints.ts'
import { openReceiver, type Receiver } from '../../support/webhooks/receiver.ts'

const EVENTS = ['task.created']
const SHARES = {
  ofEndpoint: 8,
  ofOrganization: 24,
  ofFailing: 1,
  failingBefore: isoTime(0),
  reserved: 24,
  firstOfOrganization: 2,
} as const satisfies Omit<Shares, 'free'>
const PLACES = 64

const apps: TestApp[] = []
const receivers: Receiver[] = []
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close()
})
afterAll(async () => {
  for (const app of apps) await app.close()
})
const receiverOf = async (): Promise<Receiver> => {
  const receiver = await openReceiver()
  receivers.push(receiver)
  return receiver
}

let running: TestApp
/** Without jobs: the test claims. */
let idle: TestApp
beforeAll(async () => {
  running = await testApp({ env: { EGRESS_ALLOW: '127.0.0.1' } })
  idle = await testApp({ workers: false, env: { EGRESS_ALLOW: '127.0.0.1' } })
  apps.push(running, idle)
})

/** An organization with endpoints, each of which many deliveries wait for. */
const backlog = async (app: TestApp, url: string, { endpoints = 1, deliveries = 30 } = {}) => {
  const organization = await app.createOrganization()
  const owner = await app.signedIn('owner', organization)
  const ids: string[] = []
  for (let index = 0; index < endpoints; index++) {
    const { id } = await endpointOf(owner, '/api/web', { url, events: EVENTS })
    ids.push(id)
    await addDeliveries(app, organization, id, deliveries)
  }
  return { organization, owner, ids }
}

const addDeliveries = async (
  app: TestApp,
  { id: organizationId }: TestOrganization,
  endpointId: string,
  count: number,
) => {
  const now = app.clock.now()
  const rows = Array.from({ length: count }, () => {
    const id = newId('whd', now)
    return {
      id,
      organization_id: organizationId,
      endpoint_id: endpointId,
      event: 'ping',
      object_id: id,
      body: JSON.stringify({ type: 'ping', timestamp: isoTime(now), data: {} }),
      next_attempt_at: isoTime(now),
      created_at: isoTime(now),
    }
  })
  await app.db.insertInto('webhook_deliveries').values(rows).execute()
}

test('W17: receivers of other organizations that hang delay no delivery, although each has more waiting than there are places', async () => {
  const hanging = await receiverOf()
  hanging.answer = () => undefined
  const slow = [
    await backlog(running, hanging.url, { endpoints: 4 }),
    await backlog(running, hanging.url, { endpoints: 4 }),
    await backlog(running, hanging.url, { endpoints: 4 }),
  ]
  // All places that they may have are taken: two have their share, and the third the rest.
  await eventually(() => expect(hanging.received.length).toBeGreaterThanOrEqual(PLACES - SHARES.reserved))
  const quick = await receiverOf()
  const { owner, ids } = await backlog(running, quick.url, { deliveries: 20 })
  await deliveriesOf(owner, ids[0] as string, { state: 'delivered', count: 20 })
  expect(quick.received).toHaveLength(20)
  for (const { owner: other, ids: waiting } of slow)
    for (const id of waiting) await deliveriesOf(other, id, { state: 'delivered', count: 0 })
})

const claim = (app: TestApp, shares: Partial<Shares>) => {
  const now = app.clock.now()
  const all: Shares = { ...SHARES, free: PLACES, ...shares }
  return transaction(app.db, (tx) => claimDue(tx, isoTime(now), isoTime(now + 60_000), all))
}
const countBy = <T>(all: readonly T[], key: (one: T) => string) =>
  Object.fromEntries([...Map.groupBy(all, key)].map(([name, { length }]) => [name, length]))

test('W17: places are shared between organizations, some stay free for those with few, and an endpoint that only fails has one', async () => {
  const [first, second, third] = [
    await backlog(idle, 'https://a.example.com/', { endpoints: 4 }),
    await backlog(idle, 'https://b.example.com/', { endpoints: 4 }),
    await backlog(idle, 'https://c.example.com/', { endpoints: 4 }),
  ]
  const claimed = await claim(idle, {})
  const shares = countBy(claimed, ({ organization_id: id }) => id)
  expect(claimed.length).toBe(PLACES - SHARES.reserved)
  for (const { organization } of [first, second, third]) {
    expect(shares[organization.id]).toBeGreaterThanOrEqual(13)
    expect(shares[organization.id]).toBeLessThanOrEqual(14)
  }
  for (const count of Object.values(countBy(claimed, ({ endpoint_id: id }) => id))) expect(count).toBeLessThanOrEqual(8)
  // What is left is for others: the ones with many get nothing of it, a new one its first two.
  expect(await claim(idle, { free: SHARES.reserved })).toEqual([])
  const fourth = await backlog(idle, 'https://d.example.com/')
  const later = await claim(idle, { free: SHARES.reserved })
  expect(countBy(later, ({ organization_id: id }) => id)).toEqual({ [fourth.organization.id]: 2 })
  const failing = await backlog(idle, 'https://e.example.com/')
  await idle.db
    .updateTable('webhook_endpoints')
    .set({ failing_since: isoTime(idle.clock.now() - 120_000) })
    .where('id', '=', failing.ids[0] as string)
    .execute()
  const last = await claim(idle, { failingBefore: isoTime(idle.clock.now() - 60_000), reserved: 0 })
  expect(countBy(last, ({ endpoint_id: id }) => id)).toMatchObject({ [failing.ids[0] as string]: 1 })
})

test('W17: an error with the events of one organization stops no other, and its events are sent once it is over', async () => {
  const receiver = await receiverOf()
  const [broken, whole] = [await running.createOrganization(), await running.createOrganization()]
  const createTask = async (organization: TestOrganization) => {
    const owner = await running.signedIn('owner', organization)
    const endpoint = await endpointOf(owner, '/api/web', { url: receiver.url, events: EVENTS })
    const { body } = await owner.post('/api/web/engagements', { name: 'Perimeter' })
    return { owner, endpoint, engagementId: body.data.id as string }
  }
  const [first, second] = [await createTask(broken), await createTask(whole)]
  await running.asSuperuser(`create function refuse_webhooks() returns trigger language plpgsql as $$
    begin if new.organization_id = '${broken.id}' then raise exception 'planted'; end if; return new; end $$;
    create trigger planted before insert on webhook_deliveries for each row execute function refuse_webhooks()`)
  for (const { owner, engagementId } of [first, second])
    expect((await owner.post('/api/web/tasks', { engagementId, title: 'Scan it' })).status).toBe(201)
  await deliveriesOf(second.owner, second.endpoint.id, { state: 'delivered', count: 1 })
  await eventually(() => expect(running.logLines.join('\n')).toContain('events could not be turned into webhooks'))
  await running.asSuperuser('drop trigger planted on webhook_deliveries; drop function refuse_webhooks()')
  running.clock.advance(11_000)
  await deliveriesOf(first.owner, first.endpoint.id, { state: 'delivered', count: 1 })
})

test('deliveries of one object go out in order, one after the other, unless the earlier one waits for its next attempt', async () => {
  const organization = await idle.createOrganization()
  const owner = await idle.signedIn('owner', organization)
  const { id } = await endpointOf(owner, '/api/web', { url: 'https://f.example.com/', events: EVENTS })
  await addDeliveries(idle, organization, id, 3)
  const ours = idle.db.updateTable('webhook_deliveries').where('endpoint_id', '=', id)
  await ours.set({ object_id: 'tsk_one' }).execute()
  const claimed = async () => (await claim(idle, { reserved: 0 })).filter((each) => each.endpoint_id === id)
  const [first, ...others] = await claimed()
  expect(others).toEqual([])
  expect(await claimed()).toEqual([])
  await ours
    .set({ claimed_until: null, next_attempt_at: isoTime(idle.clock.now() + 5_000) })
    .where('id', '=', first?.id ?? '')
    .execute()
  const [second] = await claimed()
  await ours
    .set({ state: 'delivered', claimed_until: null, next_attempt_at: null })
    .where('id', '=', second?.id ?? '')
    .execute()
  const [third] = await claimed()
  const all = await idle.db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('endpoint_id', '=', id)
    .orderBy('position')
    .execute()
  expect([first?.id, second?.id, third?.id]).toEqual(all.map((each) => each.id))
})
