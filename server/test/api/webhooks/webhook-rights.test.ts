import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deleteOldDeliveries } from '../../../src/features/webhook-endpoints/deliveries/old-deliveries.service.ts'
import { isoTime } from '../../../src/platform/clock.ts'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, type TestOrganization, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { DnsServer } from '../../support/network/dns-server.ts'
import { trustTestAuthority } from '../../support/network/tls-side.ts'
import { deliveriesOf, endpointOf } from '../../support/webhooks/endpoints.ts'
import { engagementIn, findingIn, must } from '../../support/webhooks/objects.ts'
import { openReceiver, type Receiver } from '../../support/webhooks/receiver.ts'

const NAME = 'target.example.com'
const FINDING = ['finding.created']

let app: TestApp
let dns: DnsServer
let distrust: () => void
let organization: TestOrganization
let owner: TestClient
let receiver: Receiver

beforeAll(async () => {
  distrust = trustTestAuthority()
  dns = await DnsServer.start()
  dns.addresses.set(NAME, (type) => (type === 'A' ? ['127.0.0.1'] : []))
  app = await testApp({ env: { EGRESS_ALLOW: '127.0.0.1', DNS_SERVERS: dns.address } })
})
afterAll(async () => {
  await app.close()
  await dns.stop()
  distrust()
})
beforeEach(async () => {
  receiver = await openReceiver()
  organization = await app.createOrganization()
  owner = await app.signedIn('owner', organization)
})
afterEach(() => receiver.close())

const endpointNow = async (id: string) => (await owner.get(`/api/web/webhook-endpoints/${id}`)).body.data
/** Waits until the server has sent to another endpoint what happened up to now. */
const everythingSent = async () => {
  const witness = await openReceiver()
  try {
    const endpoint = await endpointOf(owner, '/api/web', { name: 'Witness', url: witness.url, events: FINDING })
    await findingIn(owner, await engagementIn(owner))
    await deliveriesOf(owner, endpoint.id, { state: 'delivered', count: 1 })
    await must(owner.delete(`/api/web/webhook-endpoints/${endpoint.id}`))
  } finally {
    await witness.close()
  }
}

/**
 * Holds a delivery after its rights were checked, while the name of its receiver is resolved.
 *
 * @returns a function that lets it go on
 */
const heldDelivery = async (client: TestClient, secured: Receiver) => {
  let release = () => undefined as void
  let isAsked = false
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  dns.before = (name) => {
    if (name !== NAME) return undefined
    isAsked = true
    return gate
  }
  const endpoint = await endpointOf(client, '/api/web', { url: secured.url, events: FINDING })
  const engagementId = await engagementIn(owner)
  await findingIn(owner, engagementId)
  await eventually(() => expect(isAsked).toBe(true))
  return {
    endpoint,
    engagementId,
    release: () => {
      dns.before = () => undefined
      release()
    },
  }
}

describe('W11: a right that ends between an event and its delivery', () => {
  let secured: Receiver
  beforeEach(async () => {
    secured = await openReceiver({ name: NAME })
  })
  afterEach(() => secured.close())

  test('with no change, a held delivery arrives over TLS at the address that was checked', async () => {
    const { endpoint, release } = await heldDelivery(owner, secured)
    release()
    await deliveriesOf(owner, endpoint.id, { state: 'delivered', count: 1 })
    expect(secured.received).toHaveLength(1)
  })

  test.each([
    [
      'the role',
      (path: string) => owner.patch(`/api/web/organizations/current/members/${path}`, { role: 'member' }),
      'may no longer manage webhooks',
    ],
    [
      'the membership',
      (path: string) => owner.delete(`/api/web/organizations/current/members/${path}`),
      'left the organization',
    ],
  ])(
    '%s of its creator, while the name of the receiver is resolved: nothing is sent',
    async (_what, revoke, reason) => {
      const maker = await app.createMember('admin', organization)
      const { endpoint, release } = await heldDelivery(await app.signIn(maker, organization.id), secured)
      await must(revoke(maker.id))
      release()
      await eventually(async () =>
        expect(await endpointNow(endpoint.id)).toMatchObject({
          enabled: false,
          disabledReason: expect.stringContaining(reason),
        }),
      )
      expect(secured.received).toEqual([])
    },
  )

  test('its endpoint is deleted or disabled meanwhile: nothing is sent', async () => {
    for (const end of [
      (id: string) => owner.delete(`/api/web/webhook-endpoints/${id}`),
      (id: string) => owner.patch(`/api/web/webhook-endpoints/${id}`, { enabled: false }),
    ]) {
      const { endpoint, release } = await heldDelivery(owner, secured)
      await must(end(endpoint.id))
      release()
      await everythingSent()
    }
    expect(secured.received).toEqual([])
    expect(secured.connections).toBe(0)
  })

  test('its address changes meanwhile: the message goes to the new one only', async () => {
    const { endpoint, release } = await heldDelivery(owner, secured)
    await must(owner.patch(`/api/web/webhook-endpoints/${endpoint.id}`, { url: receiver.url }))
    release()
    await eventually(() => expect(dns.asked.length).toBeGreaterThan(0))
    // The delivery is claimed for a minute.
    app.clock.advance(61_000)
    await deliveriesOf(owner, endpoint.id, { state: 'delivered', count: 1 })
    expect([secured.received.length, receiver.received.length]).toEqual([0, 1])
  })

  test('the engagement is given to its team, and the endpoint is for open ones: the delivery is cancelled', async () => {
    receiver.answer = () => ({ status: 500 })
    const endpoint = await endpointOf(owner, '/api/web', { url: receiver.url, events: FINDING, engagementIds: 'open' })
    const engagementId = await engagementIn(owner)
    await findingIn(owner, engagementId)
    await eventually(() => expect(receiver.received).toHaveLength(1))
    await must(owner.patch(`/api/web/engagements/${engagementId}/details`, { access: 'team' }))
    app.clock.advance(60_000)
    await deliveriesOf(owner, endpoint.id, { state: 'cancelled', count: 1 })
    expect(receiver.received).toHaveLength(1)
  })
})

describe('W11: creators', () => {
  test('an admin who becomes a member, is then in the team of an engagement and removed from it, receives nothing', async () => {
    const maker = await app.createMember('admin', organization)
    const endpoint = await endpointOf(await app.signIn(maker, organization.id), '/api/web', {
      url: receiver.url,
      events: FINDING,
    })
    const engagementId = await engagementIn(owner, { access: 'team', team: [maker.id] })
    await findingIn(owner, engagementId)
    await eventually(() => expect(receiver.received).toHaveLength(1))
    await must(owner.patch(`/api/web/organizations/current/members/${maker.id}`, { role: 'member' }))
    await must(owner.patch(`/api/web/engagements/${engagementId}/details`, { team: [] }))
    await findingIn(owner, engagementId)
    await eventually(async () => expect((await endpointNow(endpoint.id)).enabled).toBe(false))
    await everythingSent()
    expect(receiver.received).toHaveLength(1)
  })

  test('one who leaves receives nothing, and the owner gets the mail', async () => {
    const maker = await app.createMember('admin', organization)
    const client = await app.signIn(maker, organization.id)
    const endpoint = await endpointOf(client, '/api/web', { name: 'Orphan', url: receiver.url, events: FINDING })
    await must(client.post('/api/web/organizations/current/leave'))
    await findingIn(owner, await engagementIn(owner))
    await eventually(async () =>
      expect((await endpointNow(endpoint.id)).disabledReason).toBe(
        `${maker.name}, who made it, left the organization.`,
      ),
    )
    expect((await app.nextMail(organization.owner.email)).text).toContain('Orphan')
    expect(receiver.received).toEqual([])
  })

  test('W16: a key that sees open engagements neither receives nor reads what is about those of a team', async () => {
    const created = await must(
      owner.post('/api/web/api-keys', {
        name: 'open',
        environment: 'test',
        scopes: ['organizations:write', 'reports:read'],
        engagementIds: 'open',
      }),
    )
    const key = app.anonymous.with({ authorization: `Bearer ${created.value}` })
    const [team, open] = [await engagementIn(owner, { access: 'team' }), await engagementIn(owner)]
    const endpoint = await endpointOf(owner, '/api/web', {
      url: receiver.url,
      events: FINDING,
      engagementIds: [team, open],
    })
    await endpointOf(key, '/api/v1', { url: receiver.url, events: FINDING })
    await findingIn(owner, team)
    const [delivery] = await deliveriesOf(owner, endpoint.id, { state: 'delivered', count: 1 })
    await everythingSent()
    expect(receiver.received.filter(({ message }) => message.data['engagementId'] === team)).toHaveLength(1)
    const listed = await must(key.get('/api/v1/webhook-endpoints'))
    expect(listed.find(({ id }: { id: string }) => id === endpoint.id).engagementIds).toEqual([open])
    expect((await endpointNow(endpoint.id)).engagementIds).toEqual([team, open])
    expect(await must(key.get(`/api/v1/webhook-deliveries?endpointId=${endpoint.id}`))).toEqual([])
    expect((await key.post(`/api/v1/webhook-deliveries/${delivery?.id}/resend`)).status).toBe(404)
  })

  test('W16: a key cannot direct the endpoint of another to itself, but disables and deletes it', async () => {
    const endpoint = await endpointOf(owner, '/api/web', { url: receiver.url, events: FINDING })
    const [key, other] = [
      await app.withKey(['organizations:write', 'tasks:read'], organization),
      await app.withKey(['organizations:write'], organization),
    ]
    const own = await endpointOf(key, '/api/v1', { url: receiver.url, events: ['task.done'] })
    const path = `/api/v1/webhook-endpoints/${endpoint.id}`
    for (const change of [
      { url: 'https://elsewhere.example.com/' },
      { events: ['task.done'] },
      { engagementIds: 'open' },
      { minSeverity: 'high' },
      { format: 'slack' },
      { detail: 'full' },
    ])
      expect((await key.patch(path, change)).status, JSON.stringify(change)).toBe(403)
    expect((await key.post(`${path}/rotate-secret`)).status).toBe(403)
    expect((await other.patch(`/api/v1/webhook-endpoints/${own.id}`, { events: ['task.created'] })).status).toBe(403)
    expect((await key.patch(`/api/v1/webhook-endpoints/${own.id}`, { events: ['task.created'] })).status).toBe(200)
    expect((await key.patch(path, { name: 'Renamed', enabled: false })).status).toBe(200)
    expect((await key.delete(path)).status).toBe(200)
  })
})

test('deliveries are deleted after 30 days, and those of a deleted endpoint with it', async () => {
  const [kept, deleted] = [
    await endpointOf(owner, '/api/web', { url: receiver.url, events: FINDING }),
    await endpointOf(owner, '/api/web', { url: receiver.url, events: FINDING }),
  ]
  await findingIn(owner, await engagementIn(owner))
  for (const { id } of [kept, deleted]) await deliveriesOf(owner, id, { state: 'delivered', count: 1 })
  await must(owner.delete(`/api/web/webhook-endpoints/${deleted.id}`))
  await deleteOldDeliveries(app.platform)
  await deliveriesOf(owner, kept.id, { state: 'delivered', count: 1 })
  const rowsOf = (table: 'webhook_endpoints' | 'webhook_deliveries') =>
    app.db.selectFrom(table).select('id').where('organization_id', '=', organization.id).execute()
  expect([(await rowsOf('webhook_endpoints')).length, (await rowsOf('webhook_deliveries')).length]).toEqual([1, 1])
  const before = isoTime(app.clock.now() - 31 * 24 * 60 * 60 * 1000)
  await app.db
    .updateTable('webhook_deliveries')
    .set({ created_at: before })
    .where('endpoint_id', '=', kept.id)
    .execute()
  await deleteOldDeliveries(app.platform)
  expect([(await rowsOf('webhook_endpoints')).length, (await rowsOf('webhook_deliveries')).length]).toEqual([1, 0])
})

describe('changes of an endpoint', () => {
  const failing = async (wanted: object = {}) => {
    receiver.answer = () => ({ status: 500 })
    const endpoint = await endpointOf(owner, '/api/web', { url: receiver.url, events: FINDING, ...wanted })
    const engagementId = await engagementIn(owner)
    await findingIn(owner, engagementId)
    await eventually(async () => {
      const [delivery] = await deliveriesOf(owner, endpoint.id, { state: 'pending', count: 1 })
      expect(delivery?.attempts).toHaveLength(1)
    })
    return { endpoint, engagementId, path: `/api/web/webhook-endpoints/${endpoint.id}` }
  }

  test.each([
    ['its events', { events: ['task.done'] }],
    ['its engagements', { engagementIds: 'another' }],
  ])('%s: what waits and is no longer chosen is cancelled', async (_what, change) => {
    const { endpoint, path } = await failing()
    const wanted = 'engagementIds' in change ? { engagementIds: [await engagementIn(owner)] } : change
    await must(owner.patch(path, wanted))
    app.clock.advance(60_000)
    await deliveriesOf(owner, endpoint.id, { state: 'cancelled', count: 1 })
    expect(receiver.received).toHaveLength(1)
  })

  test.each([
    ['another format', {}, { format: 'slack' }],
    ['from full to thin', { detail: 'full' }, { detail: 'thin' }],
  ])('%s: what was written before is cancelled at once', async (_what, wanted, change) => {
    const { endpoint, path } = await failing(wanted)
    await must(owner.patch(path, change))
    await deliveriesOf(owner, endpoint.id, { state: 'cancelled', count: 1 })
  })

  test('another address: what waits is sent there at once, and the time of failures starts again', async () => {
    const { endpoint, path } = await failing()
    expect((await endpointNow(endpoint.id)).failingSince).not.toBeNull()
    const second = await openReceiver()
    try {
      expect((await must(owner.patch(path, { url: second.url }))).failingSince).toBeNull()
      await deliveriesOf(owner, endpoint.id, { state: 'delivered', count: 1 })
      expect([receiver.received.length, second.received.length]).toEqual([1, 1])
    } finally {
      await second.close()
    }
  })

  test('a success ends the time of failures', async () => {
    const { endpoint } = await failing()
    receiver.answer = () => ({ status: 204 })
    app.clock.advance(60_000)
    await deliveriesOf(owner, endpoint.id, { state: 'delivered', count: 1 })
    expect((await endpointNow(endpoint.id)).failingSince).toBeNull()
  })
})
