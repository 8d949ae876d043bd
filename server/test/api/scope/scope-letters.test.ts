import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

let app: TestApp
let key: TestClient

const RULES = '/api/v1/scope-rules'

beforeAll(async () => {
  app = await testApp({ workers: false })
  key = await app.withKey(['organizations:read', 'organizations:write', 'targets:read', 'targets:write'])
})
afterAll(() => app.close())

const engagement = async (): Promise<string> =>
  (await key.post('/api/v1/engagements', { name: 'Perimeter' })).body.data.id
const rulesOf = async (engagementId: string) =>
  (await key.get(`${RULES}?engagementId=${engagementId}&sort=pattern&order=asc&perPage=100`)).body.data.map(
    ({ effect, pattern, note }: Record<string, string>) => `${effect} ${pattern}${note ? ` (${note})` : ''}`,
  )

const LETTER =
  'In scope:\n*.corp.example\nOut of scope:\n- vpn.corp.example\n- payroll.corp.example (hosted by third party)\n'

describe('a letter', () => {
  test('D1: is parsed together with the existing rules, and nothing is stored', async () => {
    const engagementId = await engagement()
    const { id } = (await key.post(RULES, { engagementId, effect: 'allow', pattern: 'vpn.corp.example' })).body.data
    const { status, body } = await key.post(`${RULES}/parse`, { engagementId, text: LETTER })
    expect([status, body.data.rules]).toEqual([
      200,
      [
        {
          line: 2,
          source: '*.corp.example',
          effect: 'allow',
          pattern: '*.corp.example',
          note: '',
          reason: expect.stringContaining('line 1'),
          existing: null,
        },
        {
          line: 4,
          source: '- vpn.corp.example',
          effect: 'deny',
          pattern: 'vpn.corp.example',
          note: '',
          reason: 'below “Out of scope:” (line 3)',
          existing: { scopeRuleId: id, effect: 'allow' },
        },
        {
          line: 5,
          source: '- payroll.corp.example (hosted by third party)',
          effect: 'deny',
          pattern: 'payroll.corp.example',
          note: 'hosted by third party',
          reason: 'below “Out of scope:” (line 3)',
          existing: null,
        },
      ],
    ])
    expect(await rulesOf(engagementId)).toEqual(['allow vpn.corp.example'])
  })

  test('D1: pasted with the effect allow saves no line that its heading or its words exclude', async () => {
    const engagementId = await engagement()
    const text = `${LETTER}In scope:\nshop.corp.example\ndb.corp.example # do not test\nweb.corp.example except mail.corp.example`
    const { body } = await key.post(`${RULES}/bulk`, { engagementId, effect: 'allow', text })
    expect(await rulesOf(engagementId)).toEqual(['allow *.corp.example', 'allow shop.corp.example'])
    expect(
      body.data.lines
        .filter(({ outcome }: { outcome: string }) => outcome === 'rejected')
        .map(({ line }: { line: number }) => line),
    ).toEqual([4, 5, 8, 9, 9])
    await key.post(`${RULES}/bulk`, { engagementId, effect: 'caution', text: 'Out of scope:\nvpn.corp.example' })
    expect(await rulesOf(engagementId)).not.toContain('caution vpn.corp.example')
  })

  test('of an engagement that the caller does not see, and an empty one, is 422', async () => {
    expect(
      (await key.post(`${RULES}/parse`, { engagementId: 'eng_00000000000000000000000000', text: LETTER })).status,
    ).toBe(422)
    expect((await key.post(`${RULES}/parse`, { engagementId: await engagement(), text: '' })).status).toBe(422)
    expect(
      (await key.post(`${RULES}/parse`, { engagementId: await engagement(), text: 'a.bc '.repeat(50_000) })).status,
    ).toBe(200)
  })
})

describe('chosen rules', () => {
  test('are saved with their effects and notes in one transaction, or not at all', async () => {
    const engagementId = await engagement()
    const rules = [
      { effect: 'allow', pattern: '*.corp.example' },
      { effect: 'deny', pattern: 'vpn.corp.example', note: 'by phone' },
    ]
    const saved = await key.post(`${RULES}/bulk`, { engagementId, rules })
    expect([saved.status, saved.body.data]).toMatchObject([201, { created: 2, known: 0, changed: 0, rejected: 0 }])
    expect(await rulesOf(engagementId)).toEqual(['allow *.corp.example', 'deny vpn.corp.example (by phone)'])
    for (const [wrong, status] of [
      [{ effect: 'allow', pattern: 'vpn.corp.example' }, 409],
      [{ effect: 'allow', pattern: 'vpn.corp.example', replaces: 'caution' }, 409],
      [{ effect: 'allow', pattern: 'Out of scope: x.example' }, 422],
      [{ effect: 'deny', pattern: 'new.example' }, 422],
    ] as const) {
      const answer = await key.post(`${RULES}/bulk`, {
        engagementId,
        rules: [{ effect: 'allow', pattern: 'new.example' }, wrong],
      })
      expect(answer.status, wrong.pattern).toBe(status)
    }
    expect((await key.post(`${RULES}/bulk`, { engagementId, rules, effect: 'allow', text: 'a.example' })).status).toBe(
      422,
    )
    expect((await key.post(`${RULES}/bulk`, { engagementId })).status).toBe(422)
    expect(await rulesOf(engagementId)).toEqual(['allow *.corp.example', 'deny vpn.corp.example (by phone)'])
  })

  test('replace a rule whose other effect they name, and its targets are evaluated again', async () => {
    const engagementId = await engagement()
    await key.post(RULES, { engagementId, effect: 'allow', pattern: 'vpn.corp.example', note: 'annex' })
    const target = (await key.post('/api/v1/targets', { engagementId, value: 'vpn.corp.example' })).body.data
    const { body } = await key.post(`${RULES}/bulk`, {
      engagementId,
      rules: [{ effect: 'deny', pattern: 'vpn.corp.example', replaces: 'allow' }],
    })
    expect(body.data).toMatchObject({ created: 0, changed: 1, lines: [{ outcome: 'changed' }] })
    expect(await rulesOf(engagementId)).toEqual(['deny vpn.corp.example (annex)'])
    expect((await key.get(`/api/v1/targets/${target.id}`)).body.data.verdict).toBe('out')
  })
})

test('selected rules are changed and deleted together, by users who may write the scope', async () => {
  const engagementId = await engagement()
  const rules = ['a.example', 'b.example', 'c.example'].map((pattern) => ({ effect: 'allow', pattern }))
  const ids = (await key.post(`${RULES}/bulk`, { engagementId, rules })).body.data.lines.map(
    ({ scopeRuleId }: { scopeRuleId: string }) => scopeRuleId,
  )
  const reader = await app.withKey(['targets:read', 'targets:write'])
  expect((await reader.post(`${RULES}/bulk-update`, { ids, set: { effect: 'deny' } })).status).toBe(403)
  expect((await reader.post(`${RULES}/bulk-delete`, { ids })).status).toBe(403)
  const some = ids.slice(0, 2)
  expect((await key.post(`${RULES}/bulk-update`, { ids: some, set: { effect: 'deny' } })).body.data).toEqual({
    updated: 2,
  })
  expect((await key.post(`${RULES}/bulk-update`, { ids: some, set: { effect: 'deny' } })).body.data).toEqual({
    updated: 0,
  })
  expect(await rulesOf(engagementId)).toEqual(['deny a.example', 'deny b.example', 'allow c.example'])
  expect((await key.post(`${RULES}/bulk-delete`, { filter: { engagementId, effect: ['deny'] } })).body.data).toEqual({
    deleted: 2,
  })
  expect(await rulesOf(engagementId)).toEqual(['allow c.example'])
  expect((await key.post(`${RULES}/bulk-delete`, {})).status).toBe(422)
})
