import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { unknownId } from '../../support/walks/walk.ts'

let app: TestApp
let owner: TestClient & { user: { id: string } }
let member: TestClient & { user: { id: string } }
const WEB = '/api/web'

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  member = await app.signedIn('member')
})
afterAll(() => app.close())

const day = (days: number) => new Date(app.clock.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
const engagement = async (name: string, details: object = {}): Promise<string> =>
  (await owner.post(`${WEB}/engagements`, { name, details })).body.data.id
const home = async (client: TestClient = member) => {
  const response = await client.get(`${WEB}/home`)
  expect(response.status, response.text).toBe(200)
  return response.body.data
}

test('the start page has the tasks and vulnerabilities of the caller, by day and severity, and no one else’s', async () => {
  const engagementId = await engagement('Tasks')
  const create = (title: string, fields: object) => owner.post(`${WEB}/tasks`, { engagementId, title, ...fields })
  await create('later', { assigneeId: member.user.id, dueOn: day(30) })
  await create('overdue', { assigneeId: member.user.id, dueOn: day(-3) })
  await create('over', { assigneeId: member.user.id, dueOn: day(-3), status: 'done' })
  await create('another’s', { assigneeId: owner.user.id, dueOn: day(-3) })
  for (const severity of ['low', 'high', 'medium']) {
    const { id } = (
      await owner.post(`${WEB}/results`, { engagementId, title: severity, asset: 'a.example.com', severity })
    ).body.data
    await owner.patch(`${WEB}/results/${id}`, {
      assigneeId: member.user.id,
      ...(severity === 'medium' && { status: 'fixed' }),
    })
  }
  const { tasks, dueThisWeek, results, unread } = await home()
  const titles = (part: { items: { title: string }[] }) => part.items.map(({ title }) => title)
  expect([titles(tasks), tasks.total]).toEqual([['later'], 1])
  expect([titles(dueThisWeek), dueThisWeek.total]).toEqual([['overdue'], 1])
  expect([titles(results), results.total]).toEqual([['high', 'low'], 2])
  expect(unread).toBeGreaterThan(0)
})

test('the start page has the drafts that the caller writes and the findings that wait for the caller’s review; a visited finding is kept', async () => {
  const caller = await app.signedIn('member')
  const engagementId = await engagement('Findings')
  const find = async (title: string, fields: object) =>
    (await owner.post(`${WEB}/findings`, { engagementId, title, severity: 'low', ...fields })).body.data
  await find('Mine', { authorId: caller.user.id })
  const worst = await find('Mine, worse', { authorId: caller.user.id, severity: 'high' })
  await find('Of another', { authorId: owner.user.id })
  const { id } = await find('To review', { authorId: owner.user.id, reviewerId: caller.user.id })
  const sent = await owner.patch(`${WEB}/findings/${id}`, { state: 'in_review' })
  expect(sent.status, sent.text).toBe(200)
  const titles = (part: { items: { title: string }[] }) => part.items.map(({ title }) => title)
  const { drafts, reviews } = await home(caller)
  expect([titles(drafts), drafts.total]).toEqual([['Mine, worse', 'Mine'], 2])
  expect([titles(reviews), reviews.total]).toEqual([['To review'], 1])
  expect((await caller.post(`${WEB}/home/visits`, { objectId: worst.id })).status).toBe(200)
  expect((await home(caller)).recent).toContainEqual(expect.objectContaining({ type: 'finding', title: 'Mine, worse' }))
})

test('each open task is on the start page once: due this week or overdue, or among the others, however many there are', async () => {
  const caller = await app.signedIn('member')
  const engagementId = await engagement('Many tasks')
  const create = (title: string, dueOn: string | null) =>
    owner.post(`${WEB}/tasks`, { engagementId, title, assigneeId: caller.user.id, dueOn })
  for (let index = 0; index < 12; index++) await create(`overdue ${index}`, day(-1))
  await create('later', day(30))
  await create('some day', null)
  const { tasks, dueThisWeek } = await home(caller)
  expect([dueThisWeek.items.length, dueThisWeek.total]).toEqual([10, 12])
  expect([tasks.items.map(({ title }: { title: string }) => title), tasks.total]).toEqual([['later', 'some day'], 2])
})

test('engagements under way have their testing hours in their own time zone; templates, finished and hidden ones are left out', async () => {
  await engagement('Template', { isTemplate: true })
  await engagement('Ended', { endsOn: day(-1) })
  await engagement('Hidden', { access: 'team' })
  // Open for one minute a week, in two days: closed now.
  const opens = new Date(app.clock.now() + 2 * 24 * 60 * 60 * 1000)
  const weekday = ((opens.getUTCDay() + 6) % 7) + 1
  const windows = [{ days: [weekday], from: '09:00', to: '09:01' }]
  await engagement('Closed now', { lead: member.user.id, testingHours: { timeZone: 'UTC', windows } })
  await engagement('Always open', { endsOn: day(3) })
  const { engagements } = await home()
  const named = engagements.map(({ name }: { name: string }) => name)
  expect(named.slice(0, 2)).toEqual(['Closed now', 'Always open'])
  for (const name of ['Template', 'Ended', 'Hidden']) expect(named).not.toContain(name)
  expect(engagements[0]).toMatchObject({
    isOwn: true,
    lead: { id: member.user.id },
    testing: {
      isOpen: false,
      timeZone: 'UTC',
      opens: { day: opens.toISOString().slice(0, 10), weekday, time: '09:00' },
    },
  })
  expect(engagements[1]).toMatchObject({ isOwn: false, testing: { isOpen: true, opens: null } })
})

test('recently visited objects are kept for the account, newest first, and leave with the access to them', async () => {
  const engagementId = await engagement('Visited')
  const task = (await owner.post(`${WEB}/tasks`, { engagementId, title: 'Seen' })).body.data
  const visit = (objectId: string, client: TestClient = member) => client.post(`${WEB}/home/visits`, { objectId })
  expect((await visit(engagementId)).body.data).toEqual({ recorded: true })
  app.clock.advance(1_000)
  await visit(task.id)
  app.clock.advance(1_000)
  const recent = async () =>
    (await home()).recent.map(({ type, title }: { type: string; title: string }) => `${type} ${title}`)
  expect(await recent()).toEqual(['task Seen', 'engagement Visited'])
  await visit(engagementId)
  expect(await recent()).toEqual(['engagement Visited', 'task Seen'])
  expect((await home(owner)).recent).toEqual([])
  expect((await visit(unknownId('tsk'))).status).toBe(422)
  await owner.delete(`${WEB}/tasks/${task.id}`)
  expect(await recent()).toEqual(['engagement Visited'])
  expect((await visit(task.id)).status).toBe(422)
  await owner.patch(`${WEB}/engagements/${engagementId}/details`, { access: 'team' })
  expect(await recent()).toEqual([])
  for (let index = 0; index < 22; index++) {
    app.clock.advance(1_000)
    await visit(await engagement(`many ${index}`))
  }
  expect(await recent()).toHaveLength(20)
})

test('the first run leaves out what the caller may not do, keeps done and skipped steps, and never comes back', async () => {
  const run = async (client: TestClient) => (await client.get(`${WEB}/first-run`)).body.data
  const steps = ({ steps: all }: { steps: { step: string }[] }) => all.map(({ step }) => step)
  expect(steps(await run(owner))).toEqual(['password', 'organization', 'people', 'engagement'])
  expect(steps(await run(member))).toEqual(['password'])
  const first = await owner.patch(`${WEB}/first-run`, { password: 'done', organization: 'skipped' })
  expect(first.body.data).toEqual({
    steps: [
      { step: 'password', state: 'done' },
      { step: 'organization', state: 'skipped' },
      { step: 'people', state: 'open' },
      { step: 'engagement', state: 'open' },
    ],
    isFinished: false,
  })
  expect((await owner.patch(`${WEB}/first-run`, { people: 'open' })).status).toBe(422)
  expect((await owner.patch(`${WEB}/first-run`, { people: 'done', engagement: 'skipped' })).body.data.isFinished).toBe(
    true,
  )
  expect((await member.patch(`${WEB}/first-run`, { password: 'skipped' })).body.data.isFinished).toBe(true)
  await owner.patch(`${WEB}/organizations/current/settings`, { membersCreateEngagements: true })
  expect(await run(member)).toMatchObject({ isFinished: true })
})
