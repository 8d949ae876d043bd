import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

let app: TestApp
let owner: TestClient
let mate: TestClient
let engagementId: string
let ownerId: string
let mateId: string

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  mate = await app.signedIn('member')
  engagementId = (await owner.post('/api/web/engagements', { name: 'Commented' })).body.data.id
  const made = await Promise.all(
    [owner, mate].map((client) => client.post('/api/web/findings', { engagementId, title: 'Who' })),
  )
  ownerId = made[0]?.body.data.author.id
  mateId = made[1]?.body.data.author.id
  await owner.patch('/api/web/report-settings', { fourEyes: false })
})
afterAll(() => app.close())

/** A report with one more text. */
const newReport = async (body = 'Anyone can read every order, every order.', engagement = engagementId) => {
  const { status, text, body: made } = await owner.post('/api/web/reports', { engagementId: engagement, title: 'Shop' })
  expect(status, text).toBe(201)
  const path = `/api/web/reports/${made.data.id}`
  const section = (await owner.post(`${path}/sections`, { title: 'Summary', body })).body.data
  return { id: made.data.id as string, path, section: section as { id: string } }
}
const comment = async (path: string, fields: object = {}, client = mate) => {
  const { body, status, text } = await client.post(`${path}/comments`, { body: 'A comment', ...fields })
  expect(status, text).toBe(201)
  return body.data
}
const bodyOf = async (path: string, sectionId: string) =>
  (await owner.get(path)).body.data.sections.find(({ id }: { id: string }) => id === sectionId).body
const anchorOn = (section: { id: string }, quote = 'every order') => ({ section: section.id, quote })
const notices = async (client: TestClient) => (await client.get('/api/web/notifications?unread=true')).body.data

describe('comments on reports', () => {
  test('are on the report, a section or words of it, and are listed', async () => {
    const { id, path, section } = await newReport()
    const onReport = await comment(path)
    const onSection = await comment(path, { anchor: anchorOn(section, '') })
    const onWords = await comment(path, { anchor: anchorOn(section), suggestion: 'some orders' })
    expect(onReport).toMatchObject({ reportId: id, findingId: null, anchor: null, textChanged: false })
    expect(onSection).toMatchObject({ anchor: { section: section.id, quote: '' }, textChanged: false })
    expect(onWords).toMatchObject({ anchor: anchorOn(section), suggestion: 'some orders', textChanged: false })
    const { data, meta } = (await owner.get(`${path}/comments`)).body
    expect(data).toEqual([onWords, onSection, onReport])
    expect(meta.total).toBe(3)
  })

  test('a live section has comments as a whole', async () => {
    const { path } = await newReport()
    const live = (await owner.post(`${path}/sections`, { title: 'Scope', live: { type: 'scope' } })).body.data
    expect(await comment(path, { anchor: anchorOn(live, '') })).toMatchObject({ textChanged: false })
  })

  test('a section of another report, a suggestion without words, and an empty text are 422', async () => {
    const { path, section } = await newReport()
    const other = await newReport()
    const refused = async (fields: object) => {
      const { status, body } = await mate.post(`${path}/comments`, { body: 'x', ...fields })
      expect(status).toBe(422)
      return body.error.message as string
    }
    expect(await refused({ anchor: anchorOn(other.section) })).toContain('is not a section of this report')
    await refused({ suggestion: 'y' })
    await refused({ anchor: anchorOn(section, ''), suggestion: 'y' })
    await refused({ body: '' })
    await refused({ anchor: { section: 'summary', quote: 'x' } })
  })

  test('accepting a suggestion replaces the first place of the quote, closes the comment and returns an approved report to review', async () => {
    const { path, section } = await newReport()
    for (const state of ['in_review', 'approved']) expect((await owner.patch(path, { state })).status).toBe(200)
    const made = await comment(path, { anchor: anchorOn(section), suggestion: 'some $& orders' })
    const accepted = (await owner.post(`/api/web/comments/${made.id}/accept`)).body.data
    expect(accepted).toMatchObject({ accepted: { by: { id: ownerId } }, resolved: { by: { id: ownerId } } })
    expect(await bodyOf(path, section.id)).toBe('Anyone can read some $& orders, every order.')
    const report = (await owner.get(path)).body.data
    expect(report).toMatchObject({ state: 'in_review', approvedBy: null })
    expect(report.sections.at(-1).revision).toBe(2)
    expect((await owner.post(`/api/web/comments/${made.id}/accept`)).status).toBe(409)
  })

  test('an edit from before the acceptance merges with it', async () => {
    const { path, section } = await newReport('One line.\n\nAnother line.')
    const made = await comment(path, { anchor: anchorOn(section, 'One'), suggestion: 'The first' })
    expect((await owner.post(`/api/web/comments/${made.id}/accept`)).status).toBe(200)
    const edited = await mate.patch(`${path}/sections/${section.id}`, {
      body: 'One line.\n\nThe second line.',
      baseRevision: 1,
    })
    expect(edited.body.meta.merged).toBe(true)
    expect(edited.body.data.body).toBe('The first line.\n\nThe second line.')
  })

  test('with four-eyes review neither who suggested nor who accepted approves', async () => {
    const third = await app.signedIn('admin')
    await owner.patch('/api/web/report-settings', { fourEyes: true })
    const made = (await third.post('/api/web/reports', { engagementId, title: 'Four eyes' })).body.data
    const path = `/api/web/reports/${made.id}`
    const section = (await third.post(`${path}/sections`, { title: 'Summary', body: 'every order' })).body.data
    const { id } = await comment(path, { anchor: anchorOn(section), suggestion: 'some orders' })
    expect((await owner.post(`/api/web/comments/${id}/accept`)).status).toBe(200)
    expect((await owner.patch(path, { state: 'in_review' })).status).toBe(200)
    for (const client of [owner, mate, third])
      expect((await client.patch(path, { state: 'approved' })).status).toBe(409)
    const fourth = await app.signedIn('member')
    expect((await fourth.patch(path, { state: 'approved' })).status).toBe(200)
    await owner.patch('/api/web/report-settings', { fourEyes: false })
  })

  test('show that the text has changed once the quote or the section is gone, and cannot be accepted then', async () => {
    const { path, section } = await newReport()
    const gone = (await owner.post(`${path}/sections`, { title: 'Gone', body: 'every order' })).body.data
    const first = await comment(path, { anchor: anchorOn(section), suggestion: 'some orders' })
    const second = await comment(path, { anchor: anchorOn(gone), suggestion: 'some orders' })
    const whole = await comment(path, { anchor: anchorOn(gone, '') })
    await owner.patch(`${path}/sections/${section.id}`, { body: 'Nothing of it.', baseRevision: 1 })
    await owner.delete(`${path}/sections/${gone.id}`)
    for (const { textChanged } of (await owner.get(`${path}/comments`)).body.data) expect(textChanged).toBe(true)
    for (const { id } of [first, second]) {
      const { status, body } = await owner.post(`/api/web/comments/${id}/accept`)
      expect([status, body.error.message]).toEqual([409, 'The text has changed: it no longer contains the quote.'])
    }
    expect((await owner.post(`/api/web/comments/${whole.id}/accept`)).body.error.message).toBe(
      'This comment suggests no other text.',
    )
  })

  test('twenty people who accept one suggestion at once apply it once', async () => {
    const { path, section } = await newReport('every order every order')
    const made = await comment(path, { anchor: anchorOn(section), suggestion: 'x' })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? owner : mate).post(`/api/web/comments/${made.id}/accept`)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
    expect(await bodyOf(path, section.id)).toBe('x every order')
  })

  test('are changed by their author, closed and opened again, and deleted with their report', async () => {
    const { path } = await newReport()
    const made = await comment(path)
    const at = `/api/web/comments/${made.id}`
    expect((await owner.patch(at, { body: 'Mine' })).status).toBe(403)
    expect((await mate.patch(at, { body: 'Other words' })).body.data.body).toBe('Other words')
    expect((await owner.post(`${at}/resolve`)).body.data.resolved).toMatchObject({ by: { id: ownerId } })
    expect((await mate.post(`${at}/reopen`)).body.data.resolved).toBeNull()
    const other = await comment(path)
    expect((await mate.delete(`/api/web/comments/${other.id}`)).status).toBe(200)
    expect((await owner.delete(path)).status).toBe(200)
    expect((await mate.post(`${at}/resolve`)).status).toBe(404)
    expect((await owner.get(`${path}/comments`)).status).toBe(404)
  })

  test('stay readable in an archived engagement, and do not change there', async () => {
    const { id } = (await owner.post('/api/web/engagements', { name: 'Archived' })).body.data
    const { path, section } = await newReport(undefined, id)
    const made = await comment(path, { anchor: anchorOn(section), suggestion: 'some orders' })
    for (const status of ['completed', 'archived']) await owner.patch(`/api/web/engagements/${id}`, { status })
    expect((await mate.get(`${path}/comments`)).body.data).toEqual([made])
    const at = `/api/web/comments/${made.id}`
    for (const answer of [
      await mate.post(`${path}/comments`, { body: 'x' }),
      await mate.patch(at, { body: 'x' }),
      await owner.post(`${at}/accept`),
      await owner.post(`${at}/resolve`),
      await mate.delete(at),
    ])
      expect(answer.status).toBe(409)
  })
})

describe('who reads and writes comments on reports', () => {
  test('needs the scopes of reports: without reading 404, without writing 403', async () => {
    const { id, path, section } = await newReport()
    const made = await comment(path, { anchor: anchorOn(section), suggestion: 'some orders' })
    const tasks = await app.withKey(['tasks:read', 'tasks:write'])
    const reader = await app.withKey(['reports:read'])
    const writer = await app.withKey(['reports:read', 'reports:write'])
    expect((await tasks.get(`/api/v1/reports/${id}/comments`)).status).toBe(403)
    expect((await tasks.post(`/api/v1/comments/${made.id}/resolve`)).status).toBe(404)
    expect((await reader.post(`/api/v1/reports/${id}/comments`, { body: 'x' })).status).toBe(403)
    expect((await reader.post(`/api/v1/comments/${made.id}/resolve`)).status).toBe(403)
    const own = (await writer.post(`/api/v1/reports/${id}/comments`, { body: 'by a key' })).body.data
    expect(own).toMatchObject({ reportId: id, author: null })
    expect((await writer.post(`/api/v1/comments/${made.id}/accept`)).body.data.accepted).toMatchObject({ by: null })
  })

  test('does not include people without access to the engagement', async () => {
    const { id } = (await owner.post('/api/web/engagements', { name: 'Closed', details: { access: 'team' } })).body.data
    const { path } = await newReport(undefined, id)
    const made = await comment(path, {}, owner)
    expect((await mate.get(`${path}/comments`)).status).toBe(404)
    expect((await mate.post(`${path}/comments`, { body: 'x' })).status).toBe(404)
    expect((await mate.post(`/api/web/comments/${made.id}/resolve`)).status).toBe(404)
  })
})

describe('what comments on reports lead to', () => {
  test('notices: a comment for the authors and earlier commenters, a mention; reading marks those of one report', async () => {
    const { id, path } = await newReport()
    const earlier = (await notices(owner)).length
    await comment(path, { body: 'first' }, mate)
    expect((await notices(owner))[0]).toMatchObject({
      kind: 'comment',
      report: { id, title: 'Shop' },
      finding: null,
      excerpt: 'first',
    })
    await comment(path, { body: 'second' }, owner)
    await comment(path, { body: `@[Mate](${mateId}) look` }, owner)
    const ofReport = (await notices(mate)).filter(({ report }: { report?: { id: string } }) => report?.id === id)
    expect(ofReport).toMatchObject([{ kind: 'mention' }, { kind: 'comment' }])
    expect((await mate.post('/api/web/notifications/read', { reportId: id })).body.data.read).toBe(2)
    expect((await owner.post('/api/web/notifications/read', { reportId: id })).body.data.read).toBe(1)
    expect(await notices(owner)).toHaveLength(earlier)
  })

  test('entries of the activity, with the name of the report, for those who read reports', async () => {
    const { id: ofEngagement } = (await owner.post('/api/web/engagements', { name: 'Active' })).body.data
    const { id, path, section } = await newReport(undefined, ofEngagement)
    const made = await comment(path, { anchor: anchorOn(section), suggestion: 'some orders' })
    await owner.post(`/api/web/comments/${made.id}/accept`)
    const { data } = (await owner.get(`/api/web/engagements/${ofEngagement}/activity`)).body
    const shown = data.filter(({ action }: { action: string }) => action.startsWith('report-comment.'))
    expect(shown.map(({ action }: { action: string }) => action)).toEqual([
      'report-comment.accepted',
      'report-comment.created',
    ])
    expect(shown[0]).toMatchObject({ object: { type: 'comment', name: 'Shop' } })
    expect(shown[1].after).toMatchObject({ reportId: id, suggestion: 'some orders' })
    const tasks = await app.withKey(['organizations:read', 'tasks:read'])
    const seen = (await tasks.get(`/api/v1/engagements/${ofEngagement}/activity`)).body.data
    expect(seen.filter(({ action }: { action: string }) => action.startsWith('report-comment.'))).toEqual([])
  })
})
