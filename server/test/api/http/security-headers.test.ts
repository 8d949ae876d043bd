import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { newEngagement } from '../../support/document/files.ts'
import { imported, resultsOf } from '../../support/scans/imports.ts'

let app: TestApp
let key: TestClient

beforeAll(async () => {
  app = await testApp()
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

const URL = 'https://shop.example.com/'
const HTML = { 'content-type': 'text/html; charset=utf-8' }
const FRAMES = { 'content-security-policy': "default-src 'self'; frame-ancestors 'none'" }
const ALL = [
  'content-security-policy',
  'permissions-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
]

test.each<[fact: string, row: object, missing: string[] | undefined]>([
  ['a page without any lacks them all', { header: HTML }, ALL],
  [
    'over plain HTTP nothing promises HTTPS',
    { url: 'http://shop.example.com/', header: HTML },
    ALL.filter((name) => !name.startsWith('strict')),
  ],
  ['a policy for frames replaces the older header', { header: { ...HTML, ...FRAMES } }, ALL.slice(1, 5)],
  [
    'names with underscores are the same names',
    { header: { content_type: 'text/html', X_Frame_Options: 'DENY', strict_transport_security: 'max-age=1' } },
    ['content-security-policy', 'permissions-policy', 'referrer-policy', 'x-content-type-options'],
  ],
  [
    'a response that is not a page',
    { header: { 'content-type': 'application/json' } },
    ['strict-transport-security', 'x-content-type-options'],
  ],
  ['a redirect', { status_code: 301, header: { location: '/x' } }, ['strict-transport-security']],
  ['nothing is reported about headers that are not listed', {}, undefined],
])('missing security headers are detected: %s', async (_, row, missing) => {
  const engagementId = await newEngagement(key)
  await imported(key, engagementId, JSON.stringify({ url: URL, status_code: 200, ...row }))
  const [{ id, data } = { id: '', data: {} }] = await resultsOf(key, engagementId, { kind: 'http_response' })
  expect(data['missingHeaders']).toEqual(missing)
  expect((await key.get(`/api/v1/results/${id}`)).body.data.data.missingHeaders).toEqual(missing)
})

test('a security header that is now sent is no longer missing', async () => {
  const engagementId = await newEngagement(key)
  for (const header of [HTML, { ...HTML, ...FRAMES }])
    await imported(key, engagementId, JSON.stringify({ url: URL, status_code: 200, header }))
  const [response] = await resultsOf(key, engagementId, { kind: 'http_response' })
  expect(response?.data['missingHeaders']).toEqual(ALL.slice(1, 5))
})
