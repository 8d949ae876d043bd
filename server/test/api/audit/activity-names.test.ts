import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await testApp({ workers: false })
})
afterAll(() => app.close())

test('activity shows the current name of its object; a comment has the title of its task', async () => {
  const owner = await app.signedIn('owner')
  const engagementId = (await owner.post('/api/web/engagements', { name: 'Named' })).body.data.id
  const { id } = (await owner.post('/api/web/tasks', { engagementId, title: 'Before' })).body.data
  await owner.patch(`/api/web/tasks/${id}`, { title: 'After' })
  await owner.patch(`/api/web/tasks/${id}`, { status: 'done' })
  await owner.post(`/api/web/tasks/${id}/comments`, { body: 'Look' })
  const named = [
    ['comment.created', 'After'],
    ['task.changed', 'After'],
    ['task.changed', 'After'],
    ['task.created', 'Before'],
  ]
  const namesOf = (body: { data: { action: string; object: { name: string | null } }[] }) =>
    body.data.map(({ action, object }) => [action, object.name])
  expect(namesOf((await owner.get(`/api/web/tasks/${id}/history`)).body)).toEqual(
    expect.arrayContaining(named.slice(1)),
  )
  expect(namesOf((await owner.get(`/api/web/engagements/${engagementId}/activity`)).body)).toEqual([
    ...named,
    ['engagement.created', 'Named'],
  ])
})

test('a task shows titles of linked saved requests and wiki pages only to readers with their scopes', async () => {
  const owner = await app.signedIn('owner')
  const engagementId = (await owner.post('/api/web/engagements', { name: 'Linked' })).body.data.id
  const request = (
    await owner.post('/api/web/api-requests', {
      engagementId,
      name: 'Sign in',
      method: 'GET',
      url: 'https://contoso.example/',
    })
  ).body.data
  const page = (await owner.post('/api/web/wiki-pages', { engagementId, title: 'Accounts', body: '' })).body.data
  const links = [
    { type: 'request', id: request.id },
    { type: 'page', id: page.id },
  ]
  const { data } = (await owner.post('/api/web/tasks', { engagementId, title: 'Linked', links })).body
  expect(data.links.map(({ title }: { title: string }) => title)).toEqual(['Sign in', 'Accounts'])
  await owner.patch(`/api/web/api-requests/${request.id}`, { name: 'Sign in again' })
  const read = async (client: { get: typeof owner.get }, door: string) =>
    (await client.get(`/api/${door}/tasks/${data.id}`)).body.data.links.map(
      ({ title }: { title: string | null }) => title,
    )
  expect(await read(owner, 'web')).toEqual(['Sign in again', 'Accounts'])
  expect(await read(await app.withKey(['tasks:read']), 'v1')).toEqual([null, null])
})

test('A6: history and activity of a task show titles of links only to readers with their scopes', async () => {
  const owner = await app.signedIn('owner')
  const engagementId = (await owner.post('/api/web/engagements', { name: 'Linked later' })).body.data.id
  const page = (await owner.post('/api/web/wiki-pages', { engagementId, title: 'Canary', body: '' })).body.data
  const task = (
    await owner.post('/api/web/tasks', { engagementId, title: 'Linked later', links: [{ type: 'page', id: page.id }] })
  ).body.data
  await owner.patch(`/api/web/tasks/${task.id}`, { links: [] })
  const without = await app.withKey(['organizations:read', 'tasks:read'])
  for (const path of [`/tasks/${task.id}/history`, `/engagements/${engagementId}/activity`]) {
    expect((await owner.get(`/api/web${path}`)).text).toContain('Canary')
    const { text, body } = await without.get(`/api/v1${path}`)
    expect(text).not.toContain('Canary')
    const changed = body.data.find(({ action }: { action: string }) => action === 'task.changed')
    expect(changed.before.links).toEqual([expect.objectContaining({ id: page.id, title: null })])
  }
})

test('activity names the folders, pages and people that a change refers to, for readers with their scopes', async () => {
  const owner = await app.signedIn('owner')
  const engagementId = (await owner.post('/api/web/engagements', { name: 'Moved' })).body.data.id
  const folder = (await owner.post('/api/web/request-folders', { engagementId, name: 'Orders' })).body.data
  const request = (
    await owner.post('/api/web/api-requests', { engagementId, name: 'Read', method: 'GET', url: 'https://a.example/' })
  ).body.data
  await owner.post(`/api/web/api-requests/${request.id}/move`, { folderId: folder.id })
  const task = (await owner.post('/api/web/tasks', { engagementId, title: 'Ask' })).body.data
  await owner.patch(`/api/web/tasks/${task.id}`, { assigneeId: owner.user.id })
  const { data } = (await owner.get(`/api/web/engagements/${engagementId}/activity`)).body
  const of = (wanted: string) => data.find(({ action }: { action: string }) => action === wanted).references
  expect(of('api-request.moved')).toEqual([{ id: folder.id, name: 'Orders' }])
  expect(of('task.changed')).toEqual([{ id: owner.user.id, name: expect.any(String) }])
  const without = await app.withKey(['organizations:read', 'tasks:read'])
  expect((await without.get(`/api/v1/engagements/${engagementId}/activity`)).text).not.toContain('Orders')
})
