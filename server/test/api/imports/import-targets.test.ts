import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { newEngagement } from '../../support/document/files.ts'
import { imported } from '../../support/scans/imports.ts'

let app: TestApp
let key: TestClient

beforeAll(async () => {
  app = await testApp()
  key = await app.withKey(['targets:read', 'targets:write', 'organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

const json = (...rows: object[]): string => rows.map((row) => JSON.stringify(row)).join('\n')

test.each<[fact: string, file: string, targets: string[], rejected?: number]>([
  [
    'subfinder: names with a leading underscore, in both forms',
    json(
      { host: '_dmarc.example.com', input: 'example.com', source: 'x' },
      { host: '_SIP._tcp.example.com.', input: 'example.com', source: 'x' },
    ),
    ['_dmarc.example.com', '_sip._tcp.example.com'],
  ],
  [
    'subfinder: plain names, one of them with a leading underscore',
    'www.example.com\n_dmarc.example.com\n',
    ['_dmarc.example.com', 'www.example.com'],
  ],
  [
    'subfinder: a name that was found in a wildcard certificate',
    json({ host: 'a.example', input: 'a.example', source: 'x', wildcard_certificate: true }),
    ['a.example'],
  ],
  [
    'subfinder: a wildcard is not a target',
    json(
      { host: '*.a.example', input: 'a.example', source: 'x' },
      { host: 'b.example', input: 'b.example', source: 'x' },
    ),
    ['b.example'],
    1,
  ],
  [
    'amass: a name with a leading underscore',
    json({ name: '_dmarc.example.com', domain: 'example.com', addresses: [] }),
    ['_dmarc.example.com'],
  ],
  ['naabu: lines with a leading underscore', '_x.example.com:80\n', ['_x.example.com']],
  [
    'tlsx: names of a certificate that no rule covers are not targets, its wildcard least of all',
    json({
      host: 'a.b.example',
      port: '443',
      tls_version: 'tls13',
      wildcard_certificate: true,
      serial: '1',
      issuer_dn: 'CN=x',
      subject_an: ['*.b.example', 'c.example'],
    }),
    ['a.b.example'],
  ],
])('targets of %s', async (_fact, file, targets, rejected = 0) => {
  const engagement = await newEngagement(key)
  expect((await imported(key, engagement, file)).counts).toMatchObject({
    rejected,
    targets: { created: targets.length },
  })
  const { data } = (await key.get(`/api/v1/targets?engagementId=${engagement}`)).body
  expect(data.map(({ canonical }: { canonical: string }) => canonical).toSorted()).toEqual(targets)
})

test.each<[tool: string, row: (certificate: object) => object]>([
  ['tlsx', (certificate) => ({ host: 'a.b.example', port: '443', tls_version: 'tls13', ...certificate })],
  ['httpx', (certificate) => ({ url: 'https://a.b.example/', status_code: 200, tls: certificate })],
])('%s: names in a certificate become targets if a rule covers them; an undo removes them', async (_, row) => {
  const engagementId = await newEngagement(key)
  for (const [effect, pattern] of [
    ['allow', '*.b.example'],
    ['caution', 'careful.b.example'],
    ['deny', 'denied.b.example'],
  ])
    await key.post('/api/v1/scope-rules', { engagementId, effect, pattern })
  const names = [
    'A.b.example',
    'new.b.example',
    'careful.b.example',
    'denied.b.example',
    'other.example',
    '*.b.example',
    'b.example',
  ]
  const file = json(row({ serial: '1', issuer_dn: 'CN=x', subject_an: names }))
  const targets = async () => {
    const { data } = (await key.get(`/api/v1/targets?engagementId=${engagementId}`)).body
    return data
      .map(({ canonical, verdict }: { canonical: string; verdict: string }) => `${canonical} ${verdict}`)
      .toSorted()
  }
  const preview = await imported(key, engagementId, file, { mode: 'preview' })
  expect([preview.counts.targets, await targets()]).toEqual([{ created: 3, known: 0 }, []])
  const { id, counts } = await imported(key, engagementId, file, { outOfScope: 'skip' })
  expect(counts).toMatchObject({ targets: { created: 3 }, rejected: 0, outOfScope: 0 })
  expect(await targets()).toEqual(['a.b.example in', 'careful.b.example caution', 'new.b.example in'])
  expect((await key.post(`/api/v1/imports/${id}/undo`)).status).toBe(200)
  await eventually(async () => expect(await targets()).toEqual([]))
})
