import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cleanFindings } from '../../../src/features/findings/lifecycle/trash.service.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

const WEB = '/api/web/findings'
const DAY_MS = 24 * 60 * 60 * 1000

let app: TestApp
let owner: Awaited<ReturnType<TestApp['signedIn']>>
let mate: Awaited<ReturnType<TestApp['signedIn']>>
let clientId: string
let engagementId: string

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  mate = await app.signedIn('member')
  clientId = (await owner.post('/api/web/clients', { name: 'Contoso' })).body.data.id
  engagementId = (await owner.post('/api/web/engagements', { name: 'Listed', details: { clientId } })).body.data.id
})
afterAll(() => app.close())

const create = async (fields: object = {}): Promise<string> => {
  const { status, body, text } = await owner.post(WEB, { engagementId, title: 'Listed', ...fields })
  expect(status, text).toBe(201)
  return body.data.id
}

describe('the list of findings', () => {
  test('has every filter and sort', async () => {
    const elsewhere = (await owner.post('/api/web/engagements', { name: 'Without a client' })).body.data.id
    await owner.post('/api/web/field-definitions', { objectType: 'finding', key: 'team', type: 'text', label: 'Team' })
    const plain = await create({ authorId: null })
    const rated = await create({
      severity: 'high',
      verification: 'human_verified',
      authorId: mate.user.id,
      reviewerId: owner.user.id,
      clientStatus: { state: 'planned', until: '2027-01-31', reason: 'With the next release' },
      status: 'partly_fixed',
      fields: { team: 'Web: shop, portal' },
      cwe: ['CWE-79'],
      tags: ['shop'],
    })
    const reviewed = await create({ severity: 'low' })
    await owner.patch(`${WEB}/${reviewed}`, { state: 'in_review' })
    await owner.post(`${WEB}/${reviewed}/publish`, { force: true, reason: 'Urgent' })
    const other = await create({ engagementId: elsewhere })
    const listed = async (query: string) =>
      (await owner.get(`${WEB}?${query}`)).body.data.map(({ id }: { id: string }) => id)
    const cases: [string, string[]][] = [
      [`clientId=${clientId}`, [plain, rated, reviewed]],
      [`engagementId=${elsewhere}`, [other]],
      ['severity=high,low', [rated, reviewed]],
      ['state=in_review', [reviewed]],
      ['status=partly_fixed', [rated]],
      ['clientStatus=planned', [rated]],
      ['clientStatus=none,accepted', [plain, reviewed, other]],
      ['verification=human_verified', [rated]],
      [`authorId=${mate.user.id}`, [rated]],
      ['authorId=none', [plain]],
      ['authorId=me', [reviewed, other]],
      ['reviewerId=me', [rated]],
      ['cwe=CWE-79', [rated]],
      ['tag=shop', [rated]],
      [`field=${encodeURIComponent('team:Web: shop, portal')}`, [rated]],
      ['published=true', [reviewed]],
      ['severity=high&state=in_review', []],
    ]
    for (const [query, wanted] of cases)
      expect((await listed(`${query}&perPage=100`)).toSorted(), query).toEqual(wanted.toSorted())
    await owner.post(`${WEB}/${reviewed}/move`, { beforeId: plain })
    const inOrder = (sort: string) => listed(`engagementId=${engagementId}&${sort}`)
    expect(await inOrder('sort=position')).toEqual([reviewed, plain, rated])
    expect(await inOrder('sort=severity&order=desc')).toEqual([rated, reviewed, plain])
    expect(await inOrder('sort=number&order=desc')).toEqual([reviewed, rated, plain])
    expect(await inOrder('sort=createdAt&order=asc')).toEqual([plain, rated, reviewed])
    expect((await inOrder('sort=updatedAt&order=desc'))[0]).toBe(reviewed)
  })

  test('keeps who stated the answer of the client, when, and until when; null removes it', async () => {
    const id = await create()
    const { body } = await mate.patch(`${WEB}/${id}`, { clientStatus: { state: 'accepted', until: '2027-06-30' } })
    expect(body.data.clientStatus).toEqual({
      state: 'accepted',
      until: '2027-06-30',
      reason: '',
      by: { id: mate.user.id, name: mate.user.name },
      at: expect.stringMatching(/^20/),
    })
    const { data } = (await mate.patch(`${WEB}/${id}`, { clientStatus: null })).body
    expect(data.clientStatus).toBeNull()
  })
})

describe('links to a finding', () => {
  test('from a task and from a wiki page show its current title to those who may read findings', async () => {
    const id = await create({ title: 'Before' })
    const links = [{ type: 'finding', id }]
    const task = (await owner.post('/api/web/tasks', { engagementId, title: 'Confirm it', links })).body.data
    const page = (await owner.post('/api/web/wiki-pages', { engagementId, title: 'Notes', body: `See [[${id}]].` }))
      .body.data
    await owner.patch(`${WEB}/${id}`, { title: 'After' })
    const shown = async (path: string, client: TestClient = owner, door = 'web') =>
      (await client.get(`/api/${door}${path}`)).body.data
    expect((await shown(`/tasks/${task.id}`)).links).toMatchObject([{ ...links[0], title: 'After' }])
    expect(await shown(`/wiki-pages/${page.id}/links`)).toMatchObject([{ reference: id, id, title: 'After' }])
    const other = await app.withKey(['tasks:read', 'wiki:read'])
    expect((await shown(`/tasks/${task.id}`, other, 'v1')).links).toMatchObject([{ ...links[0], title: null }])
    expect(await shown(`/wiki-pages/${page.id}/links`, other, 'v1')).toMatchObject([{ reference: id, title: null }])
  })
})

describe('the life of a finding', () => {
  test('publishing, forcing it and hiding it again are in the activity of the engagement, with the reason', async () => {
    const id = await create({ title: 'Published' })
    await owner.post(`${WEB}/${id}/publish`, { force: true, reason: 'The client asked for it' })
    await owner.post(`${WEB}/${id}/unpublish`)
    const { data } = (await owner.get(`/api/web/engagements/${engagementId}/activity?perPage=100`)).body
    const rows = data.filter(({ object }: { object: { id: string } }) => object.id === id)
    expect(rows.map(({ action }: { action: string }) => action)).toEqual([
      'finding.unpublished',
      'finding.published',
      'finding.created',
    ])
    expect(rows[1].after).toMatchObject({ reason: 'The client asked for it' })
  })

  test('in the trash ends after 30 days, with history, assets, values, comments and files; others stay', async () => {
    const [old, recent] = [await create({ fields: { team: 'Old' } }), await create()]
    for (const id of [old, recent]) {
      await owner.post(`${WEB}/${id}/affected`, { assets: ['a.example'] })
      await owner.post(`${WEB}/${id}/comments`, { body: 'A comment' })
      await owner.request('POST', `${WEB}/${id}/files?fileName=proof.txt`, { rawBody: 'bytes' })
    }
    await owner.delete(`${WEB}/${old}`)
    const at = (days: number) => ({ ...app.platform.clock, now: () => app.platform.clock.now() + days * DAY_MS })
    await cleanFindings({ ...app.platform, clock: at(29) })
    expect((await owner.get(`${WEB}/${old}`)).status).toBe(200)
    await owner.delete(`${WEB}/${recent}`)
    await owner.post(`${WEB}/${recent}/restore`)
    await cleanFindings({ ...app.platform, clock: at(31) })
    expect((await owner.get(`${WEB}/${old}`)).status).toBe(404)
    expect((await owner.get(`${WEB}/${recent}`)).body.data).toMatchObject({ commentCount: 1 })
    const { db } = app
    const left = await Promise.all([
      db.selectFrom('finding_revisions').select('revision').where('finding_id', '=', old).execute(),
      db.selectFrom('affected_assets').select('id').where('finding_id', '=', old).execute(),
      db.selectFrom('comments').select('id').where('finding_id', '=', old).execute(),
      db.selectFrom('field_values').select('value').where('object_id', '=', old).execute(),
      db.selectFrom('files').select('id').where('owner_id', '=', old).execute(),
    ])
    expect(left).toEqual([[], [], [], [], []])
  })
})
