import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, type TestOrganization, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { DnsServer } from '../../support/network/dns-server.ts'
import { trustTestAuthority } from '../../support/network/tls-side.ts'
import { deliveriesOf, endpointOf } from '../../support/webhooks/endpoints.ts'
import { openReceiver, type Receiver } from '../../support/webhooks/receiver.ts'

const NAME = 'target.example.com'
const EVENTS = ['task.done']
const KEPT_BYTES = 4_096

let app: TestApp
let dns: DnsServer
let distrust: () => void
let organization: TestOrganization
let owner: TestClient
/** Allowed by EGRESS_ALLOW with its port, as is `secured`. */
let receiver: Receiver
let secured: Receiver
/** On loopback, and not allowed. */
let closed: Receiver

beforeAll(async () => {
  distrust = trustTestAuthority()
  dns = await DnsServer.start()
  receiver = await openReceiver()
  secured = await openReceiver({ name: NAME })
  closed = await openReceiver({ name: NAME })
  app = await testApp({
    env: { EGRESS_ALLOW: `127.0.0.1:${receiver.port},127.0.0.1:${secured.port}`, DNS_SERVERS: dns.address },
  })
})
afterAll(async () => {
  await app.close()
  await Promise.all([receiver, secured, closed].map((each) => each.close()))
  await dns.stop()
  distrust()
})
beforeEach(async () => {
  organization = await app.createOrganization()
  owner = await app.signedIn('owner', organization)
})
afterEach(async () => {
  // What failed would be sent again during the next test.
  for (const { id } of (await owner.get('/api/web/webhook-endpoints')).body.data)
    await owner.delete(`/api/web/webhook-endpoints/${id}`)
  for (const each of [receiver, secured, closed]) {
    each.received.length = 0
    each.answer = () => ({ status: 204 })
    delete each.write
  }
})

const resolving = (...answers: string[]) => {
  let questions = 0
  dns.addresses.set(NAME, (type) =>
    type === 'A' ? [answers[Math.min(questions++, answers.length - 1)] as string] : [],
  )
}
/** Sends a ping. @returns its only attempt, once it is recorded */
const attemptTo = async (url: string) => {
  const endpoint = await endpointOf(owner, '/api/web', { url, events: EVENTS })
  const path = `/api/web/webhook-endpoints/${endpoint.id}`
  expect((await owner.post(`${path}/test`)).status).toBe(201)
  return eventually(async () => {
    const { body } = await owner.get(`/api/web/webhook-deliveries?endpointId=${endpoint.id}`)
    expect(body.data[0].attempts).toHaveLength(1)
    return { ...body.data[0].attempts[0], state: body.data[0].state, endpoint }
  })
}

test.each([
  ['private', 'https://10.0.0.5/'],
  ['loopback', 'https://127.0.0.1/'],
  ['loopback in another spelling', 'https://0177.0.0.1/'],
  ['loopback in IPv6', 'https://[::1]/'],
  ['private within IPv6', 'https://[::ffff:192.168.0.1]/'],
  ['link-local', 'https://[fe80::1]/'],
  ['metadata', 'https://169.254.169.254/'],
  ['metadata in IPv6', 'https://[fd00:ec2::254]/'],
])('W14: an address that is %s gets nothing', async (_what, url) => {
  expect(await attemptTo(url)).toMatchObject({
    state: 'pending',
    status: null,
    error: expect.stringContaining('the egress policy refuses it'),
  })
})

test('W14: this instance itself gets nothing', async () => {
  const { port } = new URL(app.origin)
  const { error } = await attemptTo(`https://127.0.0.1:${port}/api/auth/mode`)
  expect(error).toContain('the egress policy refuses it')
})

test('W14: a name that resolves to an address which is not allowed gets nothing, even next to an allowed one', async () => {
  dns.addresses.set(NAME, (type) => (type === 'A' ? ['93.184.215.14', '127.0.0.1'] : []))
  expect((await attemptTo(closed.url)).error).toContain('the egress policy refuses it')
  resolving('127.0.0.1')
  expect((await attemptTo(closed.url)).error).toContain('the egress policy refuses it')
  expect(closed.connections).toBe(0)
})

test('W14: rebinding: a name is resolved once for each attempt, and the checked address is used', async () => {
  // A second question would be answered with an address that is refused.
  resolving('127.0.0.1', '10.0.0.1')
  const before = dns.asked.length
  const { endpoint, state } = await attemptTo(secured.url)
  expect(state).toBe('delivered')
  expect(dns.asked.slice(before).filter((name) => name === NAME).length).toBeLessThanOrEqual(2)
  expect(secured.received).toHaveLength(1)
  // Each later attempt is checked again.
  await owner.post(`/api/web/webhook-endpoints/${endpoint.id}/test`)
  const [refused] = await eventually(async () => {
    const found = await deliveriesOf(owner, endpoint.id, { state: 'pending', count: 1 })
    expect(found[0]?.attempts).toHaveLength(1)
    return found
  })
  expect(refused?.attempts[0]?.error).toContain('the egress policy refuses it')
  expect(secured.received).toHaveLength(1)
})

test('W14: a certificate for another name is refused, and nothing is sent', async () => {
  dns.addresses.set('other.example.com', (type) => (type === 'A' ? ['127.0.0.1'] : []))
  const { error } = await attemptTo(`https://other.example.com:${secured.port}/`)
  expect(error).toBe('the certificate is for another name')
  expect(secured.received).toEqual([])
})

test('W13: redirects are not followed, to whatever they lead', async () => {
  for (const location of [closed.url, 'http://169.254.169.254/', '/elsewhere']) {
    receiver.answer = () => ({ status: 307, headers: { location } })
    expect(await attemptTo(receiver.url)).toMatchObject({
      status: 307,
      state: 'pending',
      error: 'answered 307, and redirects are not followed',
    })
  }
  expect(closed.connections).toBe(0)
  expect(receiver.received).toHaveLength(3)
})

test('W18: of an answer, 4 kB are read: one without end is a success by its status, and so is a bomb', async () => {
  let sent = 0
  receiver.write = (response) => {
    response.writeHead(200, { 'content-type': 'text/plain' })
    const chunk = 'x'.repeat(65_536)
    const more = () => {
      while (!response.destroyed && response.write(chunk)) sent += chunk.length
    }
    response.on('drain', more)
    more()
  }
  const endless = await attemptTo(receiver.url)
  expect(endless).toMatchObject({ state: 'delivered', status: 200, error: null })
  expect(endless.answer).toBe('x'.repeat(KEPT_BYTES))
  // What fits into the buffers of both sides.
  expect(sent).toBeLessThan(50_000_000)
  receiver.write = (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(20_000_000)))
  const bomb = await attemptTo(receiver.url)
  expect(bomb).toMatchObject({ state: 'delivered', status: 200 })
  expect(Buffer.byteLength(bomb.answer)).toBeLessThanOrEqual(KEPT_BYTES)
})

test('W18: an answer that breaks off after its status counts by the status', async () => {
  for (const [status, state] of [
    [200, 'delivered'],
    [500, 'pending'],
  ] as const) {
    receiver.write = (response) => {
      response.writeHead(status, { 'content-length': '1000' })
      response.write('begun')
      void once(response, 'finish').catch(() => undefined)
      setImmediate(() => response.destroy())
    }
    expect(await attemptTo(receiver.url)).toMatchObject({ status, state })
  }
})

test('secrets are sealed in the database, and neither they nor messages nor addresses are logged', async () => {
  const url = `${receiver.url}/path-that-is-a-secret`
  receiver.answer = () => ({ status: 500, body: 'an answer that is not logged' })
  const { endpoint } = await attemptTo(url)
  const rotated = await owner.post(`/api/web/webhook-endpoints/${endpoint.id}/rotate-secret`)
  const secrets = [endpoint.secret, rotated.body.data.secret as string]
  const row = await app.db
    .selectFrom('webhook_endpoints')
    .select(['secret', 'former_secret'])
    .where('id', '=', endpoint.id)
    .executeTakeFirstOrThrow()
  const audited = (await owner.get('/api/web/audit')).text
  for (const secret of secrets) {
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64')
    for (const sealed of [row.secret, row.former_secret]) {
      expect(sealed?.includes(bytes)).toBe(false)
      expect(sealed?.includes(secret)).toBe(false)
    }
    expect(audited).not.toContain(secret)
    expect(app.logLines.filter((line) => line.includes(secret))).toEqual([])
  }
  const body = receiver.received[0]?.body ?? ''
  for (const text of ['path-that-is-a-secret', 'an answer that is not logged', body, 'webhook-signature'])
    expect(app.logLines.filter((line) => line.includes(text))).toEqual([])
})

test('a secret that was sealed with another SESSION_SECRET disables its endpoint with a reason, until it is replaced', async () => {
  const endpoint = await endpointOf(owner, '/api/web', { url: receiver.url, events: EVENTS })
  const path = `/api/web/webhook-endpoints/${endpoint.id}`
  await app.db
    .updateTable('webhook_endpoints')
    .set({ secret: Buffer.alloc(80, 7) })
    .where('id', '=', endpoint.id)
    .execute()
  await owner.post(`${path}/test`)
  await eventually(async () =>
    expect((await owner.get(path)).body.data).toMatchObject({
      enabled: false,
      disabledReason: 'Its secret was stored under another SESSION_SECRET: replace the secret, then enable it.',
    }),
  )
  await owner.post(`${path}/rotate-secret`)
  await owner.patch(path, { enabled: true })
  await owner.post(`${path}/test`)
  await deliveriesOf(owner, endpoint.id, { state: 'delivered', count: 1 })
  expect(receiver.received).toHaveLength(1)
})
