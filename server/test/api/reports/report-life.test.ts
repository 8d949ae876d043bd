import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

const WEB = '/api/web/reports'
const UNKNOWN = `rpt_${'0'.repeat(26)}`

interface Section {
  id: string
  key: string
  title: string
  body: string
  revision: number
  kind: string
}

interface Report {
  id: string
  engagementId: string
  language: string
  updatedAt: string
  sections: Section[]
}

let app: TestApp
let owner: Awaited<ReturnType<TestApp['signedIn']>>
let mate: Awaited<ReturnType<TestApp['signedIn']>>

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  mate = await app.signedIn('admin')
})
afterAll(() => app.close())

const engagement = async (details: object = {}): Promise<string> =>
  (await owner.post('/api/web/engagements', { name: 'With reports', details })).body.data.id

const create = async (fields: object = {}): Promise<Report> => {
  const engagementId = await engagement()
  const { status, body, text } = await owner.post(WEB, { engagementId, title: 'Penetration test', ...fields })
  expect(status, text).toBe(201)
  return body.data
}
const patch = (id: string, change: object, client: TestClient = owner) => client.patch(`${WEB}/${id}`, change)
const approve = async (id: string, client: TestClient = owner) => {
  expect((await patch(id, { state: 'in_review' }, client)).status).toBe(200)
  const { status, text } = await patch(id, { state: 'approved' }, client)
  expect(status, text).toBe(200)
}
const textOf = ({ sections }: Report): Section => sections.find(({ kind }) => kind === 'text') as Section

describe('life', () => {
  test('a report gets the sections of its template, in its language', async () => {
    const english = await create()
    expect(english).toMatchObject({ state: 'draft', language: 'en', latestEdition: null, templateVersion: 1 })
    const german = await create({ language: 'de' })
    expect(german.sections.map(({ key }) => key)).toEqual(english.sections.map(({ key }) => key))
    expect(german.sections.map(({ title }) => title)).not.toEqual(english.sections.map(({ title }) => title))
    expect((await owner.get(`${WEB}/${german.id}`)).body.data).toEqual(german)
  })

  test('lists filter by engagement, state and title', async () => {
    const { id, engagementId } = await create({ title: 'Quince report' })
    expect((await owner.get(`${WEB}?engagementId=${engagementId}`)).body.data).toMatchObject([{ id }])
    expect((await owner.get(`${WEB}?q=QUINCE`)).body.data).toMatchObject([{ id }])
    expect((await owner.get(`${WEB}?engagementId=${engagementId}&state=approved`)).body.data).toEqual([])
  })

  test('search finds a report by its title and the text of a section, until it is deleted', async () => {
    const report = await create({ title: 'Medlar report' })
    const { id, revision } = textOf(report)
    await owner.patch(`${WEB}/${report.id}/sections/${id}`, { body: 'About loquats.', baseRevision: revision })
    const found = async (q: string) => (await owner.get(`/api/web/search?q=${q}&type=report`)).body.data
    expect(await found('medlar')).toMatchObject([{ type: 'report', id: report.id, title: 'Medlar report' }])
    expect(await found('loquats')).toMatchObject([{ id: report.id }])
    expect((await owner.delete(`${WEB}/${report.id}`)).status).toBe(200)
    expect(await found('medlar')).toEqual([])
    expect((await owner.get(`${WEB}/${report.id}`)).status).toBe(404)
  })

  test('an unknown template, engagement or finding is 422, a delivered report cannot be deleted', async () => {
    const { id, engagementId } = await create()
    const post = (fields: object) => owner.post(WEB, { engagementId, title: 'x', ...fields })
    expect((await post({ templateId: `rtp_${'0'.repeat(26)}` })).status).toBe(422)
    expect((await post({ engagementId: `eng_${'0'.repeat(26)}` })).status).toBe(422)
    const other = (await owner.post('/api/web/findings', { engagementId: await engagement(), title: 'Elsewhere' })).body
    expect((await patch(id, { findingFilter: { ids: [other.data.id] } })).status).toBe(422)
    await app.db.updateTable('reports').set({ latest_edition: 1 }).where('id', '=', id).execute()
    expect((await owner.delete(`${WEB}/${id}`)).status).toBe(409)
  })

  test('an archived engagement accepts no change, and still shows the report', async () => {
    const report = await create()
    for (const status of ['completed', 'archived'])
      await owner.patch(`/api/web/engagements/${report.engagementId}`, { status })
    expect((await patch(report.id, { title: 'New' })).status).toBe(409)
    expect((await owner.post(`${WEB}/${report.id}/sections`, { title: 'New' })).status).toBe(409)
    expect((await owner.get(`${WEB}/${report.id}/html`)).status).toBe(200)
  })

  test('other organizations get the answer for an unknown report', async () => {
    const { id, sections } = await create()
    const stranger = await app.signedIn('owner', await app.createOrganization())
    for (const path of ['', '/html', '/data', '/checks', '/files']) {
      const unknown = await stranger.get(`${WEB}/${UNKNOWN}${path}`)
      const hidden = await stranger.get(`${WEB}/${id}${path}`)
      expect([hidden.status, hidden.body]).toMatchObject([404, { error: unknown.body.error.code && {} }])
    }
    const path = `${WEB}/${id}/sections/${sections[0]?.id}`
    expect((await stranger.patch(path, { title: 'x' })).status).toBe(404)
    expect((await stranger.delete(path)).status).toBe(404)
  })
})

describe('review', () => {
  test('goes one step forward, and a change of an approved report returns it to review', async () => {
    const report = await create()
    expect((await patch(report.id, { state: 'approved' })).status).toBe(409)
    await approve(report.id)
    expect((await patch(report.id, { title: 'Penetration test' })).body.meta.returnedToReview).toBe(false)
    const changed = await patch(report.id, { title: 'Renamed' })
    expect(changed.body).toMatchObject({
      data: { state: 'in_review', approvedBy: null },
      meta: { returnedToReview: true },
    })
    await patch(report.id, { state: 'approved' })
    const { id, revision } = textOf(report)
    const section = await owner.patch(`${WEB}/${report.id}/sections/${id}`, { body: 'New', baseRevision: revision })
    expect(section.body.meta).toEqual({ merged: false, returnedToReview: true })
    expect((await owner.get(`${WEB}/${report.id}`)).body.data.state).toBe('in_review')
  })

  test('with four-eyes review, no writer approves', async () => {
    await owner.patch('/api/web/report-settings', { fourEyes: true })
    const { id } = await create()
    await patch(id, { state: 'in_review' })
    expect((await patch(id, { state: 'approved' })).status).toBe(409)
    expect((await patch(id, { state: 'approved' }, mate)).body.data.approvedBy).toMatchObject({
      name: expect.any(String),
    })
    await owner.patch('/api/web/report-settings', { fourEyes: false })
  })
})

describe('sections', () => {
  test('edits of other lines are merged, edits of the same line are refused', async () => {
    const report = await create()
    const { id } = textOf(report)
    const path = `${WEB}/${report.id}/sections/${id}`
    const write = (body: string, baseRevision: number, client: TestClient = owner) =>
      client.patch(path, { body, baseRevision })
    const first = (await write('one\ntwo\nthree', 1)).body.data
    await write('ONE\ntwo\nthree', first.revision)
    const merged = await write('one\ntwo\nTHREE', first.revision, mate)
    expect(merged.body).toMatchObject({ data: { body: 'ONE\ntwo\nTHREE' }, meta: { merged: true } })
    expect((await write('1\ntwo\nthree', first.revision)).status).toBe(409)
    expect((await owner.patch(path, { body: 'without a base' })).status).toBe(422)
  })

  test('are added last, moved, hidden, and have one key each', async () => {
    const report = await create()
    const path = `${WEB}/${report.id}/sections`
    const added = (await owner.post(path, { title: 'Scope of work', live: { type: 'scope' } })).body.data
    const keys = async () =>
      ((await owner.get(`${WEB}/${report.id}`)).body.data as Report).sections.map(({ key }) => key)
    expect((await keys()).at(-1)).toBe(added.key)
    const [first] = report.sections
    await owner.post(`${path}/${added.id}/move`, { beforeId: first?.id })
    expect((await keys())[0]).toBe(added.key)
    await owner.post(`${path}/${added.id}/move`, { afterId: first?.id })
    expect((await keys())[1]).toBe(added.key)
    expect((await owner.post(path, { key: added.key, title: 'Again' })).status).toBe(409)
    expect((await owner.patch(`${path}/${added.id}`, { hidden: true })).body.data.hidden).toBe(true)
    expect((await owner.delete(`${path}/${added.id}`)).status).toBe(200)
    expect(await keys()).not.toContain(added.key)
  })

  test('of a report are 200 at most', async () => {
    const report = await create()
    const path = `${WEB}/${report.id}/sections`
    const missing = 200 - report.sections.length
    for (let made = 0; made < missing; made += 1)
      expect((await owner.post(path, { title: `Section ${made}` })).status).toBe(201)
    const refused = await owner.post(path, { title: 'One more' })
    expect(refused.status).toBe(409)
    expect(refused.body.error.message).toBe('A report has at most 200 sections.')
    expect(((await owner.get(`${WEB}/${report.id}`)).body.data as Report).sections).toHaveLength(200)
  })
})
