import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isNightly } from '../../support/app/nightly.ts'
import { type TestApp, type TestOrganization, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'

const ENGAGEMENTS = '/api/v1/engagements'
const ORGANIZATION = '/api/v1/organizations/current'
const ROWS = isNightly ? 200_000 : 100_000

let app: TestApp
let large: TestOrganization
let greedy: TestClient
let other: TestClient

beforeAll(async () => {
  app = await testApp({ workers: false })
  large = await app.createOrganization()
  greedy = await app.withKey(['organizations:read', 'organizations:write'], large)
  other = await app.withKey(['organizations:read', 'organizations:write'])
})
afterAll(() => app.close())

const timed = async (request: () => Promise<{ status: number }>) => {
  const started = performance.now()
  const { status } = await request()
  return { status, ms: performance.now() - started }
}

const medianMs = (answers: { ms: number }[]): number =>
  answers.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(answers.length / 2)] as number

test(`R8: while one organization lists ${ROWS} names with three clients, no request of another fails or waits for a list`, async () => {
  await app.asSuperuser(`
    insert into engagements (id, organization_id, name, description, status, created_at, updated_at, details_updated_at)
      select 'eng_' || lpad(i::text, 26, '0'), '${large.id}', md5(i::text), '', 'active', now(), now(), now() from generate_series(1, ${ROWS}) i
      on conflict do nothing;
    analyze engagements`)
  const lists: { status: number; ms: number }[] = []
  let going = true
  const list = async () => {
    while (going) lists.push(await timed(() => greedy.get(`${ENGAGEMENTS}?sort=name&order=asc`)))
  }
  const others: { status: number; ms: number }[] = []
  const concurrent = async () => {
    for (let i = 0; i < 40; i++) others.push(await timed(() => other.get(i % 2 ? ENGAGEMENTS : ORGANIZATION)))
    others.push(await timed(() => other.post(ENGAGEMENTS, { name: 'At the same time' })))
    going = false
  }
  await Promise.all([list(), list(), list(), concurrent()])
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200, 201]))
  expect(medianMs(others)).toBeLessThan(medianMs(lists) / 2)
})

test('R8: changes of one organization that wait for a lock leave the others their connections', async () => {
  const blocker = new pg.Client(app.settings)
  await blocker.connect()
  await blocker.query('begin')
  await blocker.query('select 1 from organizations where id = $1 for update', [large.id])
  const owner = await app.signedIn('owner', large)
  const waiting = Promise.all(
    Array.from({ length: 40 }, () => owner.patch('/api/web/organizations/current', { name: 'While it is locked' })),
  )
  const statuses: number[] = []
  for (let i = 0; i < 10; i++)
    statuses.push((await other.get(ENGAGEMENTS)).status, (await other.post(ENGAGEMENTS, { name: 'Meanwhile' })).status)
  await blocker.query('rollback')
  await blocker.end()
  await waiting
  expect(statuses).toEqual(Array.from({ length: 20 }, (_, i) => (i % 2 ? 201 : 200)))
})
