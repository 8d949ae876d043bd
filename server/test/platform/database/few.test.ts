import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../../src/platform/database/connection/open.ts'
import { readWithHelper } from '../../../src/platform/lists/few.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ workers: false })
})
afterAll(() => app.close())

const searchedTables = async (): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = current_schema() and column_name = 'searched' order by 1`.execute(app.db)
  return rows.map(({ name }) => name)
}

/** Tables whose search, with their policies, cannot use a second process. */
const withOneProcess = async (db: Database): Promise<string[]> => {
  // The tables are empty: without it, Postgres would see no gain.
  await sql`set local debug_parallel_query = on`.execute(db)
  const found: string[] = []
  for (const table of await searchedTables()) {
    const plan = await sql<{ 'QUERY PLAN': string }>`
      explain select id from ${sql.table(table)} where strpos(searched, 'x') > 0 limit 1`.execute(db)
    if (!plan.rows.some((row) => row['QUERY PLAN'].includes('Gather'))) found.push(table)
  }
  return found
}

const db = () => app.platform.scopedTo(app.organization.id, 'all')

test('a search of every large table can use a second process of Postgres, with the policies of the table', async () => {
  expect(await searchedTables()).toEqual(expect.arrayContaining(['engagements', 'results', 'targets', 'tasks']))
  // The policy of clients, who are few, changes a setting meanwhile.
  expect(await readWithHelper(db(), withOneProcess)).toEqual(['clients'])
})

test('a function of the policies that only one process may run is noticed', async () => {
  await app.asSuperuser('alter function hidden_engagements(text, text) parallel unsafe')
  const found = await readWithHelper(db(), withOneProcess)
  await app.asSuperuser('alter function hidden_engagements(text, text) parallel safe')
  expect(found).toEqual(expect.arrayContaining(['engagements', 'results', 'targets', 'tasks']))
})

test('a search in a second process finds what its viewer sees, and nothing of others', async () => {
  const [lead, member] = [await app.signedIn('member'), await app.signedIn('member')]
  const owner = await app.signedIn('owner')
  const details = { access: 'team', lead: lead.user.id }
  for (const body of [{ name: 'Needle of a team', details }, { name: 'Needle of all' }])
    expect((await owner.post('/api/web/engagements', body)).status).toBe(201)
  const foundBy = (viewer: string, organizationId = app.organization.id) =>
    readWithHelper(app.platform.scopedTo(organizationId, viewer), async (tx) => {
      await sql`set local debug_parallel_query = on`.execute(tx)
      const { rows } = await sql<{ name: string }>`
        select name from engagements where strpos(searched, 'needle') > 0 order by name`.execute(tx)
      return rows.map(({ name }) => name)
    })
  const all = ['Needle of a team', 'Needle of all']
  expect(await Promise.all([foundBy('all'), foundBy(lead.user.id)])).toEqual([all, all])
  expect(await Promise.all([foundBy('open'), foundBy(member.user.id)])).toEqual([['Needle of all'], ['Needle of all']])
  expect(await foundBy('all', 'org_other')).toEqual([])
})

test('a search may use a second process, other reads and those of a transaction use one', async () => {
  const countHelpers = async (on: Database) => {
    const { rows } = await sql<{ count: string }>`
      select current_setting('max_parallel_workers_per_gather') as count`.execute(on)
    return rows[0]?.count
  }
  expect(await readWithHelper(db(), countHelpers)).toBe('1')
  expect(await countHelpers(db())).toBe('0')
  expect(
    await db()
      .transaction()
      .execute((tx) => readWithHelper(tx, countHelpers)),
  ).toBe('0')
})
