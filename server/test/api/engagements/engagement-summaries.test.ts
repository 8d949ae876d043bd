import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

const LIST = '/api/web/engagement-summaries'

let app: TestApp
let owner: TestClient
let member: TestClient
let memberId: string

const create = async (name: string, details: object) => {
  const { status, text } = await owner.post('/api/web/engagements', { name, details })
  expect(status, text).toBe(201)
}

const names = async (client: TestClient, query: string): Promise<string[]> => {
  const { status, body, text } = await client.get(`${LIST}?${query}`)
  expect(status, text).toBe(200)
  return body.data.map(({ name }: { name: string }) => name)
}

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  member = await app.signedIn('member')
  memberId = (await member.get('/api/web/account')).body.data.id
  await create('Zulu', {
    clientName: 'Contoso',
    kind: 'network',
    lead: memberId,
    startsOn: '2026-12-01',
    endsOn: '2026-12-12',
  })
  await create('alpha', { clientName: 'Fabrikam', kind: 'web', endsOn: '2026-12-01' })
  await create('Hidden', { clientName: 'Contoso', kind: 'web', access: 'team' })
})
afterAll(() => app.close())

test('the list names client, kind, dates and lead', async () => {
  const { body } = await owner.get(`${LIST}?q=zul`)
  expect(body.data).toMatchObject([
    {
      name: 'Zulu',
      status: 'active',
      clientName: 'Contoso',
      kind: 'network',
      startsOn: '2026-12-01',
      endsOn: '2026-12-12',
      lead: { id: memberId },
    },
  ])
  expect(body.data[0]).not.toHaveProperty('description')
  expect(body.meta.total).toBe(1)
})

test('it is sorted case-insensitively, and entries without a date are last', async () => {
  expect(await names(owner, 'sort=name&order=asc')).toEqual(['alpha', 'Hidden', 'Zulu'])
  expect(await names(owner, 'sort=endsOn&order=asc')).toEqual(['alpha', 'Zulu', 'Hidden'])
})

test('its filters find status, kind, lead and parts of names; several values mean any of them', async () => {
  expect(await names(owner, 'kind=network,web&sort=name&order=asc')).toEqual(['alpha', 'Hidden', 'Zulu'])
  expect(await names(owner, 'kind=network')).toEqual(['Zulu'])
  expect(await names(owner, 'leadId=none&sort=name&order=asc')).toEqual(['alpha', 'Hidden'])
  expect(await names(member, 'leadId=me')).toEqual(['Zulu'])
  expect(await names(owner, 'q=CONTOSO&sort=name&order=asc')).toEqual(['Hidden', 'Zulu'])
  expect(await names(owner, 'status=archived')).toEqual([])
})

test('a caller who does not see an engagement finds it neither in the list nor in the counts', async () => {
  expect(await names(member, 'sort=name&order=asc')).toEqual(['alpha', 'Zulu'])
  const counts = async (client: TestClient) => (await client.get(`${LIST}/facets?by=kind,leadId`)).body.data
  expect(await counts(owner)).toMatchObject({
    kind: { web: 2, network: 1, cloud: 0 },
    leadId: { none: 2, [memberId]: 1 },
  })
  expect(await counts(member)).toMatchObject({ kind: { web: 1, network: 1 }, leadId: { none: 1, [memberId]: 1 } })
})
