import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { referencesIn } from '../../../src/features/wiki/text/references.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { zipOf } from '../../support/inputs/zip.ts'

let app: TestApp
let owner: TestClient
const WEB = '/api/web/wiki-pages'

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

const newEngagement = async (details = {}): Promise<string> =>
  (await owner.post('/api/web/engagements', { name: 'Links', details })).body.data.id
const create = async (wanted: object): Promise<string> => {
  const { status, body, text } = await owner.post(WEB, { title: 'Page', ...wanted })
  expect(status, text).toBe(201)
  return body.data.id
}
const links = async (id: string, client = owner, door = WEB) => (await client.get(`${door}/${id}/links`)).body.data
const backlinks = async (id: string, client = owner) =>
  (await client.get(`${WEB}/${id}/backlinks`)).body.data.map((page: { id: string }) => page.id)

describe('references of a text', () => {
  const targets = (text: string) => referencesIn(text).map(({ target }) => target)

  test.each([
    ['see [[Title]] and [[wik_1]]', ['Title', 'wik_1']],
    ['![picture](fil_1) [page](wik_1) [there](<a path.md>)', ['fil_1', 'wik_1', 'a path.md']],
    ['`[[no]]` ``a ` [[no]]`` [[yes]] `open [[yes too]]', ['yes', 'yes too']],
    ['```\n[[no]]\n```\n[[yes]]\n~~~~ sh\n[[no]]\n~~~\n~~~~~\n[[yes too]]', ['yes', 'yes too']],
    ['text\n\n    [[no]]\n\n- entry\n\n    [[yes]]', ['yes']],
    ['> ```\n> [[no]]\n> ```\n> [[yes]]', ['yes']],
    ['\\[[no]] \\\\[[yes]]', ['yes']],
    ['[[]] [[ ]] [[a\nb]] [[a [[b]] ]]', ['b']],
    ['```\n[[no]]', []],
  ])('%j', (text, expected) => {
    expect(targets(text)).toEqual(expected)
  })
})

describe('a link by title', () => {
  test('names a page of the same tree before the organization’s, the oldest first, case-insensitively', async () => {
    const engagementId = await newEngagement()
    const [general, own] = [await create({ title: 'Hosts' }), await create({ title: 'HOSTS', engagementId })]
    await create({ title: 'Hosts', engagementId })
    const id = await create({ body: 'see [[hosts]]', engagementId })
    expect(await links(id)).toEqual([
      { reference: 'hosts', type: 'page', id: own, engagementId, title: 'HOSTS', deleted: false },
    ])
    expect(await links(await create({ body: '[[Hosts]]' }))).toMatchObject([{ id: general }])
    expect(await backlinks(own)).toEqual([id])
  })

  test('survives renaming, and is not imported by a later page of that title', async () => {
    const target = await create({ title: 'First name' })
    const id = await create({ body: '[[First name]]' })
    await owner.patch(`${WEB}/${target}`, { title: 'Second name' })
    await create({ title: 'First name' })
    expect(await links(id)).toMatchObject([{ reference: 'first name', id: target, title: 'Second name' }])
    await owner.patch(`${WEB}/${id}`, { body: 'still [[First name]]', baseRevision: 1 })
    expect(await links(id)).toMatchObject([{ id: target }])
    expect((await owner.get(`${WEB}/${id}`)).body.data.body).toBe('still [[First name]]')
  })

  test('without a page finds the one that comes: created, renamed or restored', async () => {
    const id = await create({ body: '[[Coming]] [[Renamed]] [[Restored]]' })
    const restored = await create({ title: 'Restored later' })
    expect((await links(id)).map((link: { id: string | null }) => link.id)).toEqual([null, null, null])
    const [coming, renamed] = [await create({ title: 'coming' }), await create({ title: 'x' })]
    await owner.patch(`${WEB}/${renamed}`, { title: 'renamed' })
    await owner.delete(`${WEB}/${restored}`)
    await app.db
      .updateTable('wiki_pages')
      .set({ title: 'Restored', title_key: 'restored' })
      .where('id', '=', restored)
      .execute()
    await owner.post(`${WEB}/${restored}/restore`)
    expect((await links(id)).map((link: { id: string }) => link.id)).toEqual([coming, renamed, restored])
  })

  test('without a page finds the one that an import brings', async () => {
    const id = await create({ body: '[[From elsewhere]]' })
    expect(
      (await owner.request('POST', `${WEB}/import`, { rawBody: zipOf({ 'From Elsewhere.md': 'text' }) })).status,
    ).toBe(201)
    expect(await links(id)).toMatchObject([{ title: 'From Elsewhere', deleted: false }])
  })

  test('to a page in the trash is shown as deleted; once it is deleted permanently, the link names the next page of that title', async () => {
    const target = await create({ title: 'Short-lived' })
    const id = await create({ body: '[[Short-lived]]' })
    await owner.delete(`${WEB}/${target}`)
    expect(await links(id)).toMatchObject([{ title: null, deleted: true }])
    await owner.delete(`${WEB}/${target}?forever=true`)
    expect(await links(id)).toMatchObject([{ id: null, deleted: false }])
    const next = await create({ title: 'Short-lived' })
    expect(await links(id)).toMatchObject([{ id: next }])
  })

  test('to a permanently deleted page names the next with its title: of the same tree, oldest first, then of the organization', async () => {
    const engagementId = await newEngagement()
    const general = await create({ title: 'Runbook' })
    const [first, second, third] = [
      await create({ title: 'runbook', engagementId }),
      await create({ title: 'Runbook', engagementId }),
      await create({ title: 'RUNBOOK', engagementId }),
    ]
    const id = await create({ body: '[[Runbook]]', engagementId })
    const byId = await create({ body: `[[${first}]]`, engagementId })
    const gone = async (page: string) => {
      await owner.delete(`${WEB}/${page}`)
      await owner.delete(`${WEB}/${page}?forever=true`)
    }
    await owner.delete(`${WEB}/${second}`)
    await gone(first)
    expect(await links(id)).toMatchObject([{ id: third, deleted: false }])
    expect(await links(byId)).toMatchObject([{ id: first, deleted: true }])
    await gone(third)
    expect(await links(id)).toMatchObject([{ id: general, engagementId: null, title: 'Runbook' }])
    expect(await backlinks(general)).toEqual([id])
    await owner.post(`${WEB}/${second}/restore`)
    await gone(general)
    expect(await links(id)).toMatchObject([{ id: second }])
  })

  test('of two that are saved at the same moment as their page is created, none is missed', async () => {
    for (let round = 0; round < 10; round++) {
      const title = `Race ${round}`
      const saves = [create({ body: `[[${title}]]` }), create({ title }), create({ body: `[[${title}]]` })]
      const [one, target, other] = (await Promise.all(saves)) as [string, string, string]
      for (const id of [one, other]) expect(await links(id)).toMatchObject([{ id: target }])
    }
  })
})

test('a clone has the tree with its texts; links by title name the copies; history and trash are not copied', async () => {
  const engagementId = await newEngagement()
  const top = await create({ title: 'Notes', body: 'first', engagementId })
  await owner.patch(`${WEB}/${top}`, { body: 'See [[Machines]].', baseRevision: 1 })
  await create({ title: 'Machines', body: 'Of [[Notes]].', engagementId, parentId: top })
  const thrownAway = await create({ title: 'Draft', engagementId })
  expect((await owner.delete(`${WEB}/${thrownAway}`)).status).toBe(200)
  const cloned = await owner.post(`/api/web/engagements/${engagementId}/clone`, { name: 'Retest', include: ['wiki'] })
  expect(cloned.status, cloned.text).toBe(201)
  const copy = cloned.body.data.id
  const tree = (await owner.get(`${WEB}?engagementId=${copy}&tree=true`)).body.data
  expect(tree.map(({ title }: { title: string }) => title)).toEqual(['Notes', 'Machines'])
  const [notes, hosts] = tree
  expect(hosts.parentId).toBe(notes.id)
  expect(await links(notes.id)).toMatchObject([{ id: hosts.id, engagementId: copy }])
  expect(await backlinks(notes.id)).toEqual([hosts.id])
  expect((await owner.get(`${WEB}/${notes.id}`)).body.data).toMatchObject({ body: 'See [[Machines]].', revision: 1 })
  expect((await owner.get(`${WEB}/${notes.id}/revisions`)).body.data).toHaveLength(1)
  expect((await owner.get(`${WEB}?engagementId=${copy}&trashed=true`)).body.data).toEqual([])
  await owner.patch(`${WEB}/${notes.id}`, { body: 'changed in the copy', baseRevision: 1 })
  expect((await owner.get(`${WEB}/${top}`)).body.data.body).toBe('See [[Machines]].')
})

test('in a clone a link by title to a page that is in the trash names none of the original, also once that is restored', async () => {
  const engagementId = await newEngagement()
  const general = await create({ title: 'Checklist' })
  const gone = await create({ title: 'Thrown away', engagementId })
  await create({ title: 'Text', body: '[[Thrown away]] [[Checklist]] [[Both]]', engagementId })
  const first = await create({ title: 'Both', engagementId })
  await create({ title: 'BOTH', engagementId })
  for (const id of [gone, first]) await owner.delete(`${WEB}/${id}`)
  const copy = (await owner.post(`/api/web/engagements/${engagementId}/clone`, { name: 'Retest', include: ['wiki'] }))
    .body.data.id
  for (const id of [gone, first]) await owner.post(`${WEB}/${id}/restore`)
  const tree = (await owner.get(`${WEB}?engagementId=${copy}&tree=true`)).body.data as { id: string; title: string }[]
  const idOf = (title: string) => tree.find((page) => page.title === title)?.id as string
  expect(await links(idOf('Text'))).toMatchObject([
    { reference: 'both', id: idOf('BOTH') },
    { reference: 'checklist', id: general },
    { reference: 'thrown away', id: null, deleted: false },
  ])
  const next = await create({ title: 'Thrown away', engagementId: copy })
  expect(await links(idOf('Text'))).toMatchObject([{}, {}, { id: next }])
})

test('a link by id shows a target, a result, a task and a request by its current title to callers who may read such objects', async () => {
  const engagementId = await newEngagement()
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await owner.post(`/api/web/${path}`, { engagementId, ...body })
    expect(answer.status, answer.text).toBe(201)
    return answer.body.data.id
  }
  const target = await made('targets', { value: 'vpn.contoso.example' })
  const result = await made('results', {
    title: 'Open redirect',
    asset: 'https://vpn.contoso.example',
    severity: 'low',
    data: {},
  })
  const task = await made('tasks', { title: 'Ask' })
  const request = await made('api-requests', { name: 'Log in', method: 'GET', url: 'https://vpn.contoso.example/' })
  const missing = `tsk_${'0'.repeat(26)}`
  const body = [target, result, task, request, missing].map((one) => `[[${one}]]`).join(' ')
  const id = await create({ engagementId, body })
  expect((await owner.patch(`/api/web/tasks/${task}`, { title: 'Ask twice' })).status).toBe(200)
  const titles = async (client?: TestClient, door?: string) =>
    Object.fromEntries(
      (await links(id, client, door)).map((link: { id: string; title: string | null }) => [link.id, link.title]),
    )
  expect(await titles()).toEqual({
    [target]: 'vpn.contoso.example',
    [result]: 'Open redirect',
    [task]: 'Ask twice',
    [request]: 'Log in',
    [missing]: null,
  })
  const key = await app.withKey(['wiki:read', 'tasks:read'])
  expect(await titles(key, '/api/v1/wiki-pages')).toEqual({
    [target]: null,
    [result]: null,
    [task]: 'Ask twice',
    [request]: null,
    [missing]: null,
  })
  expect((await owner.get(`${WEB}/${id}`)).body.data.body).toBe(body)
})

describe('access', () => {
  test('backlinks and titles of a closed engagement are for those who see it', async () => {
    const hidden = await newEngagement({ access: 'team', team: [] })
    const general = await create({ title: 'Everybody' })
    const secret = await create({ title: 'Canary', body: '[[Everybody]]', engagementId: hidden })
    const named = await create({ body: `[[${secret}]]` })
    const member = await app.signedIn('member')
    expect(await backlinks(general)).toEqual([secret])
    expect(await backlinks(general, member)).toEqual([])
    expect(await links(named)).toMatchObject([{ id: secret, title: 'Canary' }])
    expect(await links(named, member)).toEqual([
      { reference: secret, type: 'page', id: secret, engagementId: null, title: null, deleted: true },
    ])
  })

  test('a key that is limited to an engagement sees nothing of the organization’s pages', async () => {
    const engagementId = await newEngagement()
    const general = await create({ title: 'Internal canary' })
    const id = await create({ body: '[[Internal canary]]', engagementId })
    const scopes = ['wiki:read', 'wiki:write']
    const { value } = (
      await owner.post('/api/web/api-keys', {
        name: 'limited',
        environment: 'live',
        scopes,
        engagementIds: [engagementId],
      })
    ).body.data
    const key = app.anonymous.with({ authorization: `Bearer ${value}` })
    expect((await key.get(`/api/v1/wiki-pages/${general}`)).status).toBe(404)
    expect((await key.get('/api/v1/wiki-pages')).body.data.map((page: { id: string }) => page.id)).toEqual([id])
    expect((await key.post('/api/v1/wiki-pages', { title: 'x' })).status).toBe(403)
    const nothing = { type: 'page', id: null, engagementId: null, title: null, deleted: false }
    expect(await links(id, key, '/api/v1/wiki-pages')).toEqual([{ reference: 'internal canary', ...nothing }])
    const guess = (await key.post('/api/v1/wiki-pages', { title: 'Guess', body: '[[No one has this]]', engagementId }))
      .body.data.id
    expect(await links(guess, key, '/api/v1/wiki-pages')).toEqual([{ reference: 'no one has this', ...nothing }])
    expect((await key.get('/api/v1/search?q=canary')).body.data).toMatchObject([{ id, title: 'Page' }])
  })
})
