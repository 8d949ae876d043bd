import { EMPTY_OVERVIEW } from '@sortie/contract/engagement/engagement-overview.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

let app: TestApp
let key: TestClient
let owner: TestClient

const V1 = '/api/v1'

beforeAll(async () => {
  app = await testApp({ workers: false })
  key = await app.withKey(['organizations:read', 'organizations:write', 'targets:read', 'targets:write', 'tasks:read'])
  owner = await app.signedIn('owner')
})
afterAll(() => app.close())

const create = async (client: TestClient, path: string, body: object) => {
  const answer = await client.post(path, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}

const engagement = async (body: object = {}): Promise<string> =>
  (await create(key, `${V1}/engagements`, { name: 'Perimeter', ...body })).id

/** An engagement with rules and targets of several kinds. */
const filled = async (body: object = {}): Promise<string> => {
  const engagementId = await engagement(body)
  for (const [effect, pattern] of [
    ['allow', '10.0.0.0/8'],
    ['deny', '10.0.0.9'],
    ['caution', '*.example.com'],
  ]) {
    await create(key, `${V1}/scope-rules`, { engagementId, effect, pattern, note: `${effect} it` })
  }
  const network = await create(key, `${V1}/targets`, {
    engagementId,
    value: '10.1.0.0/16',
    tags: ['lab'],
    criticality: 'high',
    notes: 'n',
  })
  for (const value of ['10.1.0.5', '10.0.0.9'])
    await create(key, `${V1}/targets`, { engagementId, value, parentId: network.id })
  await create(key, `${V1}/targets`, { engagementId, value: 'www.example.com' })
  await create(key, `${V1}/targets`, { engagementId, value: 'arn:x', kind: 'cloud' })
  return engagementId
}

describe('the overview', () => {
  test('of an empty engagement has every count at zero, and the time of its creation', async () => {
    const { status, body } = await key.get(`${V1}/engagements/${await engagement()}/overview`)
    expect([status, body.data]).toEqual([200, { ...EMPTY_OVERVIEW, lastActivityAt: expect.any(String) }])
  })

  test('counts targets by kind and by verdict; counts outside of the scopes are null', async () => {
    const path = `${V1}/engagements/${await filled()}/overview`
    const { targets, tasks, lastActivityAt } = (await key.get(path)).body.data
    expect(targets).toEqual({
      byKind: { domain: 1, ip: 2, cidr: 1, url: 0, service: 0, cloud: 1, repository: 0, other: 0 },
      byVerdict: { in: 2, out: 1, caution: 1, unknown: 1 },
    })
    expect([tasks, lastActivityAt]).toEqual([EMPTY_OVERVIEW.tasks, expect.any(String)])
    const only = await app.withKey(['organizations:read'])
    const nothing = {
      targets: null,
      results: null,
      vulnerabilities: null,
      runningScans: null,
      tasks: null,
      copying: null,
      lastActivityAt,
    }
    expect((await only.get(path)).body.data).toEqual(nothing)
    const reader = await app.withKey(['organizations:read', 'tasks:read'])
    expect((await reader.get(path)).body.data).toEqual({ ...nothing, tasks: EMPTY_OVERVIEW.tasks })
  })

  test('A1: of an engagement that the caller does not see is 404', async () => {
    const id = await engagement({ details: { access: 'team' } })
    const member = await app.signedIn('member')
    const [hidden, never] = await Promise.all(
      [id, 'eng_00000000000000000000000000'].map((each) => member.get(`/api/web/engagements/${each}/overview`)),
    )
    expect([hidden?.status, hidden?.text]).toEqual([404, never?.text])
    expect((await owner.get(`/api/web/engagements/${id}/overview`)).status).toBe(200)
  })
})

describe('a clone', () => {
  const clone = (id: string, include: readonly string[], client = key, door = V1) =>
    client.post(`${door}/engagements/${id}/clone`, { name: 'Retest', include })
  const rows = async (path: string, engagementId: string) =>
    (await key.get(`${V1}/${path}?engagementId=${engagementId}&sort=createdAt&perPage=100`)).body.data
  const without = (names: readonly string[]) => (row: object) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)))
  const sorted = (all: object[]) => all.map((each) => JSON.stringify(each)).toSorted()

  test('has its own rules and targets, evaluated by its own rules, with parents and without sources', async () => {
    const from = await filled({
      description: 'text',
      details: { clientName: 'Contoso', kind: 'network', startsOn: '2026-12-01' },
    })
    const { status, body } = await clone(from, ['details', 'scope', 'targets'])
    expect([status, body.data]).toMatchObject([201, { name: 'Retest', description: 'text', status: 'active' }])
    const to = body.data.id
    expect((await key.get(`${V1}/engagements/${to}/details`)).body.data).toMatchObject({
      clientName: 'Contoso',
      kind: 'network',
      startsOn: '2026-12-01',
    })
    const own = without(['id', 'engagementId', 'createdAt', 'updatedAt', 'scopeRuleId', 'parentId'])
    expect(sorted((await rows('scope-rules', to)).map(own))).toEqual(sorted((await rows('scope-rules', from)).map(own)))
    expect(sorted((await rows('targets', to)).map(own))).toEqual(sorted((await rows('targets', from)).map(own)))
    const [rules, targets] = [await rows('scope-rules', to), await rows('targets', to)]
    const network = targets.find(({ kind }: { kind: string }) => kind === 'cidr')
    expect(targets.filter(({ parentId }: { parentId: string }) => parentId === network.id).length).toBe(2)
    const decided = targets.flatMap(({ scopeRuleId }: { scopeRuleId: string | null }) => scopeRuleId ?? [])
    expect(decided.length).toBe(4)
    expect(decided.every((id: string) => rules.some((each: { id: string }) => each.id === id))).toBe(true)
    expect((await key.get(`${V1}/engagements/${to}/activity`)).body.data[0].after).toMatchObject({ clonedFrom: from })
  })

  test('without rules has no verdicts; with nothing included is empty', async () => {
    const from = await filled()
    const to = (await clone(from, ['targets'])).body.data.id
    expect(new Set((await rows('targets', to)).map(({ verdict }: { verdict: string }) => verdict))).toEqual(
      new Set(['unknown']),
    )
    const empty = (await clone(from, [])).body.data.id
    expect((await key.get(`${V1}/engagements/${empty}/overview`)).body.data.targets).toEqual(EMPTY_OVERVIEW.targets)
    for (const include of [['everything'], ['scope', 'scope']]) expect((await clone(from, include)).status).toBe(422)
    for (const include of [['tasks', 'wiki', 'requests', 'vulnerabilities']])
      expect((await clone(from, include)).status).toBe(201)
  })

  test('A3: of a closed engagement is closed, with the same lead and team, whatever is included', async () => {
    const [lead, mate, other] = [
      await app.signedIn('member'),
      await app.signedIn('member'),
      await app.signedIn('member'),
    ]
    const from = await engagement({
      details: { access: 'team', lead: lead.user.id, team: [mate.user.id], clientName: 'Secret' },
    })
    expect((await clone(from, ['scope'], other, '/api/web')).status).toBe(403)
    const to = (await clone(from, ['scope'])).body.data.id
    const details = (await key.get(`${V1}/engagements/${to}/details`)).body.data
    expect(details).toMatchObject({
      access: 'team',
      clientName: '',
      lead: { id: lead.user.id },
      team: [{ id: mate.user.id }],
    })
    expect((await other.get(`/api/web/engagements/${to}`)).status).toBe(404)
    expect((await mate.get(`/api/web/engagements/${to}`)).status).toBe(200)
  })

  test('of an archived engagement is active; a key that is limited to engagements may not clone', async () => {
    const from = await filled()
    for (const status of ['completed', 'archived']) await key.patch(`${V1}/engagements/${from}`, { status })
    expect((await clone(from, ['scope', 'targets'])).body.data.status).toBe('active')
    const made = await owner.post('/api/web/api-keys', {
      name: 'limited',
      environment: 'live',
      scopes: ['organizations:write'],
      engagementIds: [from],
    })
    const limited = app.anonymous.with({ authorization: `Bearer ${made.body.data.value}` })
    expect((await clone(from, [], limited)).status).toBe(403)
    expect((await clone(await engagement(), [], limited)).status).toBe(403)
  })
})
