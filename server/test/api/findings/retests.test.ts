import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { type Receiver, startReceiver } from '../../support/races/receiver.ts'

const WEB = '/api/web/retests'
const DAY_MS = 24 * 60 * 60 * 1000

let app: TestApp
let owner: TestClient
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver((_request, response) => response.end('fixed'))
  app = await testApp({ workers: false, env: { EGRESS_ALLOW: `127.0.0.1:${receiver.port}` } })
  owner = await app.signedIn('owner')
})
afterAll(async () => {
  await app.close()
  await receiver.close()
})

const day = (offset: number): string => new Date(app.clock.now() + offset * DAY_MS).toISOString().slice(0, 10)
const newEngagement = async (details: object = {}): Promise<string> =>
  (await owner.post('/api/web/engagements', { name: 'Retested', details })).body.data.id
const newFinding = async (engagementId: string, assets: string[] = [], fields: object = {}): Promise<string> => {
  const { body, status, text } = await owner.post('/api/web/findings', { engagementId, title: 'Found', ...fields })
  expect(status, text).toBe(201)
  if (assets.length > 0) await owner.post(`/api/web/findings/${body.data.id}/affected`, { assets })
  return body.data.id
}
const create = async (engagementId: string, fields: object) => {
  const { body, status, text } = await owner.post(WEB, { engagementId, name: 'Spring', ...fields })
  expect(status, text).toBe(201)
  return body.data
}
const itemsOf = async (id: string) => (await owner.get(`${WEB}/${id}/items?perPage=100`)).body.data
const finding = async (id: string) => (await owner.get(`/api/web/findings/${id}`)).body.data
const setState = async (id: string, state: string, more: object = {}) => owner.patch(`${WEB}/${id}`, { state, ...more })
const setStatus = async (id: string, ...statuses: string[]) => {
  for (const status of statuses) expect((await owner.patch(`/api/web/engagements/${id}`, { status })).status).toBe(200)
}

describe('a retest', () => {
  test('has an item for each affected asset, and for a finding without assets', async () => {
    const engagementId = await newEngagement()
    const first = await newFinding(engagementId, ['b.example', 'a.example'])
    const second = await newFinding(engagementId)
    const retest = await create(engagementId, { filter: { engagementId }, startsOn: day(0), endsOn: day(1) })
    expect(retest).toMatchObject({ state: 'planned', startsOn: day(0), endsOn: day(1), counts: { none: 3, fixed: 0 } })
    expect(
      (await itemsOf(retest.id)).map(({ findingId, asset }: { findingId: string; asset: string }) => [
        findingId,
        asset,
      ]),
    ).toEqual([
      [first, 'b.example'],
      [first, 'a.example'],
      [second, null],
    ])
    expect((await owner.get(`${WEB}?engagementId=${engagementId}&state=planned`)).body.data).toEqual([retest])
  })

  test('is refused with findings of another engagement or the trash, half its dates, or nothing to test', async () => {
    const engagementId = await newEngagement()
    const id = await newFinding(engagementId)
    const elsewhere = await newFinding(await newEngagement())
    const attempt = async (fields: object) => (await owner.post(WEB, { engagementId, name: 'x', ...fields })).status
    expect(await attempt({ findingIds: [id, elsewhere] })).toBe(422)
    expect(await attempt({})).toBe(422)
    expect(await attempt({ findingIds: [id], filter: { engagementId } })).toBe(422)
    expect(await attempt({ findingIds: [id], startsOn: day(0) })).toBe(422)
    expect(await attempt({ findingIds: [id], startsOn: day(1), endsOn: day(0) })).toBe(422)
    expect(await attempt({ filter: { engagementId, q: 'nothing like it' } })).toBe(422)
    await owner.delete(`/api/web/findings/${id}`)
    expect(await attempt({ findingIds: [id] })).toBe(422)
  })

  test('an outcome sets the status of its asset, or of a finding without assets; not_retested leaves it', async () => {
    const engagementId = await newEngagement()
    const first = await newFinding(engagementId, ['a.example', 'b.example'])
    const second = await newFinding(engagementId)
    const retest = await create(engagementId, { findingIds: [first, second] })
    const [a, b, whole] = await itemsOf(retest.id)
    const set = (item: { id: string }, change: object) => owner.patch(`${WEB}/${retest.id}/items/${item.id}`, change)
    expect((await set(a, { outcome: 'fixed', note: 'no longer' })).body.data).toMatchObject({
      outcome: 'fixed',
      note: 'no longer',
      by: { id: expect.any(String) },
    })
    expect(await finding(first)).toMatchObject({ status: 'partly_fixed', affectedCounts: { open: 1, fixed: 1 } })
    await set(b, { outcome: 'not_retested' })
    expect(await finding(first)).toMatchObject({ status: 'partly_fixed', affectedCounts: { open: 1, fixed: 1 } })
    await set(whole, { outcome: 'not_reproducible' })
    expect(await finding(second)).toMatchObject({ status: 'not_reproducible' })
    expect((await set(a, { outcome: null })).body.data).toMatchObject({ outcome: null, by: null, at: null })
    expect((await set(a, { note: 'x', ifUpdatedAt: a.updatedAt })).status).toBe(409)
    await owner.delete(`/api/web/findings/${first}`)
    expect((await set(b, { outcome: 'open' })).status).toBe(409)
  })

  test('an item without its outcome, or not retested after all, returns the status from before, unless that was changed since', async () => {
    const engagementId = await newEngagement()
    const first = await newFinding(engagementId, ['a.example', 'b.example', 'c.example'])
    const second = await newFinding(engagementId)
    const retest = await create(engagementId, { findingIds: [first, second] })
    const items = await itemsOf(retest.id)
    const [a, b, c, whole] = items
    expect(items.map(({ status }: { status: string }) => status)).toEqual(['open', 'open', 'open', 'open'])
    expect(whole.finding).toMatchObject({ title: 'Found', severity: 'info', trashedAt: null })
    const set = async (item: { id: string }, outcome: string | null) =>
      (await owner.patch(`${WEB}/${retest.id}/items/${item.id}`, { outcome })).body.data.status
    await owner.patch(`/api/web/affected/${b.affectedId}`, { status: 'partly_fixed' })
    expect(await set(a, 'fixed')).toBe('fixed')
    expect(await set(a, null)).toBe('open')
    expect(await set(b, 'fixed')).toBe('fixed')
    expect(await set(b, 'not_reproducible')).toBe('not_reproducible')
    expect(await set(b, 'not_retested')).toBe('partly_fixed')
    expect(await set(b, null)).toBe('partly_fixed')
    expect(await set(c, 'fixed')).toBe('fixed')
    await owner.patch(`/api/web/affected/${c.affectedId}`, { status: 'withdrawn' })
    expect(await set(c, null)).toBe('withdrawn')
    expect(await set(whole, 'fixed')).toBe('fixed')
    expect(await set(whole, 'not_retested')).toBe('open')
    expect(await finding(second)).toMatchObject({ status: 'open' })
    await owner.delete(`/api/web/affected/${a.affectedId}`)
    expect(await set(a, 'fixed')).toBeNull()
  })

  test('is done once every item has an outcome, or marks the others; then items do not change until it runs again', async () => {
    const engagementId = await newEngagement()
    const { id } = await create(engagementId, {
      findingIds: [await newFinding(engagementId, ['a.example', 'b.example'])],
    })
    expect((await setState(id, 'done')).status).toBe(409)
    expect((await setState(id, 'running')).status).toBe(200)
    const refused = await setState(id, 'done')
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      '2 items have no outcome yet: set it, or finish with markRest.',
    ])
    const [item] = await itemsOf(id)
    await owner.patch(`${WEB}/${id}/items/${item.id}`, { outcome: 'fixed' })
    expect((await setState(id, 'done', { markRest: 'not_retested' })).body.data).toMatchObject({
      state: 'done',
      counts: { none: 0, fixed: 1, not_retested: 1 },
    })
    expect((await owner.patch(`${WEB}/${id}/items/${item.id}`, { outcome: 'open' })).status).toBe(409)
    expect((await setState(id, 'running')).status).toBe(200)
    expect((await owner.patch(`${WEB}/${id}/items/${item.id}`, { outcome: 'open' })).status).toBe(200)
    expect((await owner.delete(`${WEB}/${id}`)).status).toBe(200)
    expect((await owner.get(`${WEB}/${id}`)).status).toBe(404)
  })

  test('twenty people who set twenty outcomes at once are all counted', async () => {
    const engagementId = await newEngagement()
    const findingId = await newFinding(
      engagementId,
      Array.from({ length: 20 }, (_, index) => `host-${index}.example`),
    )
    const { id } = await create(engagementId, { findingIds: [findingId] })
    const items: { id: string }[] = await itemsOf(id)
    const answers = await Promise.all(
      items.map((item) => owner.patch(`${WEB}/${id}/items/${item.id}`, { outcome: 'fixed' })),
    )
    expect(answers.map(({ status }) => status)).toEqual(items.map(() => 200))
    expect(await finding(findingId)).toMatchObject({ status: 'fixed', affectedCounts: { open: 0, fixed: 20 } })
  })
})

describe('running an item', () => {
  const provable = async (engagementId: string) => {
    const request = { engagementId, name: 'Proof', url: `http://127.0.0.1:${receiver.port}/proof` }
    const { id } = (await owner.post('/api/web/api-requests', request)).body.data
    return newFinding(engagementId, ['a.example'], { proofs: [{ type: 'request', id }] })
  }
  const running = async (
    engagementId: string,
    findingId: string,
    dates: object = { startsOn: day(0), endsOn: day(0) },
  ) => {
    const { id } = await create(engagementId, { findingIds: [findingId], ...dates })
    await setState(id, 'running')
    const [item] = await itemsOf(id)
    return { id, path: `${WEB}/${id}/items/${item.id}/run` }
  }

  test('sends the first proof, and names the run to compare it with', async () => {
    const engagementId = await newEngagement()
    const { path } = await running(engagementId, await provable(engagementId))
    const first = (await owner.post(path)).body.data
    expect(first).toMatchObject({ runId: expect.stringMatching(/^run_/), scanId: null, recordedRunId: null })
    expect((await owner.get(`/api/web/request-runs/${first.runId}`)).body.data).toMatchObject({
      state: 'succeeded',
      engagementId,
    })
    expect((await owner.post(path)).body.data.recordedRunId).toBe(first.runId)
  })

  test('compares a saved request with its last run from before the retest was planned, however often it runs again', async () => {
    const engagementId = await newEngagement()
    const findingId = await provable(engagementId)
    const requestId = (await finding(findingId)).proofs[0].id
    const recorded = (await owner.post(`/api/web/api-requests/${requestId}/execute`, {})).body.data.id
    app.clock.advance(1_000)
    const { path } = await running(engagementId, findingId)
    for (let time = 0; time < 2; time++) expect((await owner.post(path)).body.data.recordedRunId).toBe(recorded)
  })

  test('sends the named proof instead of the first one: a recorded run with the target of the item, or a scan', async () => {
    const engagementId = await newEngagement()
    const target = (await owner.post('/api/web/targets', { engagementId, value: '192.0.2.1' })).body.data
    const scan = { engagementId, scanners: [{ id: 'ports', options: { ports: '80' } }], targets: { ids: [target.id] } }
    const scanId = (await owner.post('/api/web/scans', scan)).body.data.id
    const request = {
      engagementId,
      name: 'Proof',
      url: `http://127.0.0.1:${receiver.port}/recorded`,
      headers: [{ name: 'x-target', value: '{{target.value}}', enabled: true }],
    }
    const requestId = (await owner.post('/api/web/api-requests', request)).body.data.id
    const execution = { targetId: target.id }
    const recorded = (await owner.post(`/api/web/api-requests/${requestId}/execute`, execution)).body.data.id
    const other = (await owner.post('/api/web/targets', { engagementId, value: '192.0.2.2' })).body.data
    const proofs = [
      { type: 'run', id: recorded },
      { type: 'scan', id: scanId },
    ]
    const findingId = await newFinding(engagementId, [], { proofs })
    await owner.post(`/api/web/findings/${findingId}/affected`, { targetIds: [other.id] })
    const { path } = await running(engagementId, findingId)
    const first = (await owner.post(path)).body.data
    expect(first).toMatchObject({ scanId: null, recordedRunId: recorded })
    expect(receiver.received.at(-1)?.headers['x-target']).toBe('192.0.2.2')
    const again = (await owner.post(path, { proofId: scanId })).body.data
    expect(again).toEqual({ runId: null, scanId: expect.stringMatching(/^scn_/), recordedRunId: null })
    expect(again.scanId).not.toBe(scanId)
    expect((await owner.get(`/api/web/scans/${again.scanId}`)).body.data).toMatchObject({ engagementId })
    const sends = await app.withKey(['reports:read', 'reports:write', 'api-requests:read', 'api-requests:write'])
    const refused = await sends.post(path.replace('/api/web', '/api/v1'), { proofId: scanId })
    expect([refused.status, refused.body.error.message]).toEqual([403, expect.stringContaining('targets:write')])
  })

  test('repeats a scan for the target of the item only, if it is in scope now and the scanners take it', async () => {
    const engagementId = await newEngagement()
    const targetOf = async (value: string) =>
      (await owner.post('/api/web/targets', { engagementId, value })).body.data as { id: string }
    const [one, two, page] = [
      await targetOf('192.0.2.1'),
      await targetOf('192.0.2.2'),
      await targetOf('https://a.example/app'),
    ]
    const scan = {
      engagementId,
      name: 'Both',
      scanners: [{ id: 'ports', options: { ports: '80' } }],
      targets: { ids: [one.id, two.id] },
    }
    const scanOf = async (more: object = {}): Promise<string> =>
      (await owner.post('/api/web/scans', { ...scan, ...more })).body.data.id
    const scanId = await scanOf()
    const itemAt = async (affected: object, id = scanId) => {
      const findingId = await newFinding(engagementId, [], { proofs: [{ type: 'scan', id }] })
      await owner.post(`/api/web/findings/${findingId}/affected`, affected)
      return (await running(engagementId, findingId)).path
    }
    const path = await itemAt({ targetIds: [two.id] })
    const repeated = (await owner.post(path)).body.data.scanId
    expect((await owner.get(`/api/web/scans/${repeated}`)).body.data).toMatchObject({
      name: expect.stringContaining('192.0.2.2'),
      targets: { ids: [two.id] },
    })
    const url = await owner.post(await itemAt({ targetIds: [page.id] }, await scanOf({ scanners: [{ id: 'dns' }] })))
    expect([url.status, url.body.error.message]).toEqual([409, expect.stringContaining('do not take')])
    // Without a target, the scan is repeated as it was.
    const whole = (await owner.post(await itemAt({ assets: ['somewhere else'] }))).body.data.scanId
    expect((await owner.get(`/api/web/scans/${whole}`)).body.data).toMatchObject({
      name: 'Both',
      targets: { ids: [one.id, two.id] },
    })
    await owner.post('/api/web/scope-rules', { engagementId, effect: 'deny', pattern: '192.0.2.2' })
    const out = await owner.post(path)
    expect([out.status, out.body.error.message]).toEqual([409, expect.stringContaining('192.0.2.2 is out of scope')])
  })

  test('needs a proof, a running retest, and the scope that sends', async () => {
    const engagementId = await newEngagement()
    const without = await running(engagementId, await newFinding(engagementId))
    expect((await owner.post(without.path)).status).toBe(409)
    const { id, path } = await running(engagementId, await provable(engagementId))
    const key = await app.withKey(['reports:read', 'reports:write'])
    expect((await key.post(path.replace('/api/web', '/api/v1'))).status).toBe(403)
    expect((await owner.post(path, { proofId: `req_${'0'.repeat(26)}` })).status).toBe(422)
    await setState(id, 'planned')
    expect((await owner.post(path)).status).toBe(409)
  })

  test('sends in a completed engagement on the dates of its running retest, where nothing else does; never in an archived one', async () => {
    const engagementId = await newEngagement({ startsOn: day(-30), endsOn: day(-20) })
    const findingId = await provable(engagementId)
    const { id, path } = await running(engagementId, findingId)
    const direct = `/api/web/api-requests/${(await finding(findingId)).proofs[0].id}/execute`
    // In an active engagement the dates of a running retest are testing dates for everything.
    expect((await owner.post(direct, {})).status).toBe(201)
    await setStatus(engagementId, 'completed')
    const before = receiver.received.length
    expect((await owner.post(direct, {})).status).toBe(409)
    expect(
      (
        await owner.post('/api/web/scans', {
          engagementId,
          scanners: [{ id: 'ports' }],
          targets: { filter: { engagementId } },
        })
      ).status,
    ).toBe(409)
    const { runId } = (await owner.post(path)).body.data
    expect((await owner.get(`/api/web/request-runs/${runId}`)).body.data.state).toBe('succeeded')
    expect(receiver.received.length).toBe(before + 1)
    await owner.patch(`${WEB}/${id}`, { startsOn: day(5), endsOn: day(6) })
    expect((await owner.post(path)).status).toBe(409)
    await owner.patch(`${WEB}/${id}`, { startsOn: null, endsOn: null })
    expect((await owner.post(path)).status).toBe(409)
    await owner.patch(`${WEB}/${id}`, { startsOn: day(0), endsOn: day(0) })
    await setState(id, 'done', { markRest: 'not_retested' })
    expect((await owner.post(path)).status).toBe(409)
    await setState(id, 'running')
    await setStatus(engagementId, 'archived')
    expect((await owner.post(path)).status).toBe(409)
    expect((await setState(id, 'done')).status).toBe(409)
    expect(receiver.received.length).toBe(before + 1)
  })

  test('a retest that is not running adds no testing dates, and the testing hours of the day still apply', async () => {
    const engagementId = await newEngagement({ startsOn: day(-30), endsOn: day(-20) })
    const findingId = await provable(engagementId)
    const { id, path } = await running(engagementId, findingId)
    expect((await owner.post(path)).status).toBe(200)
    const direct = `/api/web/api-requests/${(await finding(findingId)).proofs[0].id}/execute`
    await setState(id, 'planned')
    expect((await owner.post(direct, {})).status).toBe(409)
    await setState(id, 'running')
    const weekday = new Date(app.clock.now()).getUTCDay()
    const windows = [{ days: [(weekday + 2) % 7 || 7], from: '00:00', to: '00:30' }]
    expect(
      (
        await owner.patch(`/api/web/engagements/${engagementId}/details`, {
          testingHours: { timeZone: 'UTC', windows },
        })
      ).status,
    ).toBe(200)
    expect((await owner.post(path)).status).toBe(409)
    expect((await owner.post(direct, {})).status).toBe(409)
  })
})
