import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyTaskTrash } from '../../../src/features/tasks/undo/trash.service.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { unknownId } from '../../support/walks/walk.ts'

let app: TestApp
let owner: TestClient & { user: { id: string } }
let member: TestClient & { user: { id: string } }
const TASKS = '/api/web/tasks'
const DAY_MS = 24 * 60 * 60 * 1000

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  member = await app.signedIn('member')
})
afterAll(() => app.close())

const engagement = async (): Promise<string> =>
  (await owner.post('/api/web/engagements', { name: 'Trash' })).body.data.id

const create = async (engagementId: string, title: string, fields: object = {}) => {
  const response = await owner.post(TASKS, { engagementId, title, ...fields })
  expect(response.status, response.text).toBe(201)
  return response.body.data
}

const list = async (query: string, client: TestClient = owner) => {
  const { status, body, text } = await client.get(`${TASKS}?${query}`)
  expect(status, text).toBe(200)
  return body.data as { id: string; title: string; trashedAt: string | null }[]
}

const titles = async (query: string) => (await list(query)).map(({ title }) => title).toSorted()

describe('the trash of tasks', () => {
  test('a deleted task is in no list, count, export, search, link or inbox, and is restored as it was, with comments and files', async () => {
    const engagementId = await engagement()
    const task = await create(engagementId, 'Zebrafish', {
      labels: ['web'],
      assigneeId: member.user.id,
      checklist: [{ text: 'one' }],
    })
    const other = await create(engagementId, 'Other', { links: [{ type: 'task', id: task.id }] })
    const comment = (await owner.post(`${TASKS}/${task.id}/comments`, { body: 'kept' })).body.data
    await owner.request('POST', `${TASKS}/${task.id}/files?fileName=kept.txt`, { rawBody: 'bytes' })
    const before = (await owner.get(`${TASKS}/${task.id}`)).body.data

    expect((await owner.delete(`${TASKS}/${task.id}`)).status).toBe(200)
    for (const path of ['', '/comments', '/files', '/history'])
      expect((await owner.get(`${TASKS}/${task.id}${path}`)).status, path).toBe(404)
    expect((await owner.patch(`${TASKS}/${task.id}`, { title: 'Changed' })).status).toBe(404)
    expect((await owner.patch(`/api/web/comments/${comment.id}`, { body: 'changed' })).status).toBe(404)
    expect(await titles(`engagementId=${engagementId}`)).toEqual(['Other'])
    expect((await owner.get(`${TASKS}/facets?by=label&engagementId=${engagementId}`)).body.data.label).toEqual({})
    expect((await owner.get(`${TASKS}/export?format=json&engagementId=${engagementId}`)).body.data).toMatchObject([
      { title: 'Other' },
    ])
    expect((await owner.get('/api/web/search?q=zebrafish')).body.data).toEqual([])
    expect((await owner.get(`/api/web/engagements/${engagementId}/overview`)).body.data.tasks.byStatus.open).toBe(1)
    expect((await owner.get(`${TASKS}/${other.id}`)).body.data.links).toEqual([
      { type: 'task', id: task.id, title: 'Zebrafish', deleted: true },
    ])
    expect((await member.get('/api/web/notifications')).body.data).toEqual([])
    expect((await owner.post(`${TASKS}/bulk-update`, { ids: [task.id], set: { priority: 'high' } })).body.data).toEqual(
      { updated: 0 },
    )

    const [trashed] = await list(`trashed=true&engagementId=${engagementId}`)
    expect(trashed).toMatchObject({ id: task.id, title: 'Zebrafish', trashedAt: expect.any(String) })
    expect(
      (await owner.get(`${TASKS}/facets?by=label&trashed=true&engagementId=${engagementId}`)).body.data.label,
    ).toEqual({ web: 1 })
    expect((await owner.post(`${TASKS}/bulk-restore`, { ids: [task.id, unknownId('tsk')] })).body).toEqual({
      data: { restored: 1, skipped: 0 },
    })
    expect((await owner.get(`${TASKS}/${task.id}`)).body.data).toEqual(before)
    expect((await owner.get(`${TASKS}/${task.id}/comments`)).body.data).toHaveLength(1)
    expect((await owner.get(`${TASKS}/${task.id}/files`)).body.data).toHaveLength(1)
    expect((await owner.get('/api/web/search?q=zebrafish')).body.data).toHaveLength(1)
    expect(await list(`trashed=true&engagementId=${engagementId}`)).toEqual([])
    const history = (await owner.get(`${TASKS}/${task.id}/history`)).body.data.map(
      ({ action }: { action: string }) => action,
    )
    expect(history).toEqual(expect.arrayContaining(['task.deleted', 'tasks.restored']))
    expect((await owner.post(`${TASKS}/bulk-restore`, { ids: [task.id] })).body, 'it is there').toEqual({
      data: { restored: 0, skipped: 1 },
    })
  })

  test('a bulk deletion answers the ids that undo it; a filter restores what it finds in the trash only', async () => {
    const engagementId = await engagement()
    for (const title of ['a', 'b', 'c']) await create(engagementId, title, { labels: title === 'c' ? [] : ['x'] })
    const { body } = await owner.post(`${TASKS}/bulk-delete`, {
      filter: { engagementId, label: ['x'] },
      withUndo: true,
    })
    expect(body.data).toEqual({ deleted: 2, ids: [expect.any(String), expect.any(String)] })
    expect(await titles(`engagementId=${engagementId}`)).toEqual(['c'])
    expect((await owner.post(`${TASKS}/bulk-restore`, { filter: { engagementId } })).body.data).toEqual({
      restored: 2,
      skipped: 0,
    })
    expect(await titles(`engagementId=${engagementId}`)).toEqual(['a', 'b', 'c'])
  })

  test('a task whose place in the order was taken comes back last, and the order still works', async () => {
    const engagementId = await engagement()
    const [first, second] = [await create(engagementId, 'first'), await create(engagementId, 'second')]
    await owner.delete(`${TASKS}/${second.id}`)
    const third = await create(engagementId, 'third')
    expect(third.position).toBe(second.position)
    await owner.post(`${TASKS}/bulk-restore`, { ids: [second.id] })
    expect((await list(`engagementId=${engagementId}`)).map(({ title }) => title)).toEqual(['first', 'third', 'second'])
    expect((await owner.post(`${TASKS}/${first.id}/move`, { beforeId: second.id })).status).toBe(200)
    expect((await list(`engagementId=${engagementId}`)).map(({ title }) => title)).toEqual(['third', 'first', 'second'])
  })

  test('a check that was created again since stays in the trash', async () => {
    const engagementId = await engagement()
    await owner.post('/api/web/targets', { engagementId, value: 'www.example.com' })
    const methodologyId = (await owner.post('/api/web/methodologies', { name: 'M', items: [{ key: 'a', title: 'A' }] }))
      .body.data.id
    const expand = () =>
      owner.post(`/api/web/methodologies/${methodologyId}/expand`, { engagementId, targets: { filter: {} } })
    expect((await expand()).body.data).toEqual({ created: 1, existing: 0 })
    const [check] = await list(`engagementId=${engagementId}`)
    await owner.delete(`${TASKS}/${check?.id}`)
    const coverage = async () =>
      (await owner.get(`/api/web/engagements/${engagementId}/coverage?methodologyId=${methodologyId}`)).body.data
    expect((await coverage()).cells).toEqual([])
    expect((await expand()).body.data).toEqual({ created: 1, existing: 0 })
    expect((await owner.post(`${TASKS}/bulk-restore`, { ids: [check?.id] })).body.data).toEqual({
      restored: 0,
      skipped: 1,
    })
    expect((await coverage()).cells).toHaveLength(1)
  })

  test('nothing is restored in an archived engagement, nor beyond the limit', async () => {
    const engagementId = await engagement()
    const { id } = await create(engagementId, 'gone')
    await owner.delete(`${TASKS}/${id}`)
    for (const status of ['completed', 'archived'])
      expect((await owner.patch(`/api/web/engagements/${engagementId}`, { status })).status).toBe(200)
    expect((await owner.post(`${TASKS}/bulk-restore`, { ids: [id] })).status).toBe(409)
    await owner.patch(`/api/web/engagements/${engagementId}`, { status: 'active' })
    expect((await owner.post(`${TASKS}/bulk-restore`, { ids: [id] })).body.data.restored).toBe(1)
  })

  test('after 30 days a task is gone for good, with its files, and the audit log says so', async () => {
    const engagementId = await engagement()
    const { id } = await create(engagementId, 'old')
    await owner.request('POST', `${TASKS}/${id}/files?fileName=old.txt`, { rawBody: 'bytes' })
    await owner.delete(`${TASKS}/${id}`)
    const cleanAfter = (days: number) =>
      emptyTaskTrash({
        ...app.platform,
        clock: { now: () => app.clock.now() + days * DAY_MS, monotonic: () => app.clock.monotonic() },
      })
    await cleanAfter(29.9)
    expect(await list(`trashed=true&engagementId=${engagementId}`)).toHaveLength(1)
    await cleanAfter(30.1)
    expect(await list(`trashed=true&engagementId=${engagementId}`)).toEqual([])
    expect((await owner.post(`${TASKS}/bulk-restore`, { ids: [id] })).body.data).toEqual({ restored: 0, skipped: 0 })
    expect(await app.db.selectFrom('files').select('id').where('owner_id', '=', id).execute()).toEqual([])
    const audited = (await owner.get(`/api/web/audit?action=tasks.purged&perPage=1`)).body.data
    expect(audited).toMatchObject([{ action: 'tasks.purged', before: { tasks: 1 } }])
  })
})

describe('taking a bulk change of tasks back', () => {
  test('each task gets its former values, except those that changed since, which are counted', async () => {
    const engagementId = await engagement()
    const a = await create(engagementId, 'a', {
      status: 'in_progress',
      priority: 'low',
      labels: ['x', 'y'],
      dueOn: '2026-12-01',
    })
    const b = await create(engagementId, 'b', { assigneeId: member.user.id })
    const c = await create(engagementId, 'c')
    const set = { status: 'done', assigneeId: owner.user.id, dueOn: null, addLabels: ['z'], removeLabels: ['x'] }
    const { body } = await owner.post(`${TASKS}/bulk-update`, { filter: { engagementId }, set, withUndo: true })
    expect(body.data.undo).toHaveLength(3)
    await owner.patch(`${TASKS}/${c.id}`, { title: 'c, changed since' })
    const reverted = await owner.post(`${TASKS}/bulk-revert`, { items: body.data.undo })
    expect(reverted.body, reverted.text).toEqual({ data: { updated: 2, skipped: 1 } })
    for (const before of [a, b]) {
      const { updatedAt: _, ...task } = (await owner.get(`${TASKS}/${before.id}`)).body.data
      const { updatedAt: __, ...former } = before
      expect(task).toEqual(former)
    }
    expect((await owner.get(`${TASKS}/${c.id}`)).body.data).toMatchObject({ status: 'done', labels: ['z'] })
    expect((await owner.post(`${TASKS}/bulk-revert`, { items: body.data.undo })).body).toEqual({
      data: { updated: 0, skipped: 3 },
    })
    const history = (await owner.get(`${TASKS}/${a.id}/history`)).body.data.map(
      ({ action }: { action: string }) => action,
    )
    expect(history).toContain('tasks.reverted')
  })

  test('an assignee who lost access is not assigned again, a row may be named once, and hidden tasks are skipped', async () => {
    const engagementId = await engagement()
    const task = await create(engagementId, 'assigned', { assigneeId: member.user.id })
    const set = { assigneeId: null }
    const { undo } = (await owner.post(`${TASKS}/bulk-update`, { ids: [task.id], set, withUndo: true })).body.data
    await owner.patch(`/api/web/engagements/${engagementId}/details`, { access: 'team' })
    expect((await owner.post(`${TASKS}/bulk-revert`, { items: undo })).body.data).toEqual({ updated: 0, skipped: 1 })
    expect((await owner.get(`${TASKS}/${task.id}`)).body.data.assignee).toBeNull()
    expect((await member.post(`${TASKS}/bulk-revert`, { items: undo })).body.data, 'hidden').toEqual({
      updated: 0,
      skipped: 0,
    })
    expect((await owner.post(`${TASKS}/bulk-revert`, { items: [...undo, ...undo] })).status).toBe(422)
    const withOutcome = [{ ...undo[0], set: { outcome: 'pass' } }]
    expect((await owner.post(`${TASKS}/bulk-revert`, { items: withOutcome })).status).toBe(422)
  })
})
