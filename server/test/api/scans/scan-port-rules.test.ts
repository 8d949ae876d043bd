import { createServer } from 'node:http'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { nmap } from '../../../src/features/scans/scanners/nmap/nmap.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { type Listener, listenWith } from '../../support/clients/listeners.ts'
import { imported, resultsOf } from '../../support/scans/imports.ts'
import { ended, engagementWith, portScan, started } from '../../support/scans/scans.ts'

let app: TestApp
let key: TestClient
const listeners: Listener[] = []
const hasNmap = (await nmap.unavailable()) === null

beforeAll(async () => {
  app = await testApp({ env: { EGRESS_ALLOW: '127.0.0.0/8' } })
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
})
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.stop()
})
afterAll(() => app.close())

const web = async (address: string): Promise<Listener> => {
  const listener = await listenWith(
    createServer((_request, response) => response.end('<title>Shop</title>')),
    address,
  )
  listeners.push(listener)
  return listener
}
const WEB = [
  { id: 'http', options: { timeoutMs: 500 } },
  { id: 'tls', options: { timeoutMs: 500 } },
]
const scanned = async (wanted: object) => ended(key, (await started(key, wanted)).id)

test('of a host of which a rule allows only a port, scans send only to that port, whatever targets there are', async () => {
  const address = '127.0.10.1'
  const [only, other] = [await web(address), await web(address)]
  const { engagementId } = await engagementWith(key, {
    allow: [`${address}:${only.port}`],
    targets: [`${address}:${only.port}`, `${address}:${other.port}`, address, '127.0.10.0/31', `http://${address}/`],
  })
  // The inventory knows both services.
  const rows = [only, other].map(({ port }) => JSON.stringify({ ip: address, port, protocol: 'tcp' }))
  await imported(key, engagementId, rows.join('\n'))
  const scanners = [portScan([only.port, other.port]), ...WEB, ...(hasNmap ? [{ id: 'nmap' }] : [])]
  const refused = await key.post('/api/v1/scans', { engagementId, scanners, targets: { filter: { engagementId } } })
  expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining('out of scope')])
  const targets = { filter: { engagementId } }
  const { state } = await scanned({ engagementId, scanners, targets, outOfScope: 'skip' })
  expect(state).toBe('succeeded')
  expect(only.accepted).toBeGreaterThan(0)
  expect(other.accepted).toBe(0)
  const { data } = (await key.get(`/api/v1/operations?engagementId=${engagementId}&perPage=100`)).body
  expect(new Set(data.map((row: { port: number | null }) => row.port))).toEqual(new Set([only.port]))
  const pages = await resultsOf(key, engagementId, { kind: 'http_response', verdict: 'in' })
  expect(pages.map(({ asset }) => asset)).toEqual([`http://${address}:${only.port}/`])
})

test('a denied port receives nothing from a scan of its host, also as a known service', async () => {
  const address = '127.0.10.3'
  const [denied, allowed] = [await web(address), await web(address)]
  const { engagementId, ids } = await engagementWith(key, {
    allow: ['127.0.10.0/24'],
    deny: [`${address}:${denied.port}/tcp`],
    targets: [address, '127.0.10.2/31'],
  })
  const rows = [denied, allowed].map(({ port }) => JSON.stringify({ ip: address, port, protocol: 'tcp' }))
  await imported(key, engagementId, rows.join('\n'))
  for (const scanners of [WEB, [portScan([denied.port, allowed.port]), ...WEB]])
    await scanned({ engagementId, scanners, targets: { ids } })
  expect(denied.accepted).toBe(0)
  expect(allowed.accepted).toBeGreaterThan(0)
})
