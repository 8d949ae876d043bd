import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../support/app/test-app.ts'
import type { TestClient } from '../../../support/app/test-client.ts'
import { newEngagement } from '../../../support/document/files.ts'
import { imported, resultsOf } from '../../../support/scans/imports.ts'

/** Scope rules that are URLs evaluate results at a URL by its path. */

let app: TestApp
let key: TestClient

beforeAll(async () => {
  app = await testApp()
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

const ORIGIN = 'https://portal.example.com'
const rows = (row: (url: string) => object, urls: readonly string[]): string =>
  urls.map((url) => JSON.stringify(row(url))).join('\n')
const PATHS = ['/app', '/app/login?next=/', '/app/a/b', '/apple', '/', '/admin/app/']
const IN = ['/app', '/app/login?next=/', '/app/a/b']

const nuclei = (url: string) => ({
  'template-id': 'git',
  info: { name: 'Git', severity: 'low' },
  type: 'http',
  host: ORIGIN,
  ip: '192.0.2.10',
  'matched-at': url,
})
const burpIssue = (url: string, index: number): string =>
  `<issue><serialNumber>${index}</serialNumber><type>1</type><name>N</name><host ip="192.0.2.10">${ORIGIN}</host><path><![CDATA[${url.slice(ORIGIN.length)}]]></path><location><![CDATA[${url.slice(ORIGIN.length)} [id parameter]]]></location><severity>Low</severity></issue>`
const zap = (urls: readonly string[]): string =>
  JSON.stringify({
    '@version': '2.15.0',
    site: [
      {
        '@name': ORIGIN,
        alerts: [
          {
            pluginid: '1',
            name: 'A',
            riskcode: '1',
            confidence: '2',
            instances: urls.map((uri) => ({ uri, method: 'GET' })),
          },
        ],
      },
    ],
  })

const FILES: [string, (urls: readonly string[]) => string][] = [
  ['nuclei', (urls) => rows(nuclei, urls)],
  ['burp', (urls) => `<issues burpVersion="2026.1">${urls.map(burpIssue).join('')}</issues>`],
  ['zap', zap],
]

test.each(FILES)(
  '%s: a result outside of the allowed path is out of scope, and left out on request',
  async (_, file) => {
    const urls = PATHS.map((path) => ORIGIN + path)
    const found = async (engagement: string) =>
      (await resultsOf(key, engagement, { kind: 'vulnerability' })).map(({ data }) =>
        data.location.replace(/ \[.*/, ''),
      )
    const engagement = await newEngagement(key)
    await key.post('/api/v1/scope-rules', { engagementId: engagement, effect: 'allow', pattern: `${ORIGIN}/app/` })
    const perUrl = file === zap ? 2 : 1
    const marked = await imported(key, engagement, file(urls))
    expect(marked).toMatchObject({ state: 'applied', counts: { rejected: 0, outOfScope: 3 * perUrl } })
    const other = await newEngagement(key)
    await key.post('/api/v1/scope-rules', { engagementId: other, effect: 'allow', pattern: `${ORIGIN}/app/` })
    expect((await imported(key, other, file(urls), { outOfScope: 'skip' })).counts).toMatchObject({
      rejected: 3 * perUrl,
      outOfScope: 3 * perUrl,
    })
    expect((await found(other)).map((location: string) => location.replace(ORIGIN, '')).toSorted()).toEqual(
      IN.toSorted(),
    )
  },
)

test('httpx: a denied path of an allowed host is out of scope, the rest of the host is not', async () => {
  const engagement = await newEngagement(key)
  await key.post('/api/v1/scope-rules', { engagementId: engagement, effect: 'allow', pattern: 'portal.example.com' })
  await key.post('/api/v1/scope-rules', { engagementId: engagement, effect: 'deny', pattern: `${ORIGIN}/admin` })
  const file = rows(
    (url) => ({ url, status_code: 200 }),
    PATHS.map((path) => ORIGIN + path),
  )
  const { counts } = await imported(key, engagement, file, { outOfScope: 'skip' })
  expect([counts.rejected, counts.outOfScope]).toEqual([1, 1])
  expect((await resultsOf(key, engagement, { kind: 'http_response' })).map(({ asset }) => asset)).not.toContain(
    `${ORIGIN}/admin/app/`,
  )
})

test('a result at a URL belongs to the nearest URL target if its rules evaluate it differently from its host', async () => {
  const engagement = await newEngagement(key)
  await key.post('/api/v1/scope-rules', { engagementId: engagement, effect: 'allow', pattern: `${ORIGIN}/app/` })
  await key.post('/api/v1/targets', { engagementId: engagement, value: `${ORIGIN}/app/` })
  await imported(key, engagement, zap(PATHS.map((path) => ORIGIN + path)))
  const paths = async (verdict: string) =>
    (await resultsOf(key, engagement, { kind: 'web_path', verdict }))
      .map(({ asset }) => asset.slice(ORIGIN.length))
      .toSorted()
  expect([await paths('in'), await paths('out')]).toEqual([IN.toSorted(), ['/', '/admin/app/', '/apple']])
})

test('a URL rule of an address covers requests to the address, and not those of a name to another', async () => {
  const engagement = await newEngagement(key)
  await key.post('/api/v1/scope-rules', {
    engagementId: engagement,
    effect: 'allow',
    pattern: 'https://192.0.2.10/app',
  })
  const file = rows(
    (url) => ({ ...nuclei(url), host: url }),
    ['https://192.0.2.10/app/x', 'https://192.0.2.10/x', `${ORIGIN}/app`],
  )
  expect((await imported(key, engagement, file)).counts.outOfScope).toBe(2)
})
