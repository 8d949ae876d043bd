import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { unknownId } from '../../support/walks/walk.ts'

let app: TestApp
let owner: TestClient & { user: { id: string } }
let member: TestClient & { user: { id: string; name: string } }
const TASKS = '/api/web/tasks'

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  member = await app.signedIn('member')
})
afterAll(() => app.close())

const engagement = async (details?: object): Promise<string> =>
  (await owner.post('/api/web/engagements', { name: 'Lists', ...(details && { details }) })).body.data.id

const create = async (engagementId: string, title: string, fields: object = {}): Promise<string> => {
  const response = await owner.post(TASKS, { engagementId, title, ...fields })
  expect(response.status, response.text).toBe(201)
  return response.body.data.id
}

const titles = async (query: string, client: TestClient = owner): Promise<string[]> => {
  const { status, body, text } = await client.get(`${TASKS}?${query}`)
  expect(status, text).toBe(200)
  return body.data.map(({ title }: { title: string }) => title)
}

describe('the list of tasks', () => {
  test('filters by each field, several values by commas, and sorts with null last', async () => {
    const engagementId = await engagement()
    const of = `engagementId=${engagementId}`
    await create(engagementId, 'Alpha 100%', {
      status: 'done',
      priority: 'high',
      dueOn: '2026-12-02',
      labels: ['web', 'x y'],
    })
    await create(engagementId, 'beta', { assigneeId: member.user.id, priority: 'urgent', dueOn: '2026-12-01' })
    await create(engagementId, 'Gamma', { assigneeId: owner.user.id, labels: ['web'], priority: 'low' })
    const filters: [string, string[]][] = [
      ['status=done', ['Alpha 100%']],
      ['status=done,open', ['Alpha 100%', 'beta', 'Gamma']],
      ['priority=urgent,low', ['beta', 'Gamma']],
      ['assigneeId=none', ['Alpha 100%']],
      ['assigneeId=me', ['Gamma']],
      [`assigneeId=${member.user.id},none`, ['Alpha 100%', 'beta']],
      ['label=web', ['Alpha 100%', 'Gamma']],
      ['label=x%20y,other', ['Alpha 100%']],
      ['label=WEB', []],
      ['dueBefore=2026-12-02', ['beta']],
      ['q=ALPHA', ['Alpha 100%']],
      ['q=100%25', ['Alpha 100%']],
      ['q=%25', ['Alpha 100%']],
      ['methodologyId=none', ['Alpha 100%', 'beta', 'Gamma']],
      ['outcome=pass', []],
      ['status=open&label=web', ['Gamma']],
    ]
    for (const [filter, expected] of filters) expect(await titles(`${of}&${filter}`), filter).toEqual(expected)
    expect(await titles(`${of}&sort=dueOn&order=asc`)).toEqual(['beta', 'Alpha 100%', 'Gamma'])
    expect(await titles(`${of}&sort=dueOn&order=desc`)).toEqual(['Gamma', 'Alpha 100%', 'beta'])
    expect(await titles(`${of}&sort=priority`)).toEqual(['beta', 'Alpha 100%', 'Gamma'])
    expect(await titles(`${of}&sort=createdAt`)).toEqual(['Gamma', 'beta', 'Alpha 100%'])
    const [beta] = (await owner.get(`${TASKS}?${of}&q=beta`)).body.data
    await owner.patch(`${TASKS}/${beta.id}`, { description: 'changed last' })
    expect((await titles(`${of}&sort=updatedAt`))[0]).toBe('beta')
    expect((await owner.get(`${TASKS}?sort=position`)).status).toBe(400)
    expect((await owner.get(`${TASKS}?engagementId=${unknownId('eng')}`)).status).toBe(404)
    const { body } = await owner.get(`${TASKS}/facets?${of}&by=status,priority,label,assigneeId`)
    expect(body.data).toEqual({
      status: { open: 2, in_progress: 0, blocked: 0, done: 1, cancelled: 0 },
      priority: { none: 0, low: 1, medium: 0, high: 1, urgent: 1 },
      label: { web: 2, 'x y': 1 },
      assigneeId: { none: 1, [member.user.id]: 1, [owner.user.id]: 1 },
    })
  })

  test('"me" is invalid for a key: 400', async () => {
    const key = await app.withKey(['tasks:read'])
    expect((await key.get('/api/v1/tasks?assigneeId=me')).status).toBe(400)
  })

  test('A6: shows nothing of an engagement that the caller does not see', async () => {
    const hidden = await engagement({ access: 'team' })
    const id = await create(hidden, 'Canary task')
    expect(await titles('q=Canary')).toEqual(['Canary task'])
    expect(await titles('q=Canary', member)).toEqual([])
    expect((await member.get(`${TASKS}/${id}`)).status).toBe(404)
    expect((await member.get(`${TASKS}/facets?by=status&q=Canary`)).body.data.status.open).toBe(0)
    expect((await member.get(`${TASKS}/export?format=csv`)).text).not.toContain('Canary')
    expect((await member.post(TASKS, { engagementId: hidden, title: 'x' })).status).toBe(422)
    expect((await member.post(`${TASKS}/bulk-delete`, { ids: [id] })).body.data.deleted).toBe(0)
    expect((await owner.get(`${TASKS}/${id}`)).status).toBe(200)
  })

  test('assigning to a member who does not see the engagement is 422', async () => {
    const hidden = await engagement({ access: 'team' })
    const stranger = await app.createMember('member')
    expect((await owner.post(TASKS, { engagementId: hidden, title: 'x', assigneeId: stranger.id })).status).toBe(422)
    const id = await create(hidden, 'x')
    expect((await owner.patch(`${TASKS}/${id}`, { assigneeId: stranger.id })).status).toBe(422)
    expect((await owner.post(`${TASKS}/bulk-update`, { ids: [id], set: { assigneeId: stranger.id } })).status).toBe(422)
    const admin = await app.createMember('admin')
    expect((await owner.patch(`${TASKS}/${id}`, { assigneeId: admin.id })).status).toBe(200)
  })
})

describe('bulk changes', () => {
  test('change what is selected, by ids or by filter; unchanged tasks are not touched', async () => {
    const engagementId = await engagement()
    const ids = [
      await create(engagementId, 'a', { labels: ['one', 'two'] }),
      await create(engagementId, 'b'),
      await create(engagementId, 'c', { status: 'done' }),
    ]
    const before = (await owner.get(`${TASKS}/${ids[2]}`)).body.data
    const set = {
      status: 'done',
      priority: 'high',
      dueOn: '2026-12-24',
      addLabels: ['new', 'one'],
      removeLabels: ['two'],
    }
    const { body } = await owner.post(`${TASKS}/bulk-update`, { ids: [ids[0], ids[1], unknownId('tsk')], set })
    expect(body.data).toEqual({ updated: 2 })
    const first = (await owner.get(`${TASKS}/${ids[0]}`)).body.data
    expect(first).toMatchObject({ status: 'done', priority: 'high', dueOn: '2026-12-24', labels: ['one', 'new'] })
    expect(first.completedAt).not.toBeNull()
    expect(
      (
        await owner.post(`${TASKS}/bulk-update`, {
          filter: { engagementId, status: ['done'] },
          set: { status: 'done', dueOn: null },
        })
      ).body.data,
    ).toEqual({
      updated: 3,
    })
    expect((await owner.get(`${TASKS}/${ids[2]}`)).body.data).toEqual(before)
    expect((await owner.get(`${TASKS}/${ids[0]}`)).body.data.dueOn).toBeNull()
    const entries = (await owner.get(`/api/web/engagements/${engagementId}/activity?perPage=100`)).body.data
    expect(entries.filter(({ action }: { action: string }) => action === 'tasks.changed').length).toBe(2)
    expect((await owner.post(`${TASKS}/bulk-delete`, { filter: { engagementId, q: 'a' } })).body.data).toEqual({
      deleted: 1,
    })
    expect(await titles(`engagementId=${engagementId}`)).toEqual(['b', 'c'])
  })

  test.each([
    [{ set: {} }],
    [{ ids: [unknownId('tsk')], filter: { engagementId: unknownId('eng') }, set: {} }],
    [{ filter: {}, set: {} }],
  ])('%j answers 422', async (body) => {
    expect((await owner.post(`${TASKS}/bulk-update`, body)).status).toBe(422)
  })

  test('more than twenty labels, and an outcome of a task without a check, are 422 and change nothing', async () => {
    const engagementId = await engagement()
    const id = await create(engagementId, 'a', { labels: ['kept'] })
    const addLabels = Array.from({ length: 20 }, (_, i) => `l${i}`)
    expect((await owner.post(`${TASKS}/bulk-update`, { ids: [id], set: { addLabels } })).status).toBe(422)
    expect(
      (await owner.post(`${TASKS}/bulk-update`, { ids: [id], set: { outcome: 'pass', status: 'done' } })).status,
    ).toBe(422)
    expect((await owner.get(`${TASKS}/${id}`)).body.data).toMatchObject({ labels: ['kept'], status: 'open' })
  })
})

describe('the export', () => {
  test('has the filters of the list; cells that a spreadsheet would execute are neutralised', async () => {
    const engagementId = await engagement()
    await create(engagementId, '=cmd|calc', { labels: ['web'], checklist: [{ text: 'one', done: true }] })
    await create(engagementId, 'plain, "quoted"')
    const csv = await owner.get(`${TASKS}/export?format=csv&engagementId=${engagementId}`)
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(csv.text.split('\r\n')[1]).toContain(",'=cmd|calc,open,none,")
    expect(csv.text).toContain('"plain, ""quoted"""')
    const json = await owner.get(`${TASKS}/export?format=json&engagementId=${engagementId}&label=web`)
    expect(JSON.parse(json.text).data.map(({ title }: { title: string }) => title)).toEqual(['=cmd|calc'])
    expect((await owner.get(`${TASKS}/export?format=csv&engagementId=${unknownId('eng')}`)).status).toBe(404)
    expect((await owner.get(`${TASKS}/export`)).status).toBe(400)
  })

  test('of more tasks than one batch is complete and in order', async () => {
    const engagementId = await engagement()
    const made = Array.from({ length: 60 }, (_, i) => `task ${i}`)
    for (const title of made) await create(engagementId, title)
    const { text } = await owner.get(`${TASKS}/export?format=json&engagementId=${engagementId}`)
    expect(JSON.parse(text).data.map(({ title }: { title: string }) => title)).toEqual(made)
  })
})
