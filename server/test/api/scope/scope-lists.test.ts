import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

let app: TestApp
let key: TestClient
let engagementId: string

beforeAll(async () => {
  app = await testApp({ workers: false })
  key = await app.withKey(['organizations:read', 'organizations:write', 'targets:read', 'targets:write'])
  engagementId = (await key.post('/api/v1/engagements', { name: 'Perimeter' })).body.data.id
})
afterAll(() => app.close())

const parse = async (text: string) =>
  (await key.post('/api/v1/scope-rules/parse', { engagementId, text })).body.data.rules.map(
    ({ effect, pattern, note }: Record<string, string>) => [effect, pattern, note],
  )

const HACKERONE = `identifier,asset_type,instruction,eligible_for_bounty,eligible_for_submission,max_severity
*.example.com,WILDCARD,"Main, all of it",true,true,critical
https://blog.example.com/,URL,"Third party
of others",false,false,none
com.example.app,GOOGLE_PLAY_APP_ID,,true,true,critical
pay.example.com,URL,Do not test the payment,true,true,critical
api.example.com,URL,,true,,critical
vpn.example.com:8443,OTHER,,true,true,critical
"admin.example.com:443,8443",OTHER,,false,false,none
`

test('D1: the CSV of HackerOne gives each asset its effect; words that may exclude leave it open', async () => {
  expect(await parse(HACKERONE)).toEqual([
    ['allow', '*.example.com', 'Main, all of it · WILDCARD'],
    ['deny', 'https://blog.example.com', 'Third party of others · URL'],
    ['allow', null, 'GOOGLE_PLAY_APP_ID'],
    [null, 'pay.example.com', 'Do not test the payment · URL'],
    [null, 'api.example.com', 'URL'],
    ['allow', 'vpn.example.com:8443', 'OTHER'],
    ['deny', 'admin.example.com:443', 'OTHER'],
    ['deny', null, 'OTHER'],
  ])
})

test('D1: JSON of Bugcrowd and Intigriti: what is out of scope is denied, at any depth', async () => {
  expect(
    await parse(
      JSON.stringify({
        target_groups: [
          { name: 'Web', in_scope: true, targets: [{ name: 'shop', uri: 'https://shop.example.com' }] },
          { name: 'Others', in_scope: false, targets: [{ name: 'blog.example.com', uri: '', in_scope: true }] },
          { name: 'Console', in_scope: false, targets: [{ name: 'api.example.com:8443', uri: '', in_scope: true }] },
        ],
      }),
    ),
  ).toEqual([
    ['allow', 'https://shop.example.com', 'shop'],
    ['deny', 'blog.example.com', ''],
    ['deny', 'api.example.com:8443', ''],
  ])
  expect(
    await parse(
      JSON.stringify({
        targets: {
          in_scope: [{ endpoint: '*.example.com', type: 'wildcard' }],
          out_of_scope: [{ endpoint: 'vpn.example.com', type: 'url', in_scope: true }],
        },
      }),
    ),
  ).toEqual([
    ['allow', '*.example.com', 'wildcard'],
    ['deny', 'vpn.example.com', 'url'],
  ])
  expect(
    await parse(
      JSON.stringify({
        domains: [
          { endpoint: 'a.example.com', tier: { value: 'Out Of Scope' } },
          { endpoint: 'b.example.com', tier: { value: 'Tier 1' } },
          { endpoint: 'c.example.com' },
        ],
      }),
    ),
  ).toEqual([
    ['deny', 'a.example.com', ''],
    ['allow', 'b.example.com', ''],
    [null, 'c.example.com', ''],
  ])
})

test('D1: JSON lists of plain names have the effect of their list, and other texts are not assets', async () => {
  expect(
    await parse(
      JSON.stringify({
        in_scope: ['*.example.com', 'https://app.example.com/'],
        out_of_scope: ['vpn.example.com'],
        tags: ['intranet'],
      }),
    ),
  ).toEqual([
    ['allow', '*.example.com', ''],
    ['allow', 'https://app.example.com', ''],
    ['deny', 'vpn.example.com', ''],
  ])
})

test('D1: a list that is pasted as allowed saves nothing that it excludes', async () => {
  const { status, body } = await key.post('/api/v1/scope-rules/bulk', {
    engagementId,
    effect: 'allow',
    text: HACKERONE,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  const { data } = (await key.get(`/api/v1/scope-rules?engagementId=${engagementId}`)).body
  // Rules that were created together are in no particular order.
  expect(data.map(({ pattern, effect }: Record<string, string>) => `${effect} ${pattern}`).toSorted()).toEqual([
    'allow *.example.com',
    'allow vpn.example.com:8443',
  ])
})
