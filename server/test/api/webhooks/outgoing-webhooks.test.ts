import { SCOPE_NAMES } from '@sortie/contract/core/scopes.ts'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, type TestOrganization, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { deliveriesOf, endpointOf } from '../../support/webhooks/endpoints.ts'
import { engagementIn, findingIn } from '../../support/webhooks/objects.ts'
import { openReceiver, type Received, type Receiver } from '../../support/webhooks/receiver.ts'

let app: TestApp
let organization: TestOrganization
let owner: TestClient
let receiver: Receiver

beforeAll(async () => {
  app = await testApp({ env: { EGRESS_ALLOW: '127.0.0.1' } })
})
afterAll(() => app.close())
beforeEach(async () => {
  receiver = await openReceiver()
  organization = await app.createOrganization()
  owner = await app.signedIn('owner', organization)
})
afterEach(() => receiver.close())

/** Verifies at the time of the server, whose clock the tests move. */
const verified = (secret: string, { body, headers }: Received): unknown => {
  vi.setSystemTime(app.clock.now())
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>)
  } finally {
    vi.useRealTimers()
  }
}

describe('deliveries', () => {
  test('W10: a change is delivered with its id and a link, and verifies with the package standardwebhooks; a changed body, id or time does not', async () => {
    const endpoint = await endpointOf(owner, '/api/web', { url: receiver.url, events: ['finding.created'] })
    const engagementId = await engagementIn(owner)
    const findingId = await findingIn(owner, engagementId)
    const [delivery] = await deliveriesOf(owner, endpoint.id, { state: 'delivered', count: 1 })
    const [got] = receiver.received as [Received]
    expect(verified(endpoint.secret, got)).toEqual(got.message)
    expect(got.message).toMatchObject({ type: 'finding.created', data: { id: findingId, engagementId } })
    expect(got.message.data['url']).toMatch(new RegExp(`/findings/${findingId}$`))
    expect(got.body).not.toContain('Stored XSS')
    expect(delivery).toMatchObject({ id: got.id, event: 'finding.created', nextAttemptAt: null })
    expect(delivery?.attempts).toMatchObject([{ status: 204, error: null }])
    for (const body of [`${got.body} `, got.body.replace(findingId, `${findingId.slice(0, -1)}_`)])
      expect(() => verified(endpoint.secret, { ...got, body })).toThrow('signature')
    const later = String(Number(got.headers['webhook-timestamp']) + 1)
    for (const changed of [{ 'webhook-id': `${got.id}0` }, { 'webhook-timestamp': later }])
      expect(() => verified(endpoint.secret, { ...got, headers: { ...got.headers, ...changed } })).toThrow('signature')
    expect(() => verified(`whsec_${Buffer.alloc(32).toString('base64')}`, got)).toThrow()
  })

  test('W9: a change that fails sends nothing, and an endpoint of another organization gets nothing', async () => {
    const endpoint = await endpointOf(owner, '/api/web', { url: receiver.url, events: ['finding.created'] })
    const engagementId = await engagementIn(owner)
    const other = await app.signedIn('owner', await app.createOrganization())
    await findingIn(other, await engagementIn(other))
    const refused = await owner.post('/api/web/findings', {
      engagementId,
      title: 'x',
      severity: 'high',
      authorId: 'usr_00000000000000000000000000',
    })
    expect(refused.status).toBe(422)
    const findingId = await findingIn(owner, engagementId)
    await deliveriesOf(owner, endpoint.id, { state: 'delivered', count: 1 })
    expect(receiver.received.map(({ message }) => message.data['id'])).toEqual([findingId])
  })

  test('a full message has the object as the API shows it, and a larger one than 20 kB is thin and truncated', async () => {
    const endpoint = await endpointOf(owner, '/api/web', {
      url: receiver.url,
      events: ['finding.created'],
      detail: 'full',
    })
    const engagementId = await engagementIn(owner)
    const findingId = await findingIn(owner, engagementId)
    const shown = (await owner.get(`/api/web/findings/${findingId}`)).body.data
    await owner.post('/api/web/findings', {
      engagementId,
      title: 'Long',
      severity: 'low',
      description: 'x'.repeat(21_000),
    })
    await deliveriesOf(owner, endpoint.id, { state: 'delivered', count: 2 })
    const [first, second] = receiver.received
      .toSorted((a, b) => a.body.length - b.body.length)
      .map(({ message }) => message.data)
      .toReversed()
    expect(first?.['object']).toEqual(shown)
    expect(second).toMatchObject({ truncated: true, engagementId })
    expect(second?.['object']).toBeUndefined()
  })

  test('W13: a failed attempt is repeated after its pause with the same id and body; Retry-After and redirects count', async () => {
    receiver.answer = (_request, count) =>
      count === 1
        ? { status: 503, headers: { 'retry-after': '3600' }, body: 'later' }
        : count === 2
          ? { status: 302, headers: { location: receiver.url } }
          : { status: 200, body: 'ok' }
    const endpoint = await endpointOf(owner, '/api/web', { url: receiver.url, events: ['finding.created'] })
    await findingIn(owner, await engagementIn(owner))
    const attempts = async (count: number) =>
      eventually(async () => {
        const { body } = await owner.get(`/api/web/webhook-deliveries?endpointId=${endpoint.id}`)
        expect(body.data[0].attempts.length).toBe(count)
        return body.data[0]
      })
    const first = await attempts(1)
    expect(first.state).toBe('pending')
    expect(first.attempts[0]).toMatchObject({ status: 503, answer: 'later', error: 'answered 503' })
    expect(Date.parse(first.nextAttemptAt) - Date.parse(first.attempts[0].at)).toBeGreaterThanOrEqual(3_600_000)
    app.clock.advance(3_700_000)
    owner = await app.signIn(organization.owner, organization.id)
    const second = await attempts(2)
    expect(second.attempts[1].error).toBe('answered 302, and redirects are not followed')
    app.clock.advance(400_000)
    await deliveriesOf(owner, endpoint.id, { state: 'delivered', count: 1 })
    expect(new Set(receiver.received.map(({ id, body }) => `${id} ${body}`)).size).toBe(1)
    for (const got of receiver.received) {
      const stamped = Number(got.headers['webhook-timestamp'])
      expect(Math.abs(stamped * 1000 - app.clock.now())).toBeLessThan(5_000_000)
    }
  })

  test('an answer of 410 disables the endpoint with a reason, drops what waits, and mails its creator', async () => {
    receiver.answer = () => ({ status: 410 })
    const admin = await app.createMember('admin')
    const client = await app.signIn(admin, app.organization.id)
    const endpoint = await endpointOf(client, '/api/web', {
      name: 'Old receiver',
      url: receiver.url,
      events: ['finding.created'],
    })
    await findingIn(client, await engagementIn(client))
    await eventually(async () => {
      const { data } = (await client.get(`/api/web/webhook-endpoints/${endpoint.id}`)).body
      expect(data).toMatchObject({ enabled: false, disabledReason: 'It answered 410: it wants nothing more.' })
    })
    expect((await app.nextMail(admin.email)).text).toContain('Old receiver')
    expect((await client.post(`/api/web/webhook-endpoints/${endpoint.id}/test`)).status).toBe(409)
    const enabled = await client.patch(`/api/web/webhook-endpoints/${endpoint.id}`, { enabled: true })
    expect(enabled.body.data).toMatchObject({ enabled: true, disabledReason: null })
  })

  test('W13: failures of five days disable the endpoint; after one success it starts from zero', async () => {
    receiver.answer = () => ({ status: 500 })
    const endpoint = await endpointOf(owner, '/api/web', { url: receiver.url, events: ['finding.created'] })
    const engagementId = await engagementIn(owner)
    await findingIn(owner, engagementId)
    await eventually(() => expect(receiver.received.length).toBe(1))
    await eventually(async () => {
      const [delivery] = await deliveriesOf(owner, endpoint.id, { state: 'pending', count: 1 })
      expect(delivery?.attempts.length).toBe(1)
    })
    app.clock.advance(121 * 60 * 60 * 1000)
    // The session of before has expired.
    owner = await app.signIn(organization.owner, organization.id)
    await eventually(async () => {
      const { data } = (await owner.get(`/api/web/webhook-endpoints/${endpoint.id}`)).body
      expect(data.disabledReason).toBe('Every attempt of 120 hours failed, the last with: answered 500.')
    })
    await deliveriesOf(owner, endpoint.id, { state: 'cancelled', count: 1 })
  })

  test('W9: a delivery whose process died is sent once its claim is over', async () => {
    receiver.answer = (_request, count) => ({ status: count === 1 ? 500 : 204 })
    const endpoint = await endpointOf(owner, '/api/web', { url: receiver.url, events: ['finding.created'] })
    await findingIn(owner, await engagementIn(owner))
    await eventually(async () => {
      const [delivery] = await deliveriesOf(owner, endpoint.id, { state: 'pending', count: 1 })
      expect(delivery?.attempts.length).toBe(1)
    })
    const now = app.clock.now()
    await app.db
      .updateTable('webhook_deliveries')
      .set({ claimed_until: new Date(now + 600_000).toISOString(), next_attempt_at: new Date(now).toISOString() })
      .where('endpoint_id', '=', endpoint.id)
      .execute()
    app.clock.advance(601_000)
    await deliveriesOf(owner, endpoint.id, { state: 'delivered', count: 1 })
    expect(receiver.received.length).toBe(2)
  })

  test('after the last attempt a delivery has failed; sent again, it keeps id and body', async () => {
    receiver.answer = () => ({ status: 500 })
    const endpoint = await endpointOf(owner, '/api/web', { url: receiver.url, events: ['finding.created'] })
    await findingIn(owner, await engagementIn(owner))
    await eventually(() => expect(receiver.received.length).toBe(1))
    await deliveriesOf(owner, endpoint.id, { state: 'pending', count: 1 })
    await app.db
      .updateTable('webhook_deliveries')
      .set({ tries: 9, next_attempt_at: new Date(app.clock.now()).toISOString() })
      .where('endpoint_id', '=', endpoint.id)
      .where('state', '=', 'pending')
      .execute()
    const [failed] = await deliveriesOf(owner, endpoint.id, { state: 'failed', count: 1 })
    receiver.answer = () => ({ status: 200 })
    const resent = await owner.post(`/api/web/webhook-deliveries/${failed?.id}/resend`)
    expect(resent.body.data).toMatchObject({ id: failed?.id, state: 'pending' })
    const [delivered] = await deliveriesOf(owner, endpoint.id, { state: 'delivered', count: 1 })
    expect(delivered?.id).toBe(failed?.id)
    expect(new Set(receiver.received.map(({ id, body }) => `${id} ${body}`)).size).toBe(1)
  })
})

describe('endpoints', () => {
  test('a test sends a ping; after a rotation both secrets sign for 24 hours, then only the new one', async () => {
    const endpoint = await endpointOf(owner, '/api/web', { url: receiver.url, events: ['finding.created'] })
    const path = `/api/web/webhook-endpoints/${endpoint.id}`
    const rotated = (await owner.post(`${path}/rotate-secret`)).body.data
    expect(rotated.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(rotated.secret).not.toBe(endpoint.secret)
    expect((await owner.get(path)).body.data.secret).toBeUndefined()
    expect((await owner.post(`${path}/test`)).body.data.event).toBe('ping')
    await deliveriesOf(owner, endpoint.id, { state: 'delivered', count: 1 })
    const [both] = receiver.received as [Received]
    expect(both.message.type).toBe('ping')
    for (const secret of [endpoint.secret, rotated.secret]) expect(verified(secret, both)).toEqual(both.message)
    app.clock.advance(25 * 60 * 60 * 1000)
    owner = await app.signIn(organization.owner, organization.id)
    await owner.post(`${path}/test`)
    await deliveriesOf(owner, endpoint.id, { state: 'delivered', count: 2 })
    const later = receiver.received[1] as Received
    expect(verified(rotated.secret, later)).toEqual(later.message)
    expect(() => verified(endpoint.secret, later)).toThrow('signature')
  })

  test('W12: a deleted or disabled endpoint gets nothing more, and its waiting deliveries are cancelled', async () => {
    receiver.answer = () => ({ status: 500 })
    const [first, second] = [
      await endpointOf(owner, '/api/web', { url: receiver.url, events: ['finding.created'] }),
      await endpointOf(owner, '/api/web', { url: receiver.url, events: ['finding.created'] }),
    ]
    const engagementId = await engagementIn(owner)
    await findingIn(owner, engagementId)
    await eventually(() => expect(receiver.received.length).toBe(2))
    expect((await owner.delete(`/api/web/webhook-endpoints/${first.id}`)).body.data).toEqual({
      deleted: true,
      id: first.id,
    })
    expect((await owner.get(`/api/web/webhook-endpoints/${first.id}`)).status).toBe(404)
    await owner.patch(`/api/web/webhook-endpoints/${second.id}`, { enabled: false })
    app.clock.advance(50 * 60 * 1000)
    await findingIn(owner, engagementId)
    const third = await endpointOf(owner, '/api/web', { url: receiver.url, events: ['finding.created'] })
    receiver.answer = () => ({ status: 204 })
    await findingIn(owner, engagementId)
    await deliveriesOf(owner, third.id, { state: 'delivered', count: 1 })
    expect(receiver.received.length).toBe(3)
    await deliveriesOf(owner, second.id, { state: 'cancelled', count: 1 })
  })

  test('W14: only https addresses, and http addresses that EGRESS_ALLOW opens, are taken', async () => {
    const events = ['finding.created']
    for (const url of [
      'http://hooks.example.com/',
      'http://10.0.0.5/',
      'https://user:secret@hooks.example.com/',
      'ftp://hooks.example.com/',
      'no address',
    ])
      expect((await owner.post('/api/web/webhook-endpoints', { name: 'x', url, events })).status, url).toBe(422)
    const refused = await endpointOf(owner, '/api/web', { url: 'https://169.254.169.254/', events })
    await owner.post(`/api/web/webhook-endpoints/${refused.id}/test`)
    await eventually(async () => {
      const { data } = (await owner.get(`/api/web/webhook-deliveries?endpointId=${refused.id}`)).body
      expect(data[0].attempts[0].error).toContain('the egress policy refuses it')
    })
  })

  test('members and keys without organizations:write have no access, and keys with it do', async () => {
    const member = await app.signedIn('member')
    expect((await member.get('/api/web/webhook-endpoints')).status).toBe(403)
    const weak = await app.withKey(SCOPE_NAMES.filter((scope) => scope !== 'organizations:write'))
    expect(
      (await weak.post('/api/v1/webhook-endpoints', { name: 'x', url: receiver.url, events: ['task.done'] })).status,
    ).toBe(403)
    const key = await app.withKey(['organizations:write'])
    const made = await key.post('/api/v1/webhook-endpoints', { name: 'x', url: receiver.url, events: ['task.done'] })
    expect(made.status).toBe(201)
    expect(made.body.data.secret).toMatch(/^whsec_/)
    expect(made.body.data).toMatchObject({ createdBy: null, format: 'standard', detail: 'thin', engagementIds: null })
  })
})
