import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { type Listener, listen } from '../../support/clients/listeners.ts'
import { ended, engagementWith, portScan, started } from '../../support/scans/scans.ts'

const MAX = 8
const NETWORK = '127.0.9.0/28'

let app: TestApp
let key: TestClient
/** Sends nothing, and disconnects after a while. */
let silent: Listener
let holdMs = 200
let open = 0
let mostOpen = 0

beforeAll(async () => {
  app = await testApp({ env: { EGRESS_ALLOW: '127.0.0.0/8', SCAN_MAX_CONNECTIONS: String(MAX) } })
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
  silent = await listen((socket) => {
    mostOpen = Math.max(mostOpen, ++open)
    setTimeout(() => {
      open--
      socket.end()
    }, holdMs)
  }, '0.0.0.0')
})
afterAll(async () => {
  await silent.stop()
  await app.close()
})

const scanned = async () => {
  const { engagementId, ids } = await engagementWith(key, { allow: [NETWORK], targets: [NETWORK] })
  mostOpen = 0
  const { id } = await started(key, {
    engagementId,
    scanners: [portScan([silent.port], { rate: 2_000 })],
    targets: { ids },
  })
  return { engagementId, id }
}

/** The database row of a scan in another process. */
const scanElsewhere = async (engagementId: string, worker: string) => {
  const row = {
    organization_id: app.organization.id,
    engagement_id: engagementId,
    kind: 'scan',
    state: 'running' as const,
    worker,
    subject_id: `scn_${worker}`,
  }
  await app.db
    .insertInto('background_jobs')
    .values({ ...row, id: `wrk_${worker}`, created_at: new Date().toISOString() })
    .execute()
}

test('all scans together have at most SCAN_MAX_CONNECTIONS open; scanning processes share them, also while one runs', async () => {
  const [one, other] = [await scanned(), await scanned()]
  await Promise.all([ended(key, one.id), ended(key, other.id)])
  expect(mostOpen).toBe(MAX)
  await scanElsewhere(one.engagementId, 'second')
  await ended(key, (await scanned()).id)
  expect(mostOpen).toBe(MAX / 2)
  holdMs = 1_000
  const running = await scanned()
  await eventually(() => Promise.resolve(expect(mostOpen).toBe(MAX / 2)))
  await scanElsewhere(one.engagementId, 'third')
  await scanElsewhere(one.engagementId, 'fourth')
  await eventually(() => Promise.resolve(expect(open).toBeLessThanOrEqual(MAX / 4)), 10_000)
  mostOpen = 0
  await ended(key, running.id)
  expect(mostOpen).toBe(MAX / 4)
})
