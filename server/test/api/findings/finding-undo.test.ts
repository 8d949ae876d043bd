import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'

const WEB = '/api/web/findings'

let app: TestApp
let owner: Awaited<ReturnType<TestApp['signedIn']>>
let mate: Awaited<ReturnType<TestApp['signedIn']>>
let engagementId: string

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  mate = await app.signedIn('member')
  engagementId = (await owner.post('/api/web/engagements', { name: 'With findings' })).body.data.id
})
afterAll(() => app.close())

const create = async (fields: object = {}) => {
  const { status, body, text } = await owner.post(WEB, { engagementId, title: 'Before', severity: 'low', ...fields })
  expect(status, text).toBe(201)
  return body.data
}
const read = async (id: string) => (await owner.get(`${WEB}/${id}`)).body.data
const statusesOf = async (id: string) =>
  (await owner.get(`${WEB}/${id}/affected`)).body.data.map(
    ({ asset, status }: Record<string, string>) => `${asset} ${status}`,
  )
const change = async (ids: string[], set: object) => {
  const { status, body, text } = await owner.post(`${WEB}/bulk-update`, { ids, set, withUndo: true })
  expect(status, text).toBe(200)
  return body.data
}
const revert = async (items: object[]) => {
  const { status, body, text } = await owner.post(`${WEB}/bulk-revert`, { items })
  expect(status, text).toBe(200)
  return body.data
}

describe('undo of a bulk change of findings', () => {
  test('restores severity, people, tags, state and the status of each asset', async () => {
    const one = await create({ severity: 'medium', tags: ['web'], authorId: mate.user.id })
    const other = await create({ severity: 'high' })
    await owner.post(`${WEB}/${one.id}/affected`, { assets: ['a.example', 'b.example'] })
    const [asset] = (await owner.get(`${WEB}/${one.id}/affected`)).body.data
    await owner.patch(`/api/web/affected/${asset.id}`, { status: 'not_reproducible' })
    const before = await statusesOf(one.id)
    const { undo, updated } = await change([one.id, other.id], {
      severity: 'critical',
      status: 'fixed',
      state: 'in_review',
      authorId: owner.user.id,
      addTags: ['q3'],
    })
    expect([updated, undo.length]).toEqual([2, 2])
    expect(await read(one.id)).toMatchObject({ severity: 'critical', status: 'fixed', state: 'in_review' })
    expect(await revert(undo)).toEqual({ updated: 2, skipped: 0 })
    expect(await read(one.id)).toMatchObject({
      severity: 'medium',
      state: 'draft',
      tags: ['web'],
      author: { id: mate.user.id },
    })
    expect(await statusesOf(one.id)).toEqual(before)
    expect(await read(other.id)).toMatchObject({ severity: 'high', status: 'open', state: 'draft', tags: [] })
    expect(await revert(undo), 'a second time').toEqual({ updated: 0, skipped: 2 })
  })

  test('leaves what changed since, is in the trash, or whose former person lost access', async () => {
    const findings = await Promise.all([1, 2, 3].map(() => create({ authorId: mate.user.id })))
    const ids = findings.map(({ id }) => id)
    const leaver = await app.signedIn('member')
    await owner.patch(`${WEB}/${ids[2]}`, { authorId: leaver.user.id })
    const { undo } = await change(ids, { authorId: owner.user.id })
    await owner.patch(`${WEB}/${ids[0]}`, { title: 'Since' })
    await owner.delete(`${WEB}/${ids[1]}`)
    await owner.delete(`/api/web/organizations/current/members/${leaver.user.id}`)
    expect(undo).toHaveLength(3)
    expect((await revert(undo)).updated).toBe(0)
    expect(await read(ids[0] as string)).toMatchObject({ title: 'Since', author: { id: owner.user.id } })
    expect((await read(ids[2] as string)).author).toMatchObject({ id: owner.user.id })
  })

  test('restores the status of assets that were changed together, and of no others', async () => {
    const { id } = await create()
    await owner.post(`${WEB}/${id}/affected`, { assets: ['a.example', 'b.example', 'c.example'] })
    const assets = (await owner.get(`${WEB}/${id}/affected`)).body.data as { id: string; asset: string }[]
    const idOf = (name: string) => assets.find(({ asset }) => asset === name)?.id
    await owner.patch(`/api/web/affected/${idOf('b.example')}`, { status: 'not_reproducible' })
    const before = await statusesOf(id)
    const bulk = async (body: object) => {
      const { status, body: answer, text } = await owner.post('/api/web/affected/bulk-update', body)
      expect(status, text).toBe(200)
      return answer.data
    }
    const ids = [idOf('a.example'), idOf('b.example')]
    const { undo, updated } = await bulk({ ids, set: { status: 'fixed' }, withUndo: true })
    expect([updated, undo.length]).toEqual([2, 1])
    expect((await statusesOf(id)).toSorted()).toEqual(['a.example fixed', 'b.example fixed', 'c.example open'])
    expect(await revert(undo)).toEqual({ updated: 1, skipped: 0 })
    expect(await statusesOf(id)).toEqual(before)
    expect((await read(id)).affectedCounts).toMatchObject({ open: 2, fixed: 0, not_reproducible: 1 })

    // An asset that changed since: the finding did, too.
    const again = (await bulk({ filter: { engagementId, findingId: id }, set: { status: 'fixed' }, withUndo: true }))
      .undo
    await owner.patch(`/api/web/affected/${idOf('c.example')}`, { status: 'withdrawn' })
    expect(await revert(again)).toEqual({ updated: 0, skipped: 1 })
    expect(await bulk({ ids, set: { note: 'seen' }, withUndo: true })).toEqual({ updated: 2, undo: [] })
    expect(await bulk({ ids, set: { status: 'open' } })).toEqual({ updated: 2 })
  })

  test('cannot skip the review: an item with another state is refused as a change of it would be', async () => {
    const { id, updatedAt } = await create()
    expect(await revert([{ id, ifUpdatedAt: updatedAt, set: { state: 'approved' } }])).toEqual({
      updated: 0,
      skipped: 1,
    })
    expect((await read(id)).state).toBe('draft')
    await owner.patch('/api/web/report-settings', { fourEyes: true })
    const written = await create({ summary: 'mine' })
    const inReview = (await owner.patch(`${WEB}/${written.id}`, { state: 'in_review' })).body.data
    const item = { id: written.id, ifUpdatedAt: inReview.updatedAt, set: { state: 'approved' } }
    expect(await revert([item])).toEqual({ updated: 0, skipped: 1 })
    await owner.patch('/api/web/report-settings', { fourEyes: false })
  })

  test('names each finding once, and changes nothing that the caller does not see', async () => {
    const { id, updatedAt } = await create()
    const item = { id, ifUpdatedAt: updatedAt, set: { tags: ['former'] } }
    expect((await owner.post(`${WEB}/bulk-revert`, { items: [item, item] })).status).toBe(422)
    await owner.patch(`/api/web/engagements/${engagementId}/details`, { access: 'team' })
    expect((await mate.post(`${WEB}/bulk-revert`, { items: [item] })).body.data).toEqual({ updated: 0, skipped: 0 })
  })
})
