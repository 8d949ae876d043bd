import { SCOPE_NAMES } from '@sortie/contract/scopes.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ended, engagementWith, getScan, messageOf, portScan, started } from '../support/scans.ts'
import { eventually } from '../support/server-process.ts'
import { type TestApp, testApp } from '../support/test-app.ts'

const LIMIT = 3
let app: TestApp

beforeAll(async () => {
  app = await testApp({ env: { EGRESS_ALLOW: '127.0.0.0/8', SCAN_QUEUE_LIMIT: String(LIMIT), SCAN_CONCURRENCY: '1' } })
})
afterAll(() => app.close())

test('N11: an organization fills its own queue alone: one scan more is refused, and that of another organization starts within 10 seconds', async () => {
  const busy = await app.withKey(SCOPE_NAMES)
  const other = await app.withKey(SCOPE_NAMES, await app.createOrganization())
  const { engagementId, ids } = await engagementWith(busy, { targets: ['127.0.0.1'] })
  // A connection a second: it runs on until it is cancelled.
  const slow = { engagementId, scanners: [portScan('20000-20300', { rate: 1 })], targets: { ids } }
  const running = await started(busy, slow)
  await eventually(async () => expect((await getScan(busy, running.id)).state).toBe('running'), 20_000)
  const waiting = []
  for (let i = 0; i < LIMIT; i++) waiting.push(await started(busy, slow))
  const refused = await busy.post('/api/v1/scans', slow)
  expect(messageOf(refused)).toEqual([
    409,
    `${LIMIT} scans of this organization wait already (SCAN_QUEUE_LIMIT). Start this one when some have ended, or cancel one.`,
  ])
  expect(messageOf(await busy.post(`/api/v1/scans/${running.id}/repeat`))[0]).toBe(409)

  const quick = await engagementWith(other, { targets: ['127.0.0.1'] })
  const asked = performance.now()
  const theirs = await started(other, { engagementId: quick.engagementId, scanners: [portScan([1])], targets: { ids: quick.ids } })
  expect((await ended(other, theirs.id)).state).toBe('succeeded')
  expect(performance.now() - asked).toBeLessThan(10_000)

  await busy.post(`/api/v1/scans/${waiting[0]?.id}/cancel`)
  waiting.push(await started(busy, slow))
  for (const { id } of [...waiting, running]) await busy.post(`/api/v1/scans/${id}/cancel`)
  for (const { id } of [...waiting, running]) expect((await ended(busy, id)).state).toBe('cancelled')
})
