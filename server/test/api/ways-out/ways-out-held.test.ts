import { createConnection, createServer, type Server } from 'node:net'
import { SCOPE_NAMES } from '@sortie/contract/core/scopes.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { keyLock } from '../../../src/features/api-keys/authenticate.ts'
import { lockMemberActor } from '../../../src/features/organizations/members/acting-member.service.ts'
import { startDueScans } from '../../../src/features/scans/schedules/schedules.jobs.ts'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { type Listener, listen } from '../../support/clients/listeners.ts'
import { httpProxy, type Proxy, socksProxy } from '../../support/network/proxies.ts'
import { tlsSide } from '../../support/network/tls-side.ts'
import { listening, type Receiver, startReceiver } from '../../support/races/receiver.ts'
import { ended, engagementWith, portScan, started } from '../../support/scans/scans.ts'

const TARGET = '127.0.9.1'
const A_SECOND_MS = 1_000

let app: TestApp
let owner: TestClient
let key: TestClient & { keyId: string }
let engagementId: string
let closing: { close(): Promise<void> }[] = []

beforeAll(async () => {
  app = await testApp({ env: { EGRESS_ALLOW: '127.0.0.0/8' } })
  owner = await app.signedIn('owner')
})
afterEach(async () => {
  for (const side of closing.splice(0)) await side.close()
})
afterAll(() => app.close())

const closed = <S extends { close(): Promise<void> }>(side: S): S => {
  closing = [...closing, side]
  return side
}

const begin = async (): Promise<void> => {
  key = await app.withKey(SCOPE_NAMES)
  engagementId = (await owner.post('/api/web/engagements', { name: 'Held' })).body.data.id
}

const deny = () => owner.post('/api/web/scope-rules', { engagementId, effect: 'deny', pattern: TARGET })
const CHANGES: [string, () => Promise<{ status: number }>][] = [
  ['a scope rule denies it', deny],
  [
    'the testing hours are over',
    () => owner.patch(`/api/web/engagements/${engagementId}/details`, { endsOn: '2020-01-01' }),
  ],
  ['the engagement is completed', () => owner.patch(`/api/web/engagements/${engagementId}`, { status: 'completed' })],
  ['the key is deleted', () => owner.delete(`/api/web/api-keys/${key.keyId}`)],
]

/** Makes the change; rules that were read earlier are too old from then on. */
const changed = async (change: () => Promise<{ status: number }>): Promise<void> => {
  expect((await change()).status).toBeLessThan(300)
  app.clock.advance(A_SECOND_MS)
}

/** A proxy of a server: forwards client data at once, and server data only once `open` has resolved. */
const holdingBack = async (
  port: number,
  open: () => Promise<void>,
  host = '127.0.0.1',
): Promise<Receiver & { received: Buffer[] }> => {
  const received: Buffer[] = []
  const server: Server = createServer((client) => {
    const behind = createConnection({ port, host: '127.0.0.1' })
    const opened = open()
    client.on('data', (data) => received.push(data)).on('error', () => behind.destroy())
    client.pipe(behind)
    behind.on('error', () => client.destroy())
    behind.on('data', (data) => {
      void opened.then(() => client.write(data))
    })
  })
  return closed(Object.assign(await listening(server, [], 'http', host), { received }))
}

const sent = async (request: object, proxy?: string) => {
  const environment =
    proxy && (await owner.post('/api/web/environments', { engagementId, name: 'With a proxy', proxy })).body.data.id
  const options = { verifyTls: false, timeoutMs: 60_000 }
  const wanted = { engagementId, request: { options, ...request }, ...(environment && { environmentId: environment }) }
  return (await key.post('/api/v1/api-requests/send', wanted)).body.data
}

describe('T10: a connection that opens slowly', () => {
  test.each(CHANGES)('with TLS is not used once %s', async (_name, change) => {
    await begin()
    const target = closed(await tlsSide('self-signed'))
    const front = await holdingBack(target.port, () => changed(change), TARGET)
    expect(await sent({ url: `https://${TARGET}:${front.port}/` })).toMatchObject({ state: 'refused', response: null })
    expect(target.received).toEqual([])
  })

  test.each(CHANGES)('through an HTTPS proxy asks it for nothing once %s', async (_name, change) => {
    await begin()
    const proxy = closed(await httpProxy({ tls: 'self-signed' }))
    const front = await holdingBack(proxy.port, () => changed(change))
    expect(await sent({ url: `http://${TARGET}:9/` }, `https://127.0.0.1:${front.port}`)).toMatchObject({
      state: 'refused',
      response: null,
    })
    expect(proxy.asked).toEqual([])
  })

  test.each(CHANGES)('through an HTTP proxy carries nothing once %s', async (_name, change) => {
    await begin()
    const target = closed(await startReceiver((_request, response) => response.end('reached'), TARGET))
    const proxy: Proxy = closed(await httpProxy())
    const front = await holdingBack(proxy.port, () => changed(change))
    expect(await sent({ url: `${target.origin}/` }, front.origin)).toMatchObject({ state: 'refused', response: null })
    expect(proxy.asked).toEqual([`${TARGET}:${target.port}`])
    expect(target.received).toEqual([])
  })

  test.each(CHANGES)('through a SOCKS proxy carries nothing once %s', async (_name, change) => {
    await begin()
    const target = closed(await startReceiver((_request, response) => response.end('reached'), TARGET))
    const proxy = closed(await socksProxy())
    const front = await holdingBack(proxy.port, () => changed(change))
    expect(await sent({ url: `${target.origin}/` }, `socks5://127.0.0.1:${front.port}`)).toMatchObject({
      state: 'refused',
      response: null,
    })
    expect(target.received).toEqual([])
  })
})

test.each(CHANGES)(
  'T10: a request that waits for its response is ended within seconds once %s, and its operation stays in the log',
  async (_name, change) => {
    await begin()
    let isReached = false
    const target = closed(
      await startReceiver(() => {
        isReached = true
      }, TARGET),
    )
    const sending = sent({ url: `${target.origin}/` })
    await eventually(() => expect(isReached).toBe(true))
    await changed(change)
    expect(await sending).toMatchObject({
      state: 'refused',
      reason: expect.stringMatching(/^it was stopped on its way: /),
      response: null,
    })
    const { body } = await owner.get(`/api/web/operations?engagementId=${engagementId}&address=${TARGET}`)
    expect(body.data).toMatchObject([{ kind: 'request', port: target.port }])
  },
)

describe('a running scan', () => {
  const PORTS = 60

  test.each(CHANGES)('opens no further connection once %s', async (_name, change) => {
    await begin()
    const listeners: Listener[] = []
    while (listeners.length < PORTS) listeners.push(await listen(() => undefined, TARGET))
    for (const { stop } of listeners) closed({ close: stop })
    const accepted = () => listeners.reduce((sum, listener) => sum + listener.accepted, 0)
    const targetId = (await owner.post('/api/web/targets', { engagementId, value: TARGET })).body.data.id
    const ports = listeners.map(({ port }) => port)
    const scan = await started(key, {
      engagementId,
      scanners: [portScan(ports, { rate: 10 })],
      targets: { ids: [targetId] },
    })
    await eventually(() => expect(accepted()).toBeGreaterThan(0), 30_000)
    await changed(change)
    const by = accepted()
    const { state } = await ended(owner, scan.id, '/api/web')
    expect(['partial', 'succeeded', 'failed', 'cancelled']).toContain(state)
    // One that was checked before may be in progress.
    expect(accepted()).toBeLessThanOrEqual(by + 2)
    expect(accepted()).toBeLessThan(PORTS)
  })
})

describe('a schedule', () => {
  const tick = () =>
    startDueScans({ ...app.platform, actors: { lockKey: keyLock(app.clock), lockMember: lockMemberActor } } as never)

  test.each(CHANGES)('sends nothing when %s', async (_name, change) => {
    key = await app.withKey(SCOPE_NAMES)
    const canary = await listen(() => undefined, TARGET)
    closed({ close: canary.stop })
    const made = await engagementWith(key, { targets: [TARGET] })
    engagementId = made.engagementId
    const wanted = {
      engagementId,
      name: 'Every night',
      cron: '0 2 * * *',
      timeZone: 'UTC',
      scanners: [portScan([canary.port])],
      targets: { filter: { engagementId } },
    }
    const schedule = await key.post('/api/v1/scan-schedules', wanted)
    expect(schedule.status, schedule.text).toBe(201)
    await changed(change)
    const { id } = schedule.body.data
    const due = new Date(app.clock.now() - A_SECOND_MS).toISOString()
    await app.db.updateTable('scan_schedules').set({ next_run_at: due }).where('id', '=', id).execute()
    await tick()
    expect((await owner.get(`/api/web/scans?engagementId=${engagementId}`)).body.data).toEqual([])
    expect((await owner.get(`/api/web/scan-schedules/${id}`)).body.data.lastSkipReason).toEqual(expect.any(String))
    expect(canary.accepted).toBe(0)
  })
})

test.each([
  ['NAT64', '64:ff9b::7f00:901'],
  ['6to4', '2002:7f00:901::1'],
  ['translated', '::ffff:0:7f00:901'],
  ['Teredo', '2001:0:7f00:901:0:0:80ff:f6fe'],
])(
  'T19: a rule for an IPv4 address refuses the address that embeds it before anything is sent: %s',
  async (_name, address) => {
    await begin()
    await deny()
    expect(await sent({ url: `http://[${address}]:9/` })).toMatchObject({
      state: 'refused',
      reason: `the scope rules refuse it: denied by ${TARGET}`,
      hops: [{ address: null }],
    })
  },
)
