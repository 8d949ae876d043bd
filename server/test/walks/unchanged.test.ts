import { isDeepStrictEqual } from 'node:util'
import { SCOPE_NAMES } from '@sortie/contract/core/scopes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app/test-app.ts'
import type { TestClient } from '../support/app/test-client.ts'
import { CHANGES_ELSEWHERE } from '../support/walks/changes-elsewhere.ts'
import { prepareChange } from '../support/walks/changes.ts'
import { atOneDoor, type Mounted, mountedRoutes } from '../support/walks/walk.ts'

let app: TestApp
let owner: TestClient
let key: TestClient
let routes: Mounted[]

beforeAll(async () => {
  app = await testApp({ workers: false })
  owner = await app.signedIn('owner')
  key = await app.withKey(SCOPE_NAMES)
  routes = atOneDoor(
    mountedRoutes(app).filter(
      ({ endpoint: { id, method, path } }) =>
        (method === 'PATCH' || method === 'PUT' || path.endsWith('/bulk-update')) && !CHANGES_ELSEWHERE.has(id),
    ),
  )
})
afterAll(() => app.close())

/** Every time at which a row was changed, and how many rows the audit log has. */
const written = async (): Promise<unknown> => {
  const { rows } = await sql<{
    table_name: string
    column_name: string
  }>`select c.table_name, c.column_name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' and c.column_name in ('updated_at', 'details_updated_at', 'edited_at', 'status_changed_at')
    order by 1, 2`.execute(app.db)
  const times = []
  for (const { table_name: table, column_name: column } of rows) {
    const found = await sql<{
      times: string[]
    }>`select array_agg(${sql.ref(column)}::text order by ${sql.ref(column)}) as times from ${sql.table(table)}`.execute(
      app.db,
    )
    times.push([table, column, found.rows[0]?.times])
  }
  const counts =
    await sql`select (select count(*) from audit_entries) as audit, (select count(*) from task_bulk_changes) as changes,
    (select count(*) from wiki_revisions) as revisions`.execute(app.db)
  return [times, counts.rows[0]]
}

test('check 9: what is changed to what it is already keeps its times, and leaves no row in the audit log or a history', async () => {
  const covered: string[] = []
  const wrong: string[] = []
  for (const route of routes) {
    const send = await prepareChange(app, route.door === 'key' ? key : owner, route)
    const first = await send()
    expect(first.status, `${route.name}: ${first.text}`).toBe(200)
    const before = await written()
    await send()
    if (!isDeepStrictEqual(await written(), before)) wrong.push(route.name)
    covered.push(route.endpoint.id)
  }
  expect(covered).toEqual(
    expect.arrayContaining([
      'bulkUpdateResults',
      'bulkUpdateTargets',
      'bulkUpdateTasks',
      'bulkUpdateScopeRules',
      'updateResult',
      'updateTarget',
      'updateTask',
    ]),
  )
})
