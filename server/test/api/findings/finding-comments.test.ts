import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

let app: TestApp
let owner: TestClient
let mate: TestClient
let engagementId: string
let people: { ownerId: string; mateId: string }

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  mate = await app.signedIn('member')
  engagementId = (await owner.post('/api/web/engagements', { name: 'Commented' })).body.data.id
  const made = await Promise.all(
    [owner, mate].map((client) => client.post('/api/web/findings', { engagementId, title: 'Who' })),
  )
  people = { ownerId: made[0]?.body.data.author.id, mateId: made[1]?.body.data.author.id }
})
afterAll(() => app.close())

const newFinding = async (fields: object = {}): Promise<{ id: string; revision: number }> => {
  const { body, status, text } = await owner.post('/api/web/findings', {
    engagementId,
    title: 'Commented',
    impact: 'Anyone can read every order.',
    ...fields,
  })
  expect(status, text).toBe(201)
  return body.data
}
const comment = async (id: string, fields: object, client = mate) => {
  const { body, status, text } = await client.post(`/api/web/findings/${id}/comments`, { body: 'A comment', ...fields })
  expect(status, text).toBe(201)
  return body.data
}
const anchor = { section: 'impact', quote: 'every order' }
const notices = async (client: TestClient) => (await client.get('/api/web/notifications?unread=true')).body.data

describe('comments on findings', () => {
  test('have an anchor and a suggestion, are listed and counted', async () => {
    const { id } = await newFinding()
    const made = await comment(id, { anchor, suggestion: 'the orders of every customer' })
    expect(made).toMatchObject({
      findingId: id,
      taskId: null,
      resultId: null,
      anchor,
      textChanged: false,
      resolved: null,
      accepted: null,
    })
    const { body } = await owner.get(`/api/web/findings/${id}/comments`)
    expect(body.data).toEqual([made])
    expect((await owner.get(`/api/web/findings/${id}`)).body.data.commentCount).toBe(1)
    expect((await mate.post(`/api/web/findings/${id}/comments`, { body: 'x', suggestion: 'y' })).status).toBe(422)
  })

  test('need a text, unless they suggest one', async () => {
    const { id } = await newFinding()
    expect((await mate.post(`/api/web/findings/${id}/comments`, { body: '', anchor })).status).toBe(422)
    const suggested = await comment(id, { body: '', anchor, suggestion: 'some orders' })
    const plain = await comment(id, { body: 'x' })
    expect((await mate.patch(`/api/web/comments/${suggested.id}`, { body: 'Say which.' })).status).toBe(200)
    expect((await mate.patch(`/api/web/comments/${suggested.id}`, { body: '' })).body.data.body).toBe('')
    expect((await mate.patch(`/api/web/comments/${plain.id}`, { body: '' })).status).toBe(422)
  })

  test('accepting a suggestion replaces the first place of the quote, closes the comment and returns an approved finding to review', async () => {
    const { id } = await newFinding({ impact: 'every order, every order' })
    for (const state of ['in_review', 'approved'])
      expect((await owner.patch(`/api/web/findings/${id}`, { state })).status).toBe(200)
    const made = await comment(id, { anchor, suggestion: 'some orders' })
    const accepted = (await owner.post(`/api/web/comments/${made.id}/accept`)).body.data
    expect(accepted).toMatchObject({
      accepted: { by: { id: people.ownerId } },
      resolved: { by: { id: people.ownerId } },
    })
    expect((await owner.get(`/api/web/findings/${id}`)).body.data).toMatchObject({
      impact: 'some orders, every order',
      revision: 2,
      state: 'in_review',
    })
    expect((await owner.post(`/api/web/comments/${made.id}/accept`)).status).toBe(409)
  })

  test('accepting counts as writing for both people: with four-eyes review neither approves', async () => {
    const third = await app.signedIn('member')
    await owner.patch('/api/web/report-settings', { fourEyes: true })
    const { body } = await third.post('/api/web/findings', {
      engagementId,
      title: 'Four eyes',
      impact: 'every order',
      authorId: people.ownerId,
    })
    const made = await comment(body.data.id, { anchor, suggestion: 'some orders' })
    expect((await owner.post(`/api/web/comments/${made.id}/accept`)).status).toBe(200)
    expect((await owner.patch(`/api/web/findings/${body.data.id}`, { state: 'in_review' })).status).toBe(200)
    for (const client of [owner, mate, third])
      expect((await client.patch(`/api/web/findings/${body.data.id}`, { state: 'approved' })).status).toBe(409)
    const fourth = await app.signedIn('admin')
    expect((await fourth.patch(`/api/web/findings/${body.data.id}`, { state: 'approved' })).status).toBe(200)
    await owner.patch('/api/web/report-settings', { fourEyes: false })
  })

  test('show that the text has changed once the quote is gone, and cannot be accepted then', async () => {
    const { id } = await newFinding()
    const made = await comment(id, { anchor, suggestion: 'some orders' })
    await owner.patch(`/api/web/findings/${id}`, { impact: 'Nothing of it.', baseRevision: 1 })
    expect((await owner.get(`/api/web/findings/${id}/comments`)).body.data[0].textChanged).toBe(true)
    const { status, body } = await owner.post(`/api/web/comments/${made.id}/accept`)
    expect([status, body.error.message]).toEqual([409, 'The text has changed: it no longer contains the quote.'])
    const plain = await comment(id, {})
    expect((await owner.post(`/api/web/comments/${plain.id}/accept`)).status).toBe(409)
  })

  test('a text with patterns of replacement is inserted as it is', async () => {
    const { id } = await newFinding()
    const made = await comment(id, { anchor, suggestion: '$& $1 $$' })
    await owner.post(`/api/web/comments/${made.id}/accept`)
    expect((await owner.get(`/api/web/findings/${id}`)).body.data.impact).toBe('Anyone can read $& $1 $$.')
  })

  test('twenty people who accept one suggestion at once apply it once', async () => {
    const { id } = await newFinding({ impact: 'every order every order' })
    const made = await comment(id, { anchor, suggestion: 'x' })
    const statuses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? owner : mate).post(`/api/web/comments/${made.id}/accept`)),
    )
    expect(statuses.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
    expect((await owner.get(`/api/web/findings/${id}`)).body.data.impact).toBe('x every order')
  })

  test('are closed and opened again; once more changes nothing', async () => {
    const { id } = await newFinding()
    const made = await comment(id, {})
    const closed = (await owner.post(`/api/web/comments/${made.id}/resolve`)).body.data
    expect(closed.resolved).toMatchObject({ by: { id: people.ownerId } })
    expect((await mate.post(`/api/web/comments/${made.id}/resolve`)).body.data).toEqual(closed)
    expect((await mate.post(`/api/web/comments/${made.id}/reopen`)).body.data.resolved).toBeNull()
  })

  test('state when their text was changed; closing, opening and accepting do not count as a change', async () => {
    const { id } = await newFinding()
    const made = await comment(id, { anchor, suggestion: 'some orders' })
    expect(made.editedAt).toBeNull()
    await owner.post(`/api/web/comments/${made.id}/resolve`)
    const reopened = (await owner.post(`/api/web/comments/${made.id}/reopen`)).body.data
    expect(reopened.editedAt).toBeNull()
    expect(reopened.updatedAt).not.toBe(made.updatedAt)
    const edited = (await mate.patch(`/api/web/comments/${made.id}`, { body: 'Other words' })).body.data
    expect(edited.editedAt).toBe(edited.updatedAt)
    expect((await owner.post(`/api/web/comments/${made.id}/accept`)).body.data.editedAt).toBe(edited.editedAt)
  })

  test('in the trash are readable and not changed', async () => {
    const { id } = await newFinding()
    const made = await comment(id, {})
    await owner.delete(`/api/web/findings/${id}`)
    expect((await owner.get(`/api/web/findings/${id}/comments`)).status).toBe(200)
    expect((await mate.patch(`/api/web/comments/${made.id}`, { body: 'x' })).status).toBe(409)
    expect((await mate.post(`/api/web/findings/${id}/comments`, { body: 'x' })).status).toBe(409)
  })
})

describe('the scopes of comments', () => {
  test('follow the parent: without its read scope a comment is 404, without its write scope 403', async () => {
    const { id } = await newFinding()
    const made = await comment(id, {})
    const tasks = await app.withKey(['tasks:read', 'tasks:write'])
    const reader = await app.withKey(['reports:read'])
    const writer = await app.withKey(['reports:read', 'reports:write'])
    expect((await tasks.post(`/api/v1/comments/${made.id}/resolve`)).status).toBe(404)
    expect((await tasks.delete(`/api/v1/comments/${made.id}`)).status).toBe(404)
    expect((await reader.post(`/api/v1/comments/${made.id}/resolve`)).status).toBe(403)
    expect((await writer.post(`/api/v1/comments/${made.id}/resolve`)).status).toBe(200)
    const result = (
      await owner.post('/api/web/results', { engagementId, title: 'Seen', asset: '192.0.2.9', severity: 'low' })
    ).body.data
    const onResult = (await owner.post(`/api/web/results/${result.id}/comments`, { body: 'seen' })).body.data
    expect(onResult).toMatchObject({ resultId: result.id, findingId: null })
    expect((await writer.patch(`/api/v1/comments/${onResult.id}`, { body: 'x' })).status).toBe(404)
    expect((await owner.get(`/api/web/results/${result.id}/comments`)).body.data).toHaveLength(1)
  })
})

describe('notices', () => {
  test('of findings: a new author, a comment, a mention and a finding that is open again; reading marks those of one finding', async () => {
    const { id } = await newFinding({ authorId: people.mateId })
    expect((await notices(mate))[0]).toMatchObject({
      kind: 'assignment',
      finding: { id, title: 'Commented' },
      task: null,
    })
    await comment(id, { body: 'no mention' }, owner)
    expect((await notices(mate))[0]).toMatchObject({ kind: 'comment', finding: { id } })
    await comment(id, { body: `@[Mate](${people.mateId}) look` }, owner)
    expect(
      (await notices(mate)).filter(({ finding }: { finding?: { id: string } }) => finding?.id === id),
    ).toMatchObject([{ kind: 'mention' }, { kind: 'comment' }, { kind: 'assignment' }])
    await owner.patch(`/api/web/findings/${id}`, { status: 'fixed' })
    await owner.patch(`/api/web/findings/${id}`, { status: 'open' })
    expect((await notices(mate))[0]).toMatchObject({ kind: 'reopened', finding: { id } })
    expect((await mate.post('/api/web/notifications/read', { findingId: id })).body.data.read).toBe(4)
  })
})
