import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { unknownId } from '../../support/walks/walk.ts'

const SECRET = 'a secret of the code host'
const REPOSITORY = 'northwind/portal'

let app: TestApp
let owner: TestClient
let engagementId: string
let repositoryId: string
let serial = 0

beforeAll(async () => {
  app = await testApp({ env: { CODE_HOSTING_WEBHOOK_SECRET: SECRET, TASK_LIMIT: '20' } })
  owner = await app.signedIn('owner')
  engagementId = await engagement()
  const connected = await owner.post('/api/web/code-hosting/repositories', { fullName: REPOSITORY, engagementId })
  expect(connected.body.data).toMatchObject({ fullName: REPOSITORY, engagementId })
  repositoryId = connected.body.data.id
  const admin = await app.signIn(await app.createUser('Instance Administrator', { isInstanceAdmin: true }))
  await admin.post(`/api/web/instance/code-hosting/repositories/${repositoryId}/confirm`)
})
afterAll(() => app.close())

const engagement = async (): Promise<string> =>
  (await owner.post('/api/web/engagements', { name: 'Issues' })).body.data.id

const issueOf = (id: number, updatedAt: string, fields: object = {}) => ({
  id,
  title: `Issue ${id}`,
  body: 'It breaks.',
  html_url: `https://code.example/${REPOSITORY}/issues/${id}`,
  labels: [{ name: 'bug' }, { name: 'area, login' }],
  updated_at: updatedAt,
  ...fields,
})

/** One delivery and all its effects. */
const deliver = async (action: string, issue: object) => {
  const body = JSON.stringify({ action, issue, repository: { full_name: REPOSITORY }, nonce: serial })
  await post(body)
  await settled()
  return body
}

const post = async (body: string) => {
  const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`
  const headers = {
    'content-type': 'application/json',
    'x-github-event': 'issues',
    'x-github-delivery': `delivery-${++serial}`,
    'x-hub-signature-256': signature,
  }
  expect((await app.anonymous.request('POST', '/api/code-hosting/webhook', { rawBody: body, headers })).status).toBe(
    200,
  )
}

/** Waits until no job of this kind is left. */
const settled = () =>
  eventually(async () => {
    const { rows } = await app.db.executeQuery<{ open: number }>({
      sql: `select count(*) as open from pgboss.job where name = 'issue-delivered' and state in ('created', 'retry', 'active')`,
      parameters: [],
    } as never)
    expect(Number(rows[0]?.open)).toBe(0)
  })

const tasksOf = async (id: string = engagementId) =>
  (await owner.get(`/api/web/tasks?engagementId=${id}&sort=createdAt&order=asc&perPage=100`)).body.data
const taskOf = async (issueId: number) =>
  (await tasksOf()).filter(({ title }: { title: string }) => title === `Issue ${issueId}`)

describe('an issue of a connected repository', () => {
  test('becomes a task with its labels and its address; closing and reopening follow', async () => {
    await deliver('opened', issueOf(1, '2026-11-21T08:00:00Z'))
    const [task] = await taskOf(1)
    expect(task).toMatchObject({ status: 'open', labels: ['bug', 'area  login'], createdBy: null })
    expect(task.description).toBe(`It breaks.\n\nhttps://code.example/${REPOSITORY}/issues/1`)
    await deliver('closed', issueOf(1, '2026-11-21T09:00:00Z', { state_reason: 'completed' }))
    expect((await taskOf(1))[0]).toMatchObject({ status: 'done' })
    await deliver('reopened', issueOf(1, '2026-11-21T10:00:00Z'))
    expect((await taskOf(1))[0]).toMatchObject({ status: 'open', completedAt: null })
    await deliver('closed', issueOf(1, '2026-11-21T11:00:00Z', { state_reason: 'not_planned' }))
    expect((await taskOf(1)).map(({ status }: { status: string }) => status)).toEqual(['cancelled'])
  })

  test('makes one task, whatever is delivered twice', async () => {
    const body = await deliver('opened', issueOf(2, '2026-11-21T08:00:00Z'))
    await post(body)
    await deliver('opened', issueOf(2, '2026-11-21T08:00:00Z'))
    await Promise.all([5, 6, 7].map((n) => deliver('opened', issueOf(2, `2026-11-21T08:00:0${n}Z`))))
    expect((await taskOf(2)).length).toBe(1)
  })

  test('whose closing arrives first is closed when its opening arrives late; a late event changes nothing', async () => {
    await deliver('closed', issueOf(3, '2026-11-21T09:00:00Z'))
    expect(await taskOf(3)).toEqual([])
    await deliver('opened', issueOf(3, '2026-11-21T08:00:00Z'))
    expect((await taskOf(3))[0]).toMatchObject({ status: 'done' })
    await deliver('reopened', issueOf(3, '2026-11-21T08:30:00Z'))
    expect((await taskOf(3))[0]).toMatchObject({ status: 'done' })
  })

  test('that was opened before the connection makes no task when it is closed; a deleted task is not made again', async () => {
    await deliver('closed', issueOf(4, '2026-11-21T09:00:00Z'))
    await deliver('reopened', issueOf(4, '2026-11-21T10:00:00Z'))
    expect(await taskOf(4)).toEqual([])
    await deliver('opened', issueOf(5, '2026-11-21T08:00:00Z'))
    const [{ id }] = await taskOf(5)
    await owner.delete(`/api/web/tasks/${id}`)
    await deliver('closed', issueOf(5, '2026-11-21T09:00:00Z'))
    await deliver('opened', issueOf(5, '2026-11-21T08:00:00Z'))
    expect(await taskOf(5)).toEqual([])
  })

  test('with a hostile text becomes a task that is safe to display', async () => {
    const title = `\u202egnp.exe\u0007 ${'x'.repeat(500)}`
    const labels = [...Array.from({ length: 30 }, (_, i) => ({ name: `l${i}` })), { name: 7 }, null]
    const fields = { title, body: `\u0000${'🙂'.repeat(60_000)}`, html_url: 'javascript:alert(1)', labels }
    await deliver('opened', issueOf(6, '2026-11-21T08:00:00Z', fields))
    const task = (await tasksOf()).at(-1)
    expect([...task.title].length).toBeLessThanOrEqual(200)
    expect(task.title).toMatch(/^gnp\.exe +x+$/)
    expect(task.labels.length).toBe(20)
    expect(task.description).not.toContain('javascript')
    expect([...task.description].length).toBeLessThanOrEqual(50_000)
    for (const broken of [{ id: 'x' }, { updated_at: 'never' }])
      await deliver('opened', issueOf(7, '2026-11-21T08:00:00Z', broken))
    expect(await taskOf(7)).toEqual([])
  })

  test('does nothing in an archived engagement, or without one', async () => {
    const other = await engagement()
    const connect = (to: string | null) =>
      owner.patch(`/api/web/code-hosting/repositories/${repositoryId}`, { engagementId: to })
    expect((await connect(other)).body.data.engagementId).toBe(other)
    for (const status of ['completed', 'archived']) await owner.patch(`/api/web/engagements/${other}`, { status })
    await deliver('opened', issueOf(8, '2026-11-21T08:00:00Z'))
    expect(await tasksOf(other)).toEqual([])
    await connect(null)
    await deliver('opened', issueOf(9, '2026-11-21T08:00:00Z'))
    await connect(engagementId)
    expect(await taskOf(9)).toEqual([])
    expect((await connect(unknownId('eng'))).status).toBe(422)
  })

  test('becomes no task in a full engagement; the next one does once the quota allows it', async () => {
    const { meta } = (await owner.get(`/api/web/tasks?engagementId=${engagementId}`)).body
    const made: string[] = []
    for (let i = meta.total; i < 20; i++)
      made.push((await owner.post('/api/web/tasks', { engagementId, title: `Filling ${i}` })).body.data.id)
    await deliver('opened', issueOf(90, '2026-11-21T08:00:00Z'))
    expect(await taskOf(90)).toEqual([])
    await owner.delete(`/api/web/tasks/${made[0]}`)
    await deliver('opened', issueOf(91, '2026-11-21T08:00:00Z'))
    expect((await taskOf(91)).length).toBe(1)
  })
})
