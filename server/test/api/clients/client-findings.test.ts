import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

let app: TestApp
let owner: TestClient
let member: TestClient

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  member = await app.signedIn('member')
})
afterAll(() => app.close())

const engagementOf = async (clientId: string, access: 'organization' | 'team'): Promise<string> =>
  (await owner.post('/api/web/engagements', { name: `With ${access}`, details: { clientId, access } })).body.data.id
const finding = async (engagementId: string, severity: string, status?: string): Promise<string> => {
  const { id } = (await owner.post('/api/web/findings', { engagementId, title: severity, severity })).body.data
  if (status) expect((await owner.patch(`/api/web/findings/${id}`, { status })).status).toBe(200)
  return id
}

test('findings of a client are counted by year and severity, and only those of engagements that the caller sees', async () => {
  const clientId = (await owner.post('/api/web/clients', { name: 'Counted' })).body.data.id
  const [open, hidden] = [await engagementOf(clientId, 'organization'), await engagementOf(clientId, 'team')]
  await finding(open, 'high')
  await finding(open, 'high', 'fixed')
  await finding(open, 'low', 'partly_fixed')
  await finding(open, 'critical', 'withdrawn')
  const trashed = await finding(open, 'medium')
  await owner.delete(`/api/web/findings/${trashed}`)
  await finding(hidden, 'critical')
  const old = await finding(open, 'info')
  await app.asSuperuser(`update findings set created_at = '2019-12-31 23:30:00Z' where id = '${old}'`)
  const counts = async (client: TestClient) =>
    (await client.get(`/api/web/clients/${clientId}/findings-by-year`)).body.data
  const year = new Date(app.clock.now()).getUTCFullYear()
  const before = { year: 2019, info: 1, low: 0, medium: 0, high: 0, critical: 0, open: 1 }
  expect(await counts(member)).toEqual([{ year, info: 0, low: 1, medium: 0, high: 2, critical: 0, open: 2 }, before])
  expect(await counts(owner)).toEqual([{ year, info: 0, low: 1, medium: 0, high: 2, critical: 1, open: 3 }, before])
})

test('a client that the caller does not see is 404, one without findings has no years', async () => {
  const clientId = (await owner.post('/api/web/clients', { name: 'Unseen' })).body.data.id
  expect((await member.get(`/api/web/clients/${clientId}/findings-by-year`)).status).toBe(404)
  expect((await owner.get(`/api/web/clients/${clientId}/findings-by-year`)).body.data).toEqual([])
})
