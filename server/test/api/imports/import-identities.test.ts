import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { zipOf } from '../../support/inputs/zip.ts'
import { imported, resultsOf } from '../../support/scans/imports.ts'

let app: TestApp
let importer: TestClient & { user: { id: string; name: string } }
let key: TestClient
/** Objects of another organization: an import names it and what it has. */
let theirs: { organizationId: string; userId: string; engagementId: string; pageId: string }
const LONG_AGO = '1999-01-01T00:00:00.000Z'

beforeAll(async () => {
  app = await testApp()
  importer = await app.signedIn('owner')
  key = await app.withKey([
    'api-requests:read',
    'api-requests:write',
    'tasks:read',
    'tasks:write',
    'targets:read',
    'targets:write',
  ])
  const organization = await app.createOrganization()
  const other = await app.signedIn('owner', organization)
  const engagementId = (await other.post('/api/web/engagements', { name: 'Theirs' })).body.data.id
  const pageId = (await other.post('/api/web/wiki-pages', { title: 'Theirs', engagementId })).body.data.id
  theirs = { organizationId: organization.id, userId: other.user.id, engagementId, pageId }
})
afterAll(() => app.close())

const newEngagement = async (): Promise<string> =>
  (await importer.post('/api/web/engagements', { name: 'Ours' })).body.data.id
/** Fields that a file may claim and that must have no effect. */
const claims = () => ({
  id: theirs.pageId,
  organizationId: theirs.organizationId,
  organization_id: theirs.organizationId,
  engagementId: theirs.engagementId,
  createdBy: theirs.userId,
  author: theirs.userId,
  owner: theirs.userId,
  role: 'owner',
  revision: 99,
  createdAt: LONG_AGO,
  updatedAt: LONG_AGO,
})
const expectNew = (created: { id: string; createdAt: string }) => {
  expect(created.id).not.toBe(theirs.pageId)
  expect(Date.parse(created.createdAt)).toBeGreaterThan(Date.parse('2020-01-01'))
  // Columns without a field are kept as text, and decide nothing.
  expect(JSON.stringify({ ...created, data: undefined })).not.toContain(theirs.organizationId)
}

describe('U9: ids, organizations, authors and times that a file names are not adopted by the import', () => {
  test('of a wiki', async () => {
    const engagementId = await newEngagement()
    const front = Object.entries(claims()).map(([name, value]) => `${name}: ${value}`)
    const zip = zipOf({
      'Page.md': ['---', 'sortie: 1', 'title: "Page"', 'order: 1', 'template: false', ...front, '---', 'text'].join(
        '\n',
      ),
    })
    const answer = await importer.request('POST', `/api/web/wiki-pages/import?engagementId=${engagementId}`, {
      rawBody: zip,
    })
    expect(answer.status, answer.text).toBe(201)
    const [{ id }] = (await importer.get(`/api/web/wiki-pages?engagementId=${engagementId}&tree=true`)).body.data
    const page = (await importer.get(`/api/web/wiki-pages/${id}`)).body.data
    expect(page).toMatchObject({ engagementId, revision: 1, createdBy: { id: importer.user.id } })
    expectNew({ ...page, body: '' })
  })

  test('of API requests, as a collection of Postman and as OpenAPI', async () => {
    const info = {
      ...claims(),
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
      name: 'C',
      _postman_id: theirs.pageId,
    }
    const postman = {
      ...claims(),
      info,
      item: [{ ...claims(), name: 'One', request: { method: 'GET', url: 'https://a.example/', ...claims() } }],
    }
    const openapi = {
      openapi: '3.1.0',
      info: { title: 'A', version: '1' },
      ...claims(),
      paths: { '/x': { get: { operationId: 'one', ...claims(), responses: {} } } },
    }
    for (const document of [postman, openapi]) {
      const engagementId = await newEngagement()
      const answer = await key.request('POST', `/api/v1/api-requests/import?engagementId=${engagementId}`, {
        rawBody: JSON.stringify(document),
      })
      expect(answer.status, answer.text).toBe(201)
      const request = (await key.get(`/api/v1/api-requests/${answer.body.data.requests[0].id}`)).body.data
      expect(request).toMatchObject({ engagementId, createdBy: null })
      expectNew(request)
    }
  })

  test('of a methodology', async () => {
    const document = { ...claims(), name: 'List', version: '1', items: [{ key: 'A-1', title: 'One', ...claims() }] }
    const answer = await key.request('POST', '/api/v1/methodologies/import?format=json', {
      rawBody: JSON.stringify(document),
    })
    expect(answer.status, answer.text).toBe(201)
    expectNew(answer.body.data)
  })

  test('of results, as CSV and as JSON lines of a scanner', async () => {
    const engagementId = await newEngagement()
    const columns = { title: 'Old cipher', severity: 'low', host: '192.0.2.7', port: '443', ...claims() }
    const csv = [Object.keys(columns).join(','), Object.values(columns).join(',')].join('\n')
    await imported(key, engagementId, `${csv}\n`, {
      format: 'csv',
      mapping: 'title:title,severity:severity,host:host,port:port',
    })
    // The first row decides the format.
    const rows = [
      { ip: '192.0.2.8', port: 79 },
      { ip: '192.0.2.8', port: 80, ...claims(), timestamp: LONG_AGO },
    ]
    await imported(key, engagementId, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    const results = await resultsOf(key, engagementId)
    expect(results.map(({ kind, asset }) => `${kind} ${asset}`)).toEqual(
      expect.arrayContaining(['service 192.0.2.8:80/tcp', 'vulnerability 192.0.2.7:443/tcp']),
    )
    for (const { id } of results) {
      const result = (await key.get(`/api/v1/results/${id}`)).body.data
      expect(result).toMatchObject({ engagementId })
      expectNew(result)
    }
  })
})
