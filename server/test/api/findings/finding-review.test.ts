import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

const WEB = '/api/web/findings'
const V1 = '/api/v1/findings'
const UNKNOWN = `fnd_${'0'.repeat(26)}`
const CRITICAL = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'

let app: TestApp
let owner: Awaited<ReturnType<TestApp['signedIn']>>
let mate: Awaited<ReturnType<TestApp['signedIn']>>
let key: TestClient
let engagementId: string

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  mate = await app.signedIn('member')
  key = await app.withKey(['reports:read', 'reports:write', 'organizations:read', 'organizations:write'])
  engagementId = await engagement()
})
afterAll(() => app.close())

const engagement = async (details: object = {}): Promise<string> =>
  (await owner.post('/api/web/engagements', { name: 'With findings', details })).body.data.id

interface Finding {
  id: string
  revision: number
  updatedAt: string
  number: number
}

const create = async (fields: object = {}, client: TestClient = owner, prefix = WEB) => {
  const { status, body, text } = await client.post(prefix, { engagementId, title: 'Before', ...fields })
  expect(status, text).toBe(201)
  return body.data as Finding & Record<string, unknown>
}
const read = async (id: string) => (await owner.get(`${WEB}/${id}`)).body.data
const patch = (id: string, change: object, client: TestClient = owner) => client.patch(`${WEB}/${id}`, change)

describe('review', () => {
  test('goes one step forward, and back one step or to draft', async () => {
    const { id } = await create()
    expect((await patch(id, { state: 'approved' })).status).toBe(409)
    for (const state of ['in_review', 'approved', 'in_review', 'approved', 'draft']) {
      expect((await patch(id, { state })).body.data?.state, state).toBe(state)
    }
  })

  test('needs required fields, and a reason for a severity that differs from the score', async () => {
    const definition = { objectType: 'finding', key: 'ticket', type: 'text', label: 'Ticket', required: true }
    const { id: definitionId } = (await owner.post('/api/web/field-definitions', definition)).body.data
    const { id } = await create({ cvssVector: CRITICAL, severity: 'low' })
    expect((await patch(id, { state: 'in_review' })).body.error.message).toBe(
      'fields.ticket: is required before review.',
    )
    expect((await patch(id, { state: 'in_review', fields: { ticket: 'T-1' } })).body.error.message).toContain(
      'severityReason: is needed before review',
    )
    expect(
      (await patch(id, { state: 'in_review', fields: { ticket: 'T-1' }, severityReason: 'Internal' })).status,
    ).toBe(200)
    expect((await owner.get(`${WEB}?field=ticket:T-1`)).body.data).toHaveLength(1)
    await owner.delete(`/api/web/field-definitions/${definitionId}`)
  })

  test('an approved finding returns to review with new content, not with other changes', async () => {
    const { id } = await create()
    const approve = async () => {
      await patch(id, { state: 'in_review' })
      await patch(id, { state: 'approved' })
    }
    await approve()
    expect((await patch(id, { tags: ['x'], status: 'fixed' })).body).toMatchObject({
      data: { state: 'approved' },
      meta: { returnedToReview: false },
    })
    for (const change of [{ title: 'New' }, { severity: 'high' }, { impact: 'x', baseRevision: 1 }]) {
      expect((await patch(id, change)).body, JSON.stringify(change)).toMatchObject({
        data: { state: 'in_review' },
        meta: { returnedToReview: true },
      })
      await patch(id, { state: 'approved' })
    }
    await owner.post(`${WEB}/${id}/affected`, { assets: ['a'] })
    expect((await read(id)).state).toBe('in_review')
  })

  test('new content that is approved in the same request is what is approved', async () => {
    const { id } = await create()
    await patch(id, { state: 'in_review' })
    await patch(id, { state: 'approved' })
    await patch(id, { impact: 'new', baseRevision: 1, state: 'approved' })
    const row = await app.db
      .selectFrom('findings')
      .select(['state', 'revision', 'approved_revision'])
      .where('id', '=', id)
      .executeTakeFirst()
    expect(row).toEqual({ state: 'approved', revision: 2, approved_revision: 2 })
  })

  test('with four eyes, neither a writer nor a key approves', async () => {
    expect((await mate.patch('/api/web/report-settings', { fourEyes: true })).status).toBe(403)
    expect((await owner.patch('/api/web/report-settings', { fourEyes: true })).body.data).toMatchObject({
      fourEyes: true,
      language: 'en',
    })
    const { id } = await create({}, mate)
    await patch(id, { impact: 'by mate', baseRevision: 1 }, mate)
    await patch(id, { state: 'in_review' }, mate)
    expect((await patch(id, { state: 'approved' }, mate)).body.error.message).toContain(
      'someone who wrote none of its text',
    )
    expect((await key.patch(`${V1}/${id}`, { state: 'approved' })).body.error.message).toContain(
      'an API key cannot approve',
    )
    expect(
      (await mate.post(`${WEB}/bulk-update`, { ids: [id], set: { state: 'approved', addTags: ['t'] } })).status,
    ).toBe(409)
    expect(await read(id)).toMatchObject({ state: 'in_review', tags: [] })
    expect((await patch(id, { state: 'approved' })).body.data).toMatchObject({
      state: 'approved',
      reviewer: { id: owner.user.id },
    })
    await owner.patch('/api/web/report-settings', { fourEyes: false })
  })

  test('publishing needs approval, or force with a reason; again it changes nothing', async () => {
    const { id } = await create()
    expect((await owner.post(`${WEB}/${id}/publish`)).status).toBe(409)
    expect((await owner.post(`${WEB}/${id}/publish`, { force: true })).status).toBe(422)
    const { publishedAt } = (await owner.post(`${WEB}/${id}/publish`, { force: true, reason: 'Urgent' })).body.data
    expect(publishedAt).not.toBeNull()
    expect((await owner.post(`${WEB}/${id}/publish`)).body.data.publishedAt).toBe(publishedAt)
    expect((await owner.post(`${WEB}/${id}/unpublish`)).body.data.publishedAt).toBeNull()
  })

  test('bulk changes apply to all or to none', async () => {
    const [a, b] = [await create({ tags: ['x'] }), await create()]
    await patch(a.id, { state: 'in_review' })
    const refused = await owner.post(`${WEB}/bulk-update`, { ids: [a.id, b.id], set: { state: 'approved' } })
    expect(refused.status).toBe(409)
    expect((await read(a.id)).state).toBe('in_review')
    const set = { severity: 'medium', addTags: ['y'], removeTags: ['x'], authorId: mate.user.id, status: 'fixed' }
    expect((await owner.post(`${WEB}/bulk-update`, { ids: [a.id, b.id, UNKNOWN], set })).body.data).toEqual({
      updated: 2,
    })
    expect(await read(a.id)).toMatchObject({
      severity: 'medium',
      tags: ['y'],
      author: { id: mate.user.id },
      status: 'fixed',
    })
  })
})

describe('exports', () => {
  test('are whole in every format, and harmless to spreadsheets', async () => {
    const other = await engagement()
    const { id } = await create({
      engagementId: other,
      title: '=cmd',
      severity: 'high',
      cvssVector: CRITICAL,
      cwe: ['CWE-89'],
      impact: 'Impact',
    })
    await owner.post(`${WEB}/${id}/affected`, { assets: ['shop.example'] })
    const exported = async (format: string) =>
      (await owner.get(`${WEB}/export?engagementId=${other}&format=${format}`)).text
    expect(JSON.parse(await exported('json')).data).toMatchObject([
      { id, impact: 'Impact', affected: [{ asset: 'shop.example' }] },
    ])
    for (const format of ['csv', 'jira-csv']) expect(await exported(format), format).toContain('shop.example')
    expect(await exported('csv')).toContain("'=cmd")
    const [run] = JSON.parse(await exported('sarif')).runs
    expect(run.tool.driver.rules).toMatchObject([{ id, properties: { 'security-severity': '9.8' } }])
    expect(run.results).toMatchObject([
      { ruleId: id, level: 'error', locations: [{ logicalLocations: [{ fullyQualifiedName: 'shop.example' }] }] },
    ])
    expect((await owner.get(`${WEB}/export?engagementId=eng_${'0'.repeat(26)}&format=csv`)).status).toBe(404)
  })
})
