import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, type TestUser, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

let app: TestApp
let owner: TestClient & { user: TestUser }
let engagementId: string
let taskId: string
const NOTICES = '/api/web/notifications'

beforeAll(async () => {
  app = await testApp()
  owner = await app.signedIn('owner')
  engagementId = (await owner.post('/api/web/engagements', { name: 'Comments' })).body.data.id
  taskId = (await owner.post('/api/web/tasks', { engagementId, title: 'Discussed' })).body.data.id
})
afterAll(() => app.close())

const mention = ({ id, name }: { id: string; name: string }) => `@[${name}](${id})`
const comment = (client: TestClient, body: string, task = taskId) =>
  client.post(`/api/web/tasks/${task}/comments`, { body })
const tasksOf = async (client: TestClient, ...titles: string[]): Promise<{ id: string; title: string }[]> =>
  (await client.get('/api/web/tasks?assigneeId=me&perPage=100')).body.data.filter(({ title }: { title: string }) =>
    titles.includes(title),
  )
const mailsTo = (recipient: string) =>
  app.db.selectFrom('mails').selectAll().where('recipient', '=', recipient).orderBy('id').execute()

describe('comments', () => {
  test('are listed newest first and counted on the task; only members who see the engagement are mentioned', async () => {
    const task = (await owner.post('/api/web/tasks', { engagementId, title: 'Counted' })).body.data
    const member = await app.createMember('member')
    const stranger = await app.createUser()
    const text = `${mention(member)} ${mention(member)} ${mention(stranger)} @everybody @[x](usr_1)`
    const first = await comment(owner, text, task.id)
    expect(first.status).toBe(201)
    expect(first.body.data).toMatchObject({
      taskId: task.id,
      body: text,
      author: { id: owner.user.id },
      mentions: [{ id: member.id, name: member.name }],
    })
    await comment(owner, 'second', task.id)
    const { body } = await owner.get(`/api/web/tasks/${task.id}/comments`)
    expect(body.data.map((row: { body: string }) => row.body)).toEqual(['second', text])
    expect(body.meta.total).toBe(2)
    expect((await owner.get(`/api/web/tasks/${task.id}`)).body.data.commentCount).toBe(2)
    expect((await comment(owner, '')).status).toBe(422)
    expect((await comment(owner, 'x'.repeat(20_001))).status).toBe(422)
  })

  test('A3: are changed only by their author, and deleted by them and by admins', async () => {
    const [author, other, admin] = [
      await app.signedIn('member'),
      await app.signedIn('member'),
      await app.signedIn('admin'),
    ]
    const { id, updatedAt } = (await comment(author, 'mine')).body.data
    expect((await other.patch(`/api/web/comments/${id}`, { body: 'not mine' })).status).toBe(403)
    expect((await admin.patch(`/api/web/comments/${id}`, { body: 'not mine' })).status).toBe(403)
    const changed = await author.patch(`/api/web/comments/${id}`, { body: 'better', ifUpdatedAt: updatedAt })
    expect(changed.body.data).toMatchObject({ body: 'better' })
    expect((await author.patch(`/api/web/comments/${id}`, { body: 'stale', ifUpdatedAt: updatedAt })).status).toBe(409)
    expect((await other.delete(`/api/web/comments/${id}`)).status).toBe(403)
    expect((await admin.delete(`/api/web/comments/${id}`)).status).toBe(200)
    expect((await author.patch(`/api/web/comments/${id}`, { body: 'gone' })).status).toBe(404)
  })

  test('of a key have no author, and only the key changes them', async () => {
    const [key, another] = [
      await app.withKey(['tasks:read', 'tasks:write']),
      await app.withKey(['tasks:read', 'tasks:write']),
    ]
    const { body } = await key.post(`/api/v1/tasks/${taskId}/comments`, { body: 'from a job' })
    expect(body.data.author).toBeNull()
    expect((await another.patch(`/api/v1/comments/${body.data.id}`, { body: 'x' })).status).toBe(403)
    expect((await key.patch(`/api/v1/comments/${body.data.id}`, { body: 'y' })).status).toBe(200)
  })
})

describe('a mentioned or assigned member', () => {
  test('gets a notice and one mail for a comment; an edit notifies only newly mentioned ones', async () => {
    const [first, second] = [await app.signedIn('member'), await app.signedIn('member')]
    const { id } = (await comment(owner, `${mention(first.user)} look`)).body.data
    const mail = await app.nextMail(first.user.email)
    expect(mail.subject).toBe(`${owner.user.name} mentioned you on: Discussed`)
    expect(mail.text).toContain(`/tasks/${taskId}`)
    await owner.patch(`/api/web/comments/${id}`, { body: `${mention(first.user)} and ${mention(second.user)} look` })
    await app.nextMail(second.user.email)
    expect((await mailsTo(first.user.email)).length).toBe(1)
    const { body } = await first.get(`${NOTICES}?unread=true`)
    expect(body.data).toMatchObject([
      {
        kind: 'mention',
        task: { id: taskId, title: 'Discussed' },
        commentId: id,
        by: { id: owner.user.id },
        readAt: null,
      },
    ])
    expect((await first.post(`${NOTICES}/read`, { ids: [body.data[0].id] })).body.data).toEqual({ read: 1 })
    expect((await first.get(`${NOTICES}?unread=true`)).body.data).toEqual([])
    expect((await second.get(NOTICES)).body.meta.total).toBe(1)
    expect((await second.post(`${NOTICES}/read`, { all: true })).body.data).toEqual({ read: 1 })
    for (const wrong of [{}, { all: false }, { ids: [body.data[0].id], all: true }, { taskId, all: true }])
      expect((await first.post(`${NOTICES}/read`, wrong)).status).toBe(422)
  })

  test('M8: is notified of a comment once, also when it names them, does not, and names them again', async () => {
    const member = await app.signedIn('member')
    const { id } = (await comment(owner, mention(member.user))).body.data
    for (const body of ['nobody', `${mention(member.user)} again`])
      expect((await owner.patch(`/api/web/comments/${id}`, { body })).status).toBe(200)
    expect((await member.get(NOTICES)).body.meta.total).toBe(1)
    expect((await mailsTo(member.user.email)).length).toBe(1)
  })

  test('marks all notices of a task as read at once, and none of others', async () => {
    const [member, other] = [await app.signedIn('member'), await app.signedIn('member')]
    const task = (await owner.post('/api/web/tasks', { engagementId, title: 'Opened', assigneeId: member.user.id }))
      .body.data
    await comment(owner, `${mention(member.user)} ${mention(other.user)}`, task.id)
    await comment(owner, mention(member.user))
    const [foreign] = (await other.get(NOTICES)).body.data
    expect((await member.post(`${NOTICES}/read`, { ids: [foreign.id] })).body.data).toEqual({ read: 0 })
    expect((await member.post(`${NOTICES}/read`, { taskId: task.id })).body.data).toEqual({ read: 2 })
    expect((await member.get(`${NOTICES}?unread=true`)).body.data).toMatchObject([{ task: { id: taskId } }])
    expect((await other.get(`${NOTICES}?unread=true`)).body.meta.total).toBe(1)
  })

  test('is notified of an assignment once; of several in five minutes in one mail', async () => {
    const member = await app.signedIn('member')
    const { id } = (await owner.post('/api/web/tasks', { engagementId, title: 'First', assigneeId: member.user.id }))
      .body.data
    await owner.patch(`/api/web/tasks/${id}`, { assigneeId: member.user.id })
    expect((await app.nextMail(member.user.email)).subject).toBe(`${owner.user.name} assigned to you: First`)
    for (const title of ['Second', 'Third'])
      await owner.post('/api/web/tasks', { engagementId, title, assigneeId: member.user.id })
    expect((await mailsTo(member.user.email)).length).toBe(2)
    await app.asSuperuser("update pgboss.job set start_after = now() where name = 'deliver-mail' and state = 'created'")
    const collected = await app.nextMail(member.user.email)
    expect(collected.subject).toMatch(/^2 notices of /)
    const lines = (await tasksOf(member, 'Second', 'Third')).flatMap(({ id, title }) => [
      `assigned to you: ${title}`,
      `/tasks/${id}`,
    ])
    for (const line of lines) expect(collected.text).toContain(line)
    expect((await member.get(NOTICES)).body.data.length).toBe(3)
  })

  test('of many tasks at once gets one notice with their number', async () => {
    const member = await app.signedIn('member')
    const ids = []
    for (let i = 0; i < 3; i++)
      ids.push((await owner.post('/api/web/tasks', { engagementId, title: `Bulk ${i}` })).body.data.id)
    await owner.post('/api/web/tasks/bulk-update', { ids, set: { assigneeId: member.user.id } })
    expect((await member.get(NOTICES)).body.data).toMatchObject([{ kind: 'assignment', tasks: 3 }])
    expect((await app.nextMail(member.user.email)).subject).toBe(
      `${owner.user.name} assigned to you: Bulk 0 and 2 more tasks`,
    )
  })

  test('is not notified of their own actions, or mailed what they switched off', async () => {
    const member = await app.signedIn('member')
    await comment(member, mention(member.user))
    await member.post('/api/web/tasks', { engagementId, title: 'Own', assigneeId: member.user.id })
    expect((await member.get(NOTICES)).body.data).toEqual([])
    await member.patch('/api/web/account', { notifications: { mentions: false, assignments: false } })
    await comment(owner, mention(member.user))
    await owner.post('/api/web/tasks', { engagementId, title: 'Silent', assigneeId: member.user.id })
    expect((await member.get(NOTICES)).body.data.length).toBe(2)
    expect(await mailsTo(member.user.email)).toEqual([])
  })

  test('A6: is not notified of an engagement that they do not see, also if that changes later', async () => {
    const [inside, outside] = [await app.signedIn('member'), await app.signedIn('member')]
    const hidden = (
      await owner.post('/api/web/engagements', { name: 'Hidden', details: { access: 'team', team: [inside.user.id] } })
    ).body.data.id
    const task = (await owner.post('/api/web/tasks', { engagementId: hidden, title: 'Canary' })).body.data
    const { body } = await comment(owner, `${mention(inside.user)} ${mention(outside.user)}`, task.id)
    expect(body.data.mentions.map(({ id }: { id: string }) => id)).toEqual([inside.user.id])
    expect((await outside.get(NOTICES)).body.data).toEqual([])
    expect((await inside.get(NOTICES)).body.meta.total).toBe(1)
    await owner.patch(`/api/web/engagements/${hidden}/details`, { team: [] })
    expect((await inside.get(NOTICES)).body.data).toEqual([])
    expect((await inside.get(`/api/web/tasks/${task.id}/history`)).status).toBe(404)
    expect((await inside.get(`/api/web/tasks/${task.id}/comments`)).status).toBe(404)
    expect(await mailsTo(outside.user.email)).toEqual([])
  })

  test('A6: a waiting mail contains nothing that its recipient no longer sees when it is sent', async () => {
    const member = await app.signedIn('member')
    const hidden = (
      await owner.post('/api/web/engagements', { name: 'Hidden', details: { access: 'team', team: [member.user.id] } })
    ).body.data.id
    await owner.post('/api/web/tasks', { engagementId, title: 'Open to all', assigneeId: member.user.id })
    await app.nextMail(member.user.email)
    await owner.post('/api/web/tasks', { engagementId: hidden, title: 'Canary', assigneeId: member.user.id })
    await owner.patch(`/api/web/engagements/${hidden}/details`, { team: [] })
    const [, waiting] = await mailsTo(member.user.email)
    const { noticeMail } = await import('../../../src/features/notifications/notifications.emails.ts')
    expect(await noticeMail.render(app.platform, waiting as NonNullable<typeof waiting>)).toBeUndefined()
  })
})

test('the history of a task shows what was changed by whom, bulk changes included', async () => {
  const { id } = (await owner.post('/api/web/tasks', { engagementId, title: 'Watched' })).body.data
  await owner.patch(`/api/web/tasks/${id}`, { title: 'Renamed', priority: 'low' })
  await owner.post('/api/web/tasks/bulk-update', { ids: [id], set: { status: 'done' } })
  const { body } = await owner.get(`/api/web/tasks/${id}/history`)
  expect(body.data.map(({ action }: { action: string }) => action)).toEqual([
    'tasks.changed',
    'task.changed',
    'task.created',
  ])
  expect(body.data[0].after).toMatchObject({ status: 'done', tasks: 1 })
  expect(body.data[1]).toMatchObject({
    actor: { id: owner.user.id },
    before: { title: 'Watched', priority: 'none' },
    after: { title: 'Renamed', priority: 'low' },
  })
})

test('A5: files are attached to a task, and go to the trash with it', async () => {
  const { id } = (await owner.post('/api/web/tasks', { engagementId, title: 'With a file' })).body.data
  const { body } = await owner.request('POST', `/api/web/tasks/${id}/files?fileName=notes.txt`, { rawBody: 'notes' })
  expect((await owner.get(`/api/web/tasks/${id}/files`)).body.data).toMatchObject([
    { id: body.data.id, fileName: 'notes.txt' },
  ])
  expect((await owner.get(`/api/web/tasks/${id}/files/${body.data.id}`)).text).toBe('notes')
  await owner.delete(`/api/web/tasks/${id}`)
  expect((await owner.get(`/api/web/tasks/${id}/files/${body.data.id}`)).status).toBe(404)
  expect((await owner.get(`/api/web/tasks/${id}/files`)).status).toBe(404)
})
