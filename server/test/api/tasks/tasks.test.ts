import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { unknownId } from '../../support/walks/walk.ts'

let app: TestApp
let key: TestClient
let owner: TestClient & { user: { id: string; name: string } }
let engagementId: string
const TASKS = '/api/v1/tasks'
const SCOPES = ['tasks:read', 'tasks:write', 'organizations:read', 'organizations:write'] as const

const FIELDS =
  'id engagementId number shortId title description status priority assignee dueOn labels position checklist links check commentCount fields createdBy completedAt createdAt updatedAt trashedAt'.split(
    ' ',
  )

beforeAll(async () => {
  app = await testApp({ workers: false })
  key = await app.withKey(SCOPES)
  owner = await app.signedIn('owner')
  engagementId = await engagement()
})
afterAll(() => app.close())

const engagement = async (details?: object): Promise<string> =>
  (await owner.post('/api/web/engagements', { name: 'Perimeter', ...(details && { details }) })).body.data.id

const create = async (fields: object = {}, client = key, within = engagementId) => {
  const response = await client.post(client === key ? TASKS : '/api/web/tasks', {
    engagementId: within,
    title: 'Look at it',
    ...fields,
  })
  expect(response.status, response.text).toBe(201)
  return response.body.data
}

const archived = async () => {
  const id = await engagement()
  const task = await create({ checklist: [{ text: 'one' }] }, key, id)
  const comment = (await key.post(`${TASKS}/${task.id}/comments`, { body: 'before' })).body.data
  const file = (await key.request('POST', `${TASKS}/${task.id}/files?fileName=x`, { rawBody: 'x' })).body.data
  for (const status of ['completed', 'archived']) await owner.patch(`/api/web/engagements/${id}`, { status })
  return { ...task, comment, file }
}

describe('POST task', () => {
  test('answers 201 with the whole task, and defaults for omitted fields', async () => {
    const task = await create({ title: '  Look at it  ' })
    expect(Object.keys(task)).toEqual(FIELDS)
    expect(task).toMatchObject({
      title: 'Look at it',
      description: '',
      status: 'open',
      priority: 'none',
      assignee: null,
      dueOn: null,
      labels: [],
      checklist: [],
    })
    expect(task).toMatchObject({
      links: [],
      check: null,
      commentCount: 0,
      createdBy: null,
      completedAt: null,
      updatedAt: task.createdAt,
    })
    expect((await key.get(`${TASKS}/${task.id}`)).body.data).toEqual(task)
  })

  test('accepts every settable field, and names who made it', async () => {
    const member = await app.createMember('member')
    const other = await create({ title: 'Another' })
    const task = await create(
      {
        description: 'A \u001b[31mterminal\u001b[0m',
        status: 'done',
        priority: 'urgent',
        assigneeId: member.id,
        dueOn: '2026-12-04',
        labels: ['web', 'Web', 'web'],
        checklist: [{ text: 'one' }, { text: 'two', done: true, id: 'mine' }],
        links: [
          { type: 'task', id: other.id },
          { type: 'task', id: other.id },
        ],
      },
      owner,
    )
    expect(task).toMatchObject({
      description: 'A \u001b[31mterminal\u001b[0m',
      status: 'done',
      priority: 'urgent',
      assignee: { id: member.id, name: member.name },
      dueOn: '2026-12-04',
      labels: ['web', 'Web'],
      checklist: [
        { text: 'one', done: false },
        { text: 'two', done: true },
      ],
      links: [{ type: 'task', id: other.id, title: 'Another', deleted: false }],
      createdBy: { id: owner.user.id, name: owner.user.name },
      completedAt: task.createdAt,
    })
    for (const item of task.checklist) expect(item.id).toMatch(/^chk_/)
  })

  test.each([
    [{ title: '' }],
    [{ title: 'x'.repeat(201) }],
    [{ description: 'x'.repeat(50_001) }],
    [{ status: 'closed' }],
    [{ priority: 2 }],
    [{ dueOn: '2026-02-30' }],
    [{ labels: ['a,b'] }],
    [{ labels: Array.from({ length: 21 }, (_, i) => `l${i}`) }],
    [{ checklist: Array.from({ length: 101 }, () => ({ text: 'x' })) }],
    [
      {
        checklist: [
          { text: 'a', id: 'x' },
          { text: 'b', id: 'x' },
        ],
      },
    ],
    [{ assigneeId: unknownId('usr') }],
    [{ links: [{ type: 'task', id: unknownId('tsk') }] }],
    [{ links: [{ type: 'target', id: unknownId('tgt') }] }],
    [{ engagementId: unknownId('eng') }],
    [{ outcome: 'pass' }],
    [{ position: 'a0' }],
    [{ unknown: 1 }],
  ])('%j answers 422', async (fields) => {
    const { status } = await key.post(TASKS, { engagementId, title: 'x', ...fields })
    expect(status).toBe(422)
  })

  test('K: in an archived engagement every write is 409, with the reason', async () => {
    const { id, engagementId: closed, checklist, comment, file } = await archived()
    const methodology = (await key.post('/api/v1/methodologies', { name: 'x', items: [{ key: 'a', title: 'A' }] })).body
      .data
    const writes = [
      key.post(TASKS, { engagementId: closed, title: 'x' }),
      key.patch(`${TASKS}/${id}`, { title: 'y' }),
      key.post(`${TASKS}/${id}/move`, { status: 'done' }),
      key.delete(`${TASKS}/${id}`),
      key.post(`${TASKS}/${id}/comments`, { body: 'x' }),
      key.post(`${TASKS}/bulk-update`, { ids: [id, (await create()).id], set: { priority: 'high' } }),
      key.post(`${TASKS}/bulk-delete`, { filter: { engagementId: closed } }),
      key.request('POST', `${TASKS}/${id}/files?fileName=x`, { rawBody: 'x' }),
      key.delete(`${TASKS}/${id}/files/${file.id}`),
      key.patch(`${TASKS}/${id}/checklist/${checklist[0].id}`, { done: true }),
      key.patch(`/api/v1/comments/${comment.id}`, { body: 'after' }),
      key.delete(`/api/v1/comments/${comment.id}`),
      key.post(`/api/v1/methodologies/${methodology.id}/expand`, { engagementId: closed, targets: { filter: {} } }),
    ]
    for (const { status, body } of await Promise.all(writes)) {
      expect([status, body.error.message]).toEqual([409, 'This engagement is archived: reopen it first.'])
    }
  })
})

describe('PATCH task', () => {
  test('every status follows every other; done and cancelled set their time, the others clear it', async () => {
    const { id } = await create()
    const statuses = ['open', 'in_progress', 'blocked', 'done', 'cancelled']
    for (const from of statuses) {
      for (const to of statuses) {
        await key.patch(`${TASKS}/${id}`, { status: from })
        const { body } = await key.patch(`${TASKS}/${id}`, { status: to })
        expect([body.data.status, body.data.completedAt !== null]).toEqual([to, to === 'done' || to === 'cancelled'])
      }
    }
  })

  test('a stale change is 409; unchanged values change nothing; updatedAt grows with each change', async () => {
    const task = await create()
    const same = await key.patch(`${TASKS}/${task.id}`, {
      title: task.title,
      labels: [],
      checklist: [],
      links: [],
      ifUpdatedAt: task.updatedAt,
    })
    expect(same.body.data).toEqual(task)
    app.clock.freeze()
    const first = (await key.patch(`${TASKS}/${task.id}`, { title: 'First', ifUpdatedAt: task.updatedAt })).body.data
    const second = (await key.patch(`${TASKS}/${task.id}`, { title: 'Second' })).body.data
    expect(first.updatedAt > task.updatedAt).toBe(true)
    expect(second.updatedAt > first.updatedAt).toBe(true)
    expect((await key.patch(`${TASKS}/${task.id}`, { title: 'Stale', ifUpdatedAt: first.updatedAt })).status).toBe(409)
  })

  test('a checklist is replaced completely: known ids stay, others get one, a repeated id is 422', async () => {
    const task = await create({ checklist: [{ text: 'a' }, { text: 'b', done: true }] })
    const [a, b] = task.checklist
    const { body } = await key.patch(`${TASKS}/${task.id}`, {
      checklist: [{ id: b.id, text: 'b2' }, { id: 'chk_unknown', text: 'new' }, { text: 'c' }],
    })
    expect(body.data.checklist[0]).toEqual({ id: b.id, text: 'b2', done: true })
    expect(body.data.checklist.map(({ text }: { text: string }) => text)).toEqual(['b2', 'new', 'c'])
    expect(new Set(body.data.checklist.map(({ id }: { id: string }) => id)).size).toBe(3)
    expect(body.data.checklist.some(({ id }: { id: string }) => id === a.id || id === 'chk_unknown')).toBe(false)
    expect(
      (
        await key.patch(`${TASKS}/${task.id}`, {
          checklist: [
            { id: b.id, text: 'x' },
            { id: b.id, text: 'y' },
          ],
        })
      ).status,
    ).toBe(422)
  })

  test('of twenty items ticked at once none is lost', async () => {
    const task = await create({ checklist: Array.from({ length: 20 }, (_, i) => ({ text: `item ${i}` })) })
    const ticks = task.checklist.map(({ id }: { id: string }) =>
      key.patch(`${TASKS}/${task.id}/checklist/${id}`, { done: true }),
    )
    for (const { status } of await Promise.all(ticks)) expect(status).toBe(200)
    const { body } = await key.get(`${TASKS}/${task.id}`)
    expect(body.data.checklist.every(({ done }: { done: boolean }) => done)).toBe(true)
    const reworded = await key.patch(`${TASKS}/${task.id}/checklist/${task.checklist[3].id}`, { text: 'reworded' })
    expect(reworded.body.data.checklist[3]).toEqual({ id: task.checklist[3].id, text: 'reworded', done: true })
    expect((await key.patch(`${TASKS}/${task.id}/checklist/${unknownId('chk')}`, { done: true })).status).toBe(404)
    expect((await key.patch(`${TASKS}/${task.id}/checklist/${task.checklist[0].id}`, {})).status).toBe(422)
  })

  test('the outcome of a task without a check is 422', async () => {
    const { id } = await create()
    expect((await key.patch(`${TASKS}/${id}`, { outcome: 'pass' })).status).toBe(422)
  })
})

describe('links', () => {
  test('show the current title; a deleted object stays as its last title', async () => {
    const other = await create({ title: 'Before' })
    const { id } = await create({ links: [{ type: 'task', id: other.id }] })
    await key.patch(`${TASKS}/${other.id}`, { title: 'After' })
    expect((await key.get(`${TASKS}/${id}`)).body.data.links).toEqual([
      { type: 'task', id: other.id, title: 'After', deleted: false },
    ])
    await key.delete(`${TASKS}/${other.id}`)
    const gone = (await key.get(`${TASKS}/${id}`)).body.data.links
    expect(gone).toEqual([{ type: 'task', id: other.id, title: 'After', deleted: true }])
    const kept = await key.patch(`${TASKS}/${id}`, {
      title: 'x',
      links: gone.map(({ type, id: to }: { type: string; id: string }) => ({ type, id: to })),
    })
    expect(kept.body.data.links).toEqual(gone)
  })

  test('to another engagement are 422', async () => {
    const other = await create({}, key, await engagement())
    expect((await key.post(TASKS, { engagementId, title: 'x', links: [{ type: 'task', id: other.id }] })).status).toBe(
      422,
    )
  })

  test('to a target show its value to readers of targets; to others the link has no title', async () => {
    const all = await app.withKey([...SCOPES, 'targets:read', 'targets:write'])
    const target = (await all.post('/api/v1/targets', { engagementId, value: 'Shop.example' })).body.data
    const made = await all.post(TASKS, { engagementId, title: 'x', links: [{ type: 'target', id: target.id }] })
    expect(made.body.data.links).toEqual([{ type: 'target', id: target.id, title: 'Shop.example', deleted: false }])
    const path = `${TASKS}/${made.body.data.id}`
    expect((await key.get(path)).body.data.links).toEqual([
      { type: 'target', id: target.id, title: null, deleted: false },
    ])
    expect(
      (await key.post(TASKS, { engagementId, title: 'x', links: [{ type: 'target', id: target.id }] })).status,
    ).toBe(422)
    expect(
      (await all.get(`${TASKS}?engagementId=${engagementId}&targetId=${target.id}`)).body.data.map(
        (task: { id: string }) => task.id,
      ),
    ).toEqual([made.body.data.id])
    await all.delete(`/api/v1/targets/${target.id}`)
    expect((await all.get(path)).body.data.links).toEqual([
      { type: 'target', id: target.id, title: 'Shop.example', deleted: true },
    ])
    expect((await key.get(path)).body.data.links).toEqual([
      { type: 'target', id: target.id, title: null, deleted: true },
    ])
  })

  test('to a page of the organization are accepted, and one in the trash is shown as gone', async () => {
    const page = (await owner.post('/api/web/wiki-pages', { title: 'Handbook', body: '' })).body.data
    const { id } = (
      await owner.post('/api/web/tasks', { engagementId, title: 'x', links: [{ type: 'page', id: page.id }] })
    ).body.data
    const shown = async () => (await owner.get(`/api/web/tasks/${id}`)).body.data.links
    expect(await shown()).toEqual([{ type: 'page', id: page.id, title: 'Handbook', deleted: false }])
    await owner.patch(`/api/web/wiki-pages/${page.id}`, { title: 'Guide' })
    await owner.delete(`/api/web/wiki-pages/${page.id}`)
    expect(await shown()).toEqual([{ type: 'page', id: page.id, title: 'Guide', deleted: true }])
    await owner.post(`/api/web/wiki-pages/${page.id}/restore`)
    expect(await shown()).toEqual([{ type: 'page', id: page.id, title: 'Guide', deleted: false }])
  })

  test('to every deletable kind of object keep its last title, however it is deleted', async () => {
    const post = async (path: string, body: object) => (await owner.post(`/api/web/${path}`, body)).body.data
    const target = await post('targets', { engagementId, value: 'last.example' })
    const result = await post('results', { engagementId, asset: 'last.example', title: 'First', severity: 'low' })
    const request = await post('api-requests', {
      engagementId,
      name: 'First',
      method: 'GET',
      url: 'https://last.example',
    })
    const tasks = [
      await post('tasks', { engagementId, title: 'First' }),
      await post('tasks', { engagementId, title: 'First' }),
    ]
    const ids = [result, ...tasks, request].map(({ id }) => id)
    const links = [
      { type: 'target', id: target.id },
      { type: 'result', id: result.id },
      ...tasks.map(({ id }) => ({ type: 'task', id })),
      { type: 'request', id: request.id },
    ]
    const linking = await post('tasks', { engagementId, title: 'Links', links })
    const changes = [
      await owner.patch(`/api/web/results/${result.id}`, { title: 'Last' }),
      ...(await Promise.all(tasks.map(({ id }) => owner.patch(`/api/web/tasks/${id}`, { title: 'Last' })))),
      await owner.patch(`/api/web/api-requests/${request.id}`, { name: 'Last' }),
    ]
    const deletions = [
      await owner.delete(`/api/web/targets/${target.id}`),
      await owner.delete(`/api/web/results/${result.id}`),
      await owner.post('/api/web/tasks/bulk-delete', { ids: tasks.map(({ id }) => id) }),
      await owner.delete(`/api/web/api-requests/${request.id}`),
    ]
    expect([...changes, ...deletions].map(({ status }) => status)).toEqual(Array(8).fill(200))
    const shown = (await owner.get(`/api/web/tasks/${linking.id}`)).body.data.links
    expect(shown.map(({ title, deleted }: { title: string; deleted: boolean }) => [title, deleted])).toEqual([
      ['last.example', true],
      ...ids.map(() => ['Last', true]),
    ])
  })

  test('to results and scans show their titles', async () => {
    const result = (
      await owner.post('/api/web/results', {
        engagementId,
        title: 'Injection',
        asset: 'shop.example',
        severity: 'high',
      })
    ).body.data
    const target = (await owner.post('/api/web/targets', { engagementId, value: '127.0.0.1' })).body.data
    const wanted = {
      engagementId,
      scanners: [{ id: 'ports', options: { ports: '9' } }],
      targets: { ids: [target.id] },
      override: { reason: 'Agreed' },
    }
    const scan = (await owner.post('/api/web/scans', wanted)).body.data
    const links = [
      { type: 'result', id: result.id },
      { type: 'scan', id: scan.id },
    ]
    const { body, status, text } = await owner.post('/api/web/tasks', { engagementId, title: 'x', links })
    expect(status, text).toBe(201)
    expect(body.data.links.map(({ title }: { title: string }) => title)).toEqual(['Injection', scan.name])
  })
})

test('a clone copies tasks, open and in their order; the overview counts them by status', async () => {
  const from = await engagement()
  for (const [title, status] of [
    ['one', 'done'],
    ['two', 'blocked'],
    ['three', 'open'],
  ]) {
    await create(
      { title, status, labels: ['kept'], checklist: [{ text: 'step', done: true }], assigneeId: owner.user.id },
      owner,
      from,
    )
  }
  const overview = (await owner.get(`/api/web/engagements/${from}/overview`)).body.data
  expect(overview.tasks.byStatus).toEqual({ open: 1, in_progress: 0, blocked: 1, done: 1, cancelled: 0 })
  const { id } = (await owner.post(`/api/web/engagements/${from}/clone`, { name: 'Retest', include: ['tasks'] })).body
    .data
  const copies = (await owner.get(`/api/web/tasks?engagementId=${id}`)).body.data
  expect(copies.map(({ title }: { title: string }) => title)).toEqual(['one', 'two', 'three'])
  expect(copies[0]).toMatchObject({
    status: 'open',
    labels: ['kept'],
    assignee: null,
    completedAt: null,
    checklist: [{ text: 'step', done: false }],
  })
})
