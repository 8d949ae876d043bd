import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

let app: TestApp
let owner: TestClient & { user: { id: string; name: string } }
let member: TestClient & { user: { id: string; name: string } }
const TASKS = '/api/web/tasks'

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  member = await app.signedIn('member')
})
afterAll(() => app.close())

const engagement = async (): Promise<string> =>
  (await owner.post('/api/web/engagements', { name: 'Undone' })).body.data.id

const create = async (engagementId: string, title: string, fields: object = {}) => {
  const response = await owner.post(TASKS, { engagementId, title, ...fields })
  expect(response.status, response.text).toBe(201)
  return response.body.data
}

const revert = async (items: object[], more: object = {}) => owner.post(`${TASKS}/bulk-revert`, { items, ...more })

describe('undoing a bulk change of tasks', () => {
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
    expect((await revert(body.data.undo)).body).toEqual({ data: { updated: 2, skipped: 1 } })
    for (const before of [a, b]) {
      const { updatedAt: _, ...task } = (await owner.get(`${TASKS}/${before.id}`)).body.data
      const { updatedAt: __, ...former } = before
      expect(task).toEqual(former)
    }
    expect((await owner.get(`${TASKS}/${c.id}`)).body.data).toMatchObject({ status: 'done', labels: ['z'] })
    expect((await revert(body.data.undo)).body).toEqual({ data: { updated: 0, skipped: 3 } })
    const history = (await owner.get(`${TASKS}/${a.id}/history`)).body.data.map(
      ({ action }: { action: string }) => action,
    )
    expect(history).toContain('tasks.reverted')
  })

  test('with `withUndo` a revert can be reverted, so that several changes are undone one after another', async () => {
    const engagementId = await engagement()
    const { id } = await create(engagementId, 'twice', { priority: 'low' })
    const setTo = async (priority: string) =>
      (await owner.post(`${TASKS}/bulk-update`, { ids: [id], set: { priority }, withUndo: true })).body.data.undo[0]
    const [first, second] = [await setTo('medium'), await setTo('high')]
    const undone = (await revert([second], { withUndo: true })).body.data
    expect(undone).toMatchObject({ updated: 1, skipped: 0, undo: [{ id, set: { priority: 'high' } }] })
    const [{ ifUpdatedAt }] = undone.undo
    expect((await revert([{ ...first, ifUpdatedAt }])).body.data).toEqual({ updated: 1, skipped: 0 })
    expect((await owner.get(`${TASKS}/${id}`)).body.data.priority).toBe('low')
  })

  test('an assignee who lost access is not assigned again, a task is named once, and hidden tasks are skipped', async () => {
    const engagementId = await engagement()
    const task = await create(engagementId, 'assigned', { assigneeId: member.user.id })
    const { undo } = (
      await owner.post(`${TASKS}/bulk-update`, { ids: [task.id], set: { assigneeId: null }, withUndo: true })
    ).body.data
    await owner.patch(`/api/web/engagements/${engagementId}/details`, { access: 'team' })
    expect((await revert(undo)).body.data).toEqual({ updated: 0, skipped: 1 })
    expect((await owner.get(`${TASKS}/${task.id}`)).body.data.assignee).toBeNull()
    expect((await member.post(`${TASKS}/bulk-revert`, { items: undo })).body.data, 'hidden').toEqual({
      updated: 0,
      skipped: 0,
    })
    expect((await revert([...undo, ...undo])).status).toBe(422)
    expect((await revert([{ ...undo[0], set: { outcome: 'pass' } }])).status).toBe(422)
  })
})

describe('undoing the tasks of a methodology', () => {
  const prepare = async () => {
    const engagementId = await engagement()
    await owner.post('/api/web/targets/bulk', { engagementId, text: 'a.example\nb.example' })
    const items = [
      { key: 'A', title: 'Names', group: 'One', appliesTo: ['domain'] },
      { key: 'B', title: 'Report', group: 'Two' },
    ]
    const { id } = (await owner.post('/api/web/methodologies', { name: 'Ours', items })).body.data
    const expand = (more: object = {}) =>
      owner.post(`/api/web/methodologies/${id}/expand`, { engagementId, targets: { filter: {} }, ...more })
    return { engagementId, expand }
  }

  test('a dry run counts the tasks that would be created, and creates none', async () => {
    const { engagementId, expand } = await prepare()
    expect((await expand({ dryRun: true })).body.data).toEqual({ created: 3, existing: 0 })
    expect((await expand({ dryRun: true, itemKeys: ['A'] })).body.data).toEqual({ created: 2, existing: 0 })
    expect((await owner.get(`${TASKS}?engagementId=${engagementId}`)).body.meta.total).toBe(0)
    expect((await expand({ itemKeys: ['B'] })).body.data).toEqual({ created: 1, existing: 0 })
    expect((await expand({ dryRun: true })).body.data).toEqual({ created: 2, existing: 1 })
  })

  test('deletes the created tasks, except those that someone changed, commented on or attached a file to', async () => {
    const { engagementId, expand } = await prepare()
    await create(engagementId, 'By hand')
    const items = await expand({ withUndo: true })
    const { ids } = items.body.data
    expect(ids).toHaveLength(3)
    await owner.patch(`${TASKS}/${ids[0]}`, { outcome: 'fail' })
    await owner.post(`${TASKS}/${ids[1]}/comments`, { body: 'looks odd' })
    expect((await owner.post(`${TASKS}/bulk-delete`, { ids, ifUnchanged: true })).body.data).toEqual({ deleted: 1 })
    await owner.request('POST', `${TASKS}/${ids[1]}/files?fileName=x`, { rawBody: 'x' })
    expect((await owner.post(`${TASKS}/bulk-delete`, { ids, ifUnchanged: true })).body.data).toEqual({ deleted: 0 })
    expect((await owner.get(`${TASKS}?engagementId=${engagementId}`)).body.meta.total).toBe(3)
  })
})
