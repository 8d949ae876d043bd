import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

let app: TestApp
let owner: TestClient
let mia: TestClient & { user: { id: string; name: string; email: string } }
let engagementId: string
const WEB = '/api/web'

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  mia = await app.signedIn('member')
  engagementId = (await owner.post(`${WEB}/engagements`, { name: 'Contoso' })).body.data.id
})
afterAll(() => app.close())

const createResult = async (title: string): Promise<string> =>
  (await owner.post(`${WEB}/results`, { engagementId, title, asset: 'a.example.com', severity: 'high' })).body.data.id
const newNotices = async (client: TestClient = mia) => {
  const { body } = await client.get(`${WEB}/notifications?unread=true`)
  await client.post(`${WEB}/notifications/read`, { all: true })
  return body.data as {
    kind: string
    engagementName: string
    result: { title: string } | null
    tasks: number
    excerpt: string | null
  }[]
}

test('the assignee of a result is notified once: when it is assigned, and when a fixed one is opened again', async () => {
  const id = await createResult('SQL injection')
  await owner.patch(`${WEB}/results/${id}`, { assigneeId: mia.user.id })
  expect(await newNotices()).toMatchObject([
    { kind: 'assignment', engagementName: 'Contoso', result: { title: 'SQL injection' }, tasks: 1, excerpt: null },
  ])
  await owner.patch(`${WEB}/results/${id}`, { assigneeId: mia.user.id, notes: 'Seen again.' })
  await owner.patch(`${WEB}/results/${id}`, { status: 'fixed' })
  expect(await newNotices()).toEqual([])
  await owner.patch(`${WEB}/results/${id}`, { status: 'open' })
  expect(await newNotices()).toMatchObject([{ kind: 'reopened', result: { title: 'SQL injection' } }])
  await mia.patch(`${WEB}/results/${id}`, { status: 'fixed' })
  await mia.patch(`${WEB}/results/${id}`, { status: 'confirmed' })
  expect(await newNotices(), 'of their own changes').toEqual([])
  await owner.patch(`${WEB}/results/${id}`, { assigneeId: null })
  expect(await newNotices()).toEqual([])
})

test('many results assigned at once are one notice; an unchanged assignee is not notified again', async () => {
  const ids = [await createResult('One'), await createResult('Two'), await createResult('Three')]
  await owner.post(`${WEB}/results/bulk-update`, { ids, set: { assigneeId: mia.user.id } })
  expect(await newNotices()).toMatchObject([{ kind: 'assignment', tasks: 3 }])
  await owner.post(`${WEB}/results/bulk-update`, { ids, set: { assigneeId: mia.user.id, status: 'fixed' } })
  expect(await newNotices()).toEqual([])
  await owner.post(`${WEB}/results/bulk-update`, { ids, set: { status: 'open' } })
  expect(await newNotices()).toMatchObject([{ kind: 'reopened', tasks: 3 }])
})

test('a member who does not see the engagement is not notified of a result in it', async () => {
  const id = await createResult('Hidden')
  await owner.patch(`${WEB}/engagements/${engagementId}/details`, { access: 'team' })
  await owner.patch(`${WEB}/results/${id}`, { assigneeId: mia.user.id })
  await owner.patch(`${WEB}/engagements/${engagementId}/details`, { access: 'organization' })
  expect(await newNotices()).toEqual([])
})

test('a notice of a comment has the beginning of its text, with mentions as names', async () => {
  const id = await createResult('Commented')
  const text = `@[${mia.user.name}](${mia.user.id}) look: ${'long '.repeat(100)}`
  const { status, text: answer } = await owner.post(`${WEB}/results/${id}/comments`, { body: text })
  expect(status, answer).toBe(201)
  const [notice] = await newNotices()
  expect(notice?.excerpt).toBe(`@${mia.user.name} look: ${'long '.repeat(100)}`.slice(0, 200))
})
