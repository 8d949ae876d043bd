import { createServer } from 'node:http'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { type Listener, listen, listenWith } from '../../support/clients/listeners.ts'
import { DnsServer } from '../../support/network/dns-server.ts'
import { imported, resultsOf } from '../../support/scans/imports.ts'
import { ended, engagementWith, portScan, started } from '../../support/scans/scans.ts'

let app: TestApp
let key: TestClient
let names: DnsServer
const listeners: Listener[] = []

beforeAll(async () => {
  names = await DnsServer.start()
  app = await testApp({ env: { EGRESS_ALLOW: '127.0.0.0/8', DNS_SERVERS: names.address } })
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
})
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.stop()
})
afterAll(async () => {
  await app.close()
  await names.stop()
})

const web = async (address: string): Promise<Listener> => {
  const listener = await listenWith(
    createServer((_request, response) => response.end('<title>Shop</title>')),
    address,
  )
  listeners.push(listener)
  return listener
}

const HTTP = { id: 'http', options: { timeoutMs: 1_000 } }
const scanned = async (engagementId: string, ids: string[], ...scanners: object[]) =>
  ended(key, (await started(key, { engagementId, scanners, targets: { ids } })).id)
const pagesOf = async (engagementId: string) =>
  (await resultsOf(key, engagementId, { kind: 'http_response' })).map(({ asset }) => asset).toSorted()
/** Probed ports, by address. */
const askedIn = async (engagementId: string) => {
  const { data } = (await key.get(`/api/v1/operations?engagementId=${engagementId}&perPage=100`)).body
  return [
    ...new Set(
      data.map(
        (row: { address: string; port: number | null; ports: string | null }) =>
          `${row.address} ${row.port ?? row.ports}`,
      ),
    ),
  ]
}

test('a scan of HTTP examines services of imported files, at addresses, in networks and by names, except those of other protocols', async () => {
  const [one, two, three] = [await web('127.0.9.1'), await web('127.0.9.20'), await web('127.0.9.3')]
  const ssh = await listen(undefined, '127.0.9.1')
  listeners.push(ssh)
  names.addresses.set('shop.known.test', (type) => (type === 'A' ? ['127.0.9.3'] : []))
  const { engagementId, ids } = await engagementWith(key, {
    targets: ['127.0.9.1', '127.0.9.20/31', 'shop.known.test'],
  })
  const rows = [
    { ip: '127.0.9.1', port: one.port, protocol: 'tcp' },
    { ip: '127.0.9.1', port: ssh.port, protocol: 'tcp', service: 'ssh' },
    { ip: '127.0.9.20', port: two.port, protocol: 'tcp' },
    { ip: '127.0.9.3', host: 'shop.known.test', port: three.port, protocol: 'tcp' },
    // At none of the targets.
    { ip: '127.0.9.4', port: one.port, protocol: 'tcp' },
  ]
  await imported(key, engagementId, rows.map((row) => JSON.stringify(row)).join('\n'))
  expect((await scanned(engagementId, ids, HTTP)).state).toBe('succeeded')
  const pages = [
    `http://127.0.9.1:${one.port}/`,
    `http://127.0.9.20:${two.port}/`,
    `http://shop.known.test:${three.port}/`,
  ]
  expect(await pagesOf(engagementId)).toEqual(pages.toSorted())
  expect(ssh.accepted).toBe(0)
})

test('an address without a known service is examined at ports 443 and 80, as a name is', async () => {
  const { engagementId, ids } = await engagementWith(key, { targets: ['127.0.9.9'] })
  expect((await scanned(engagementId, ids, HTTP)).state).toBe('succeeded')
  expect(await askedIn(engagementId)).toEqual(['127.0.9.9 80,443'])
})

test('after a port scan, an address is examined only at open ports', async () => {
  const shop = await web('127.0.9.7')
  const { engagementId, ids } = await engagementWith(key, { targets: ['127.0.9.7'] })
  await scanned(engagementId, ids, portScan([shop.port]), HTTP, { id: 'tls' })
  expect(await askedIn(engagementId)).toEqual([`127.0.9.7 ${shop.port}`])
  expect(await pagesOf(engagementId)).toEqual([`http://127.0.9.7:${shop.port}/`])
})

test('a scan of what is new asks new services and new hosts, and nothing that was known before', async () => {
  const [old, fresh, host] = [await web('127.0.9.40'), await web('127.0.9.40'), await web('127.0.9.41')]
  const named = [await web('127.0.9.42'), await web('127.0.9.42')] as const
  names.addresses.set('new.known.test', (type) => (type === 'A' ? ['127.0.9.42'] : []))
  const { engagementId } = await engagementWith(key, { targets: ['127.0.9.40', 'new.known.test'] })
  const row = (ip: string, port: number, more: object = {}) => JSON.stringify({ ip, port, protocol: 'tcp', ...more })
  const ofName = { host: 'new.known.test' }
  const { id: from } = await imported(
    key,
    engagementId,
    [row('127.0.9.40', old.port), row('127.0.9.42', named[0].port, ofName)].join('\n'),
  )
  await imported(
    key,
    engagementId,
    [row('127.0.9.40', fresh.port), row('127.0.9.41', host.port), row('127.0.9.42', named[1].port, ofName)].join('\n'),
  )
  const wanted = { engagementId, scanners: [HTTP], targets: { diff: { from, changes: ['new'] } } }
  expect(await ended(key, (await started(key, wanted)).id)).toMatchObject({ state: 'succeeded' })
  const pages = [
    `http://127.0.9.40:${fresh.port}/`,
    `http://127.0.9.41:${host.port}/`,
    `http://new.known.test:${named[1].port}/`,
  ]
  expect(await pagesOf(engagementId)).toEqual(pages.toSorted())
  expect([old.accepted, named[0].accepted]).toEqual([0, 0])
  expect(await askedIn(engagementId)).not.toContain('127.0.9.40 80')
})
