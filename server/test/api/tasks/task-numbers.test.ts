import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

let app: TestApp
let owner: TestClient & { user: { id: string } }

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

const engagement = async (name: string): Promise<string> =>
  (await owner.post('/api/web/engagements', { name })).body.data.id
const create = async (engagementId: string, title: string) =>
  (await owner.post('/api/web/tasks', { engagementId, title })).body.data
const shortIds = async (query: string) =>
  (await owner.get(`/api/web/tasks?${query}`)).body.data.map(({ shortId }: { shortId: string }) => shortId)

test('tasks are numbered within their engagement; a number is never used again, not even after a deletion', async () => {
  const [first, second] = [await engagement('Mallory Finance'), await engagement('Other Work')]
  expect((await create(first, 'a')).shortId).toBe('MF-1')
  expect((await create(second, 'a')).shortId).toBe('OW-1')
  const last = await create(first, 'b')
  expect([last.number, last.shortId]).toEqual([2, 'MF-2'])
  await owner.delete(`/api/web/tasks/${last.id}`)
  expect((await create(first, 'c')).shortId).toBe('MF-3')
  await owner.post('/api/web/tasks/bulk-restore', { ids: [last.id] })
  expect((await shortIds(`engagementId=${first}&sort=createdAt&order=asc`)).toSorted()).toEqual([
    'MF-1',
    'MF-2',
    'MF-3',
  ])
})

test('twenty tasks that are created at once, and those of a methodology and of a clone, get different numbers', async () => {
  const id = await engagement('At Once')
  await Promise.all(Array.from({ length: 20 }, (_, index) => create(id, `task ${index}`)))
  const methodologyId = (
    await owner.post('/api/web/methodologies', {
      name: 'M',
      items: [
        { key: 'a', title: 'A' },
        { key: 'b', title: 'B' },
      ],
    })
  ).body.data.id
  await owner.post(`/api/web/methodologies/${methodologyId}/expand`, { engagementId: id, targets: { filter: {} } })
  const numbersOf = async (of: string) =>
    (await owner.get(`/api/web/tasks?engagementId=${of}&perPage=100`)).body.data
      .map(({ number }: { number: number }) => number)
      .toSorted((a: number, b: number) => a - b)
  expect(await numbersOf(id)).toEqual(Array.from({ length: 22 }, (_, index) => index + 1))
  const clone = await owner.post(`/api/web/engagements/${id}/clone`, { name: 'Retest', include: ['tasks', 'details'] })
  expect(await numbersOf(clone.body.data.id)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  expect((await create(clone.body.data.id, 'next')).shortId).toBe('RET-21')
})

test('the prefix is made from the name, can be changed, and search and the list find a task by its short id', async () => {
  const id = await engagement('Zoo')
  const details = async () => (await owner.get(`/api/web/engagements/${id}/details`)).body.data
  expect((await details()).prefix).toBe('ZOO')
  const { id: taskId } = await create(id, 'Feed the animals')
  for (const prefix of ['', 'zoo', '1A', 'A-B', 'ABCDEFGHIJK']) {
    expect((await owner.patch(`/api/web/engagements/${id}/details`, { prefix })).status, prefix).toBe(422)
  }
  expect((await owner.patch(`/api/web/engagements/${id}/details`, { prefix: 'QX7' })).body.data.prefix).toBe('QX7')
  expect((await owner.get(`/api/web/tasks/${taskId}`)).body.data.shortId).toBe('QX7-1')
  for (const q of ['QX7-1', 'qx7-1']) {
    const { data } = (await owner.get(`/api/web/search?q=${q}`)).body
    expect(data[0], q).toMatchObject({ type: 'task', id: taskId, title: 'QX7-1 Feed the animals' })
    expect(await shortIds(`q=${q}`)).toEqual(['QX7-1'])
  }
  expect((await owner.get('/api/web/search?q=QX7-2')).body.data).toEqual([])
  const outsider = await app.signedIn('owner', await app.createOrganization())
  expect((await outsider.get('/api/web/search?q=QX7-1')).body.data).toEqual([])
})
