import { afterAll, beforeAll, expect, test } from 'vitest'
import { hereMs } from '../../../support/app/machine.ts'
import { type TestApp, testApp } from '../../../support/app/test-app.ts'
import { DnsServer } from '../../../support/network/dns-server.ts'

const NAME = 'silent.example.com'
const TIMEOUT_MS = 1_000
/** A silent name server has 9 seconds. */
const WITHIN_MS = 6_000

let app: TestApp
let dns: DnsServer

beforeAll(async () => {
  dns = await DnsServer.start()
  dns.silent.add(NAME)
  app = await testApp({ workers: false, env: { EGRESS_ALLOW: '127.0.0.1', DNS_SERVERS: dns.address } })
})
afterAll(async () => {
  await app.close()
  await dns.stop()
})

test('timeoutMs of a request bounds the resolution of its name', async () => {
  const owner = await app.signedIn('owner')
  const engagementId = (await owner.post('/api/web/engagements', { name: 'Names' })).body.data.id
  const request = { url: `http://${NAME}/`, options: { timeoutMs: TIMEOUT_MS } }
  const startedAt = performance.now()
  const response = await owner.post('/api/web/api-requests/send', { engagementId, request })
  expect(response.status, response.text).toBe(201)
  expect(response.text).toContain('it took longer than 1000 ms')
  expect(performance.now() - startedAt).toBeLessThan(hereMs(WITHIN_MS))
  expect(dns.asked).toContain(NAME)
})
