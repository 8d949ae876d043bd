import { SCOPE_NAMES } from '@sortie/contract/core/scopes.ts'
import { MAX_VIEWS } from '@sortie/contract/core/views.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

const VIEWS = '/api/web/views'
let app: TestApp
let owner: TestClient
let ada: TestClient
let grace: TestClient

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  ada = await app.signedIn('member')
  grace = await app.signedIn('member')
})
afterAll(() => app.close())

const engagementOf = async (details: object = {}): Promise<string> =>
  (await owner.post('/api/web/engagements', { name: 'Viewed', details })).body.data.id
const save = async (client: TestClient, view: object) => {
  const { status, body, text } = await client.post(VIEWS, { list: 'targets', search: 'kind=domain', ...view })
  expect(status, text).toBe(201)
  return body.data as { id: string; updatedAt: string }
}
const namesFor = async (client: TestClient, query: string): Promise<string[]> =>
  (await client.get(`${VIEWS}?${query}`)).body.data.map(({ name }: { name: string }) => name)

describe('a saved view', () => {
  test('belongs to the user who saved it; shared, to everyone who sees the list', async () => {
    const engagementId = await engagementOf()
    await save(ada, { engagementId, name: 'mine' })
    const shared = await save(ada, { engagementId, name: 'Ours', search: 'kind=ip&sort=canonical', shared: true })
    await save(ada, { name: 'everywhere', shared: true })
    expect(await namesFor(ada, `list=targets&engagementId=${engagementId}`)).toEqual(['everywhere', 'mine', 'Ours'])
    expect(await namesFor(grace, `list=targets&engagementId=${engagementId}`)).toEqual(['everywhere', 'Ours'])
    expect(await namesFor(grace, 'list=targets')).toEqual(['everywhere'])
    expect(await namesFor(grace, 'list=results')).toEqual([])
    expect((await grace.get(`${VIEWS}?list=targets&engagementId=${engagementId}`)).body.data[1]).toMatchObject({
      ...shared,
      search: 'kind=ip&sort=canonical',
      shared: true,
      engagementId,
    })
  })

  test('is changed and deleted by its owner; a shared one by owner and admins as well; a private one is invisible to others', async () => {
    const engagementId = await engagementOf()
    const own = await save(ada, { engagementId, name: 'own' })
    const shared = await save(ada, { engagementId, name: 'shared', shared: true })
    for (const client of [grace, owner]) {
      expect((await client.patch(`${VIEWS}/${own.id}`, { name: 'taken' })).status).toBe(404)
      expect((await client.delete(`${VIEWS}/${own.id}`)).status).toBe(404)
    }
    expect((await grace.patch(`${VIEWS}/${shared.id}`, { name: 'taken' })).status).toBe(403)
    expect((await grace.delete(`${VIEWS}/${shared.id}`)).status).toBe(403)
    const changed = await owner.patch(`${VIEWS}/${shared.id}`, { name: 'renamed', search: 'kind=ip' })
    expect(changed.body.data).toMatchObject({ name: 'renamed', search: 'kind=ip', shared: true })
    expect(changed.body.data.updatedAt > shared.updatedAt).toBe(true)
    expect((await ada.patch(`${VIEWS}/${shared.id}`, { shared: false })).status).toBe(200)
    expect(await namesFor(owner, `list=targets&engagementId=${engagementId}`)).not.toContain('renamed')
    expect((await ada.delete(`${VIEWS}/${own.id}`)).body.data).toEqual({ deleted: true, id: own.id })
    expect(await namesFor(ada, `list=targets&engagementId=${engagementId}`)).not.toContain('own')
  })

  test('has a name that is unique for its owner in a list, in any case', async () => {
    const engagementId = await engagementOf()
    await save(ada, { engagementId, name: 'Open' })
    const other = await save(ada, { engagementId, name: 'Closed' })
    expect((await ada.post(VIEWS, { list: 'targets', engagementId, name: 'OPEN', search: '' })).status).toBe(409)
    expect((await ada.patch(`${VIEWS}/${other.id}`, { name: 'open' })).status).toBe(409)
    await save(grace, { engagementId, name: 'Open' })
    await save(ada, { engagementId, name: 'Open', list: 'results' })
    await save(ada, { name: 'Open' })
  })

  test('of an engagement that is hidden from a member does not exist for them', async () => {
    const engagementId = await engagementOf({ access: 'team' })
    const { id } = await save(owner, { engagementId, name: 'secret', shared: true })
    expect((await grace.get(`${VIEWS}?list=targets&engagementId=${engagementId}`)).status).toBe(404)
    expect((await grace.patch(`${VIEWS}/${id}`, { name: 'x' })).status).toBe(404)
    expect((await grace.post(VIEWS, { list: 'targets', engagementId, name: 'x', search: '' })).status).toBe(422)
  })

  test('of an archived engagement is read and not written', async () => {
    const engagementId = await engagementOf()
    const { id } = await save(ada, { engagementId, name: 'kept' })
    for (const status of ['completed', 'archived'])
      expect((await owner.patch(`/api/web/engagements/${engagementId}`, { status })).status).toBe(200)
    expect(await namesFor(ada, `list=targets&engagementId=${engagementId}`)).toContain('kept')
    expect((await ada.patch(`${VIEWS}/${id}`, { name: 'x' })).status).toBe(409)
    expect((await ada.delete(`${VIEWS}/${id}`)).status).toBe(409)
    expect((await ada.post(VIEWS, { list: 'targets', engagementId, name: 'x', search: '' })).status).toBe(409)
  })

  test('A6: private, is in the activity and the audit log without its name and filter; shared, only for members', async () => {
    const engagementId = await engagementOf()
    const { id } = await save(ada, { engagementId, name: 'Canary', search: 'q=canary' })
    expect((await ada.patch(`${VIEWS}/${id}`, { name: 'Canary again' })).status).toBe(200)
    await save(ada, { engagementId, name: 'Ours', shared: true })
    const key = await app.withKey(SCOPE_NAMES)
    const activity = `engagements/${engagementId}/activity`
    for (const path of [activity, 'audit?perPage=100']) {
      const { text } = await owner.get(`/api/web/${path}`)
      expect(text).toContain('view.changed')
      expect(text).toContain('Ours')
      expect(text).not.toMatch(/canary/i)
    }
    expect((await key.get(`/api/v1/${activity}`)).text).not.toMatch(/view\.|Ours/)
  })

  test(`is one of at most ${MAX_VIEWS}, and is deleted with the membership`, async () => {
    const leaver = await app.createMember('member')
    const client = await app.signIn(leaver, app.organization.id)
    const rows = Array.from({ length: MAX_VIEWS - 1 }, (_, i) => ({ list: 'tasks', name: `view ${i}`, shared: true }))
    for (const row of rows) await save(client, row)
    const last = await Promise.all(
      ['a', 'b', 'c'].map((name) => client.post(VIEWS, { list: 'tasks', name, search: '' })),
    )
    expect(last.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    expect(await namesFor(owner, 'list=tasks')).toHaveLength(MAX_VIEWS - 1)
    expect((await owner.delete(`/api/web/organizations/current/members/${leaver.id}`)).status).toBe(200)
    expect(await namesFor(owner, 'list=tasks')).toEqual([])
  })
})
