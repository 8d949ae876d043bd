import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

const WEB = '/api/web/findings'

let app: TestApp
let owner: TestClient
let engagementId: string

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  engagementId = await newEngagement()
})
afterAll(() => app.close())

const newEngagement = async (): Promise<string> =>
  (await owner.post('/api/web/engagements', { name: 'Assets' })).body.data.id
const newFinding = async (fields: object = {}): Promise<string> => {
  const { status, body, text } = await owner.post(WEB, { engagementId, title: 'With assets', ...fields })
  expect(status, text).toBe(201)
  return body.data.id
}
const newResult = async (asset: string, fields: object = {}): Promise<string> => {
  const wanted = { engagementId, title: 'Seen', asset, severity: 'low', ...fields }
  return (await owner.post('/api/web/results', wanted)).body.data.id
}
interface Asset {
  id: string
  asset: string
  suggestedStatus: string | null
}
const assetsOf = async (id: string, client = owner, door = 'web'): Promise<Asset[]> =>
  (await client.get(`/api/${door}/findings/${id}/affected?order=asc`)).body.data
const stateOf = async (id: string) => (await owner.get(`${WEB}/${id}`)).body.data.state
const approve = async (id: string) => {
  for (const state of ['in_review', 'approved']) await owner.patch(`${WEB}/${id}`, { state })
  expect(await stateOf(id)).toBe('approved')
}

describe('assets of an approved finding', () => {
  test('return it to review when they are added, renamed or removed, and say so; status, note and known ones do not', async () => {
    const id = await newFinding()
    await owner.post(`${WEB}/${id}/affected`, { assets: ['a.example', 'b.example'] })
    const [first] = await assetsOf(id)
    const path = `/api/web/affected/${first?.id}`
    const changes: [() => ReturnType<TestClient['post']>, boolean][] = [
      [() => owner.patch(path, { status: 'fixed', note: 'Patched.', clientStatus: { state: 'planned' } }), false],
      [() => owner.post(`${WEB}/${id}/affected`, { assets: ['b.example'] }), false],
      [() => owner.post(`${WEB}/${id}/affected`, { assets: ['c.example'] }), true],
      [() => owner.patch(path, { asset: 'd.example' }), true],
      [() => owner.delete(path), true],
    ]
    for (const [change, returns] of changes) {
      if ((await stateOf(id)) !== 'approved') await approve(id)
      const { status, body, text } = await change()
      expect(status, text).toBeLessThan(300)
      expect([body.meta.returnedToReview, await stateOf(id)], text).toEqual([
        returns,
        returns ? 'in_review' : 'approved',
      ])
    }
  })
})

describe('the suggested status of an asset', () => {
  test('is fixed once all its results are fixed or gone; nothing changes by itself', async () => {
    const [first, second] = [await newResult('a.example'), await newResult('a.example')]
    const id = await newFinding({ resultIds: [first, second, await newResult('b.example')] })
    const suggested = async (client = owner, door = 'web') =>
      (await assetsOf(id, client, door)).map((asset) => [asset.asset, asset.suggestedStatus])
    await owner.patch(`/api/web/results/${first}`, { status: 'fixed' })
    expect(await suggested()).toEqual([
      ['a.example', null],
      ['b.example', null],
    ])
    await app.asSuperuser(`update results set state = 'gone' where id = '${second}'`)
    expect(await suggested()).toEqual([
      ['a.example', 'fixed'],
      ['b.example', null],
    ])
    expect((await owner.get(`${WEB}/${id}`)).body.data).toMatchObject({ status: 'open', affectedCounts: { open: 2 } })
    // Only for those who may read results.
    expect(await suggested(await app.withKey(['reports:read']), 'v1')).toEqual([
      ['a.example', null],
      ['b.example', null],
    ])
    const asset = (await assetsOf(id))[0]
    await owner.patch(`/api/web/affected/${asset?.id}`, { status: 'fixed' })
    expect((await suggested())[0]).toEqual(['a.example', null])
  })
})

describe('what becomes an asset', () => {
  test('is 422 with a target, result or proof of another engagement, and 403 for results without targets:read', async () => {
    const other = await newEngagement()
    const id = await newFinding()
    const elsewhere = await newResult('x.example', { engagementId: other })
    const target = (await owner.post('/api/web/targets', { engagementId: other, value: 'elsewhere.example' })).body.data
    const request = (
      await owner.post('/api/web/api-requests', { engagementId: other, name: 'R', url: 'https://a.example' })
    ).body.data
    const add = (sources: object, client = owner, door = 'web') =>
      client.post(`/api/${door}/findings/${id}/affected`, sources)
    expect((await add({ resultIds: [elsewhere] })).status).toBe(422)
    expect((await add({ targetIds: [target.id] })).status).toBe(422)
    expect((await add({ resultFilter: { engagementId: other } })).status).toBe(422)
    expect((await owner.post(WEB, { engagementId, resultIds: [elsewhere] })).status).toBe(422)
    expect((await owner.patch(`${WEB}/${id}`, { proofs: [{ type: 'request', id: request.id }] })).status).toBe(422)
    const key = await app.withKey(['reports:read', 'reports:write'])
    expect((await add({ resultIds: [await newResult('y.example')] }, key, 'v1')).status).toBe(403)
    expect((await add({ resultFilter: { engagementId } }, key, 'v1')).status).toBe(403)
    expect((await add({ assets: ['y.example'] }, key, 'v1')).status).toBe(201)
  })

  test('is refused beyond 10,000 of one finding, and nothing is added', async () => {
    const id = await newFinding()
    const assets = Array.from({ length: 10_000 }, (_, index) => `host-${index}.example`)
    expect((await owner.post(`${WEB}/${id}/affected`, { assets })).body.data).toEqual({ created: 10_000, known: 0 })
    const { status, body } = await owner.post(`${WEB}/${id}/affected`, { assets: ['one.example', 'host-1.example'] })
    expect([status, body.error.message]).toEqual([409, 'A finding has at most 10000 affected assets.'])
    expect((await owner.get(`${WEB}/${id}`)).body.data.affectedCounts.open).toBe(10_000)
    expect((await owner.post(`${WEB}/${id}/affected`, { assets: ['host-1.example'] })).status).toBe(201)
  })
})
