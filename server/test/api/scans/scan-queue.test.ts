import { SCOPE_NAMES } from '@sortie/contract/core/scopes.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hereMs } from '../../support/app/machine.ts'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import { listen } from '../../support/clients/listeners.ts'
import { ended, engagementWith, getScan, messageOf, portScan, started } from '../../support/scans/scans.ts'

const LIMIT = 3
let app: TestApp

beforeAll(async () => {
  app = await testApp({ env: { EGRESS_ALLOW: '127.0.0.0/8', SCAN_QUEUE_LIMIT: String(LIMIT), SCAN_CONCURRENCY: '1' } })
})
afterAll(() => app.close())

test('N11: an organization fills only its own queue: one scan more is refused, and that of another organization starts within 10 seconds', async () => {
  const busy = await app.withKey(SCOPE_NAMES)
  const other = await app.withKey(SCOPE_NAMES, await app.createOrganization())
  const { engagementId, ids } = await engagementWith(busy, { targets: ['127.0.0.1'] })
  // One connection a second: it runs until it is cancelled.
  const slow = { engagementId, scanners: [portScan('20000-20300', { rate: 1 })], targets: { ids } }
  const running = await started(busy, slow)
  await eventually(async () => expect((await getScan(busy, running.id)).state).toBe('running'), 20_000)
  const waiting = []
  for (let i = 0; i < LIMIT; i++) waiting.push(await started(busy, slow))
  const refused = await busy.post('/api/v1/scans', slow)
  expect(messageOf(refused)).toEqual([
    409,
    `${LIMIT} scans of this organization are already waiting (SCAN_QUEUE_LIMIT). Wait until some have finished, or cancel one.`,
  ])
  expect(messageOf(await busy.post(`/api/v1/scans/${running.id}/repeat`))[0]).toBe(409)

  const quick = await engagementWith(other, { targets: ['127.0.0.1'] })
  const asked = performance.now()
  const theirs = await started(other, {
    engagementId: quick.engagementId,
    scanners: [portScan([1])],
    targets: { ids: quick.ids },
  })
  expect((await ended(other, theirs.id)).state).toBe('succeeded')
  expect(performance.now() - asked).toBeLessThan(hereMs(10_000))

  await busy.post(`/api/v1/scans/${waiting[0]?.id}/cancel`)
  waiting.push(await started(busy, slow))
  for (const { id } of [...waiting, running]) await busy.post(`/api/v1/scans/${id}/cancel`)
  for (const { id } of [...waiting, running]) expect((await ended(busy, id)).state).toBe('cancelled')
})

test('N5: targets deleted or denied while a scan waited are not touched but counted; a scan whose engagement ended in that time sends nothing', async () => {
  const key = await app.withKey(SCOPE_NAMES)
  const listeners = await Promise.all(
    ['127.0.6.1', '127.0.6.2', '127.0.6.3'].map((address) => listen(undefined, address)),
  )
  const ports = listeners.map(({ port }) => port)
  const blocking = await engagementWith(key, { targets: ['127.0.0.1'] })
  const running = await started(key, {
    engagementId: blocking.engagementId,
    scanners: [portScan('20000-20300', { rate: 1 })],
    targets: { ids: blocking.ids },
  })
  await eventually(async () => expect((await getScan(key, running.id)).state).toBe('running'), 20_000)
  const first = await engagementWith(key, { targets: listeners.map(({ address }) => address) })
  const second = await engagementWith(key, { targets: ['127.0.6.3'] })
  const scans = []
  for (const { engagementId, ids } of [first, second])
    scans.push(await started(key, { engagementId, scanners: [portScan(ports)], targets: { ids } }))
  await key.delete(`/api/v1/targets/${first.ids[0]}`)
  await key.post('/api/v1/scope-rules', { engagementId: first.engagementId, effect: 'deny', pattern: '127.0.6.2' })
  await key.patch(`/api/v1/engagements/${second.engagementId}`, { status: 'completed' })
  await key.post(`/api/v1/scans/${running.id}/cancel`)
  const [one, two] = await Promise.all(scans.map(({ id }) => ended(key, id)))
  expect(one).toMatchObject({ state: 'succeeded', counts: { created: 2, skipped: 2 } })
  const log = (await key.get(`/api/v1/scans/${one?.id}/log`)).body.data as { text: string }[]
  expect(log.map(({ text }) => text)).toContain('A target was deleted after the scan was queued, and left out.')
  expect(two).toMatchObject({ state: 'failed', stateReason: 'The engagement is no longer active.' })
  expect(listeners.map(({ accepted }) => accepted)).toEqual([0, 0, 1])
  for (const listener of listeners) await listener.stop()
})
