import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinStoredBytes } from '../../../src/features/files/storage-quota.service.ts'
import { type TestApp, type TestOrganization, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { type Receiver, startReceiver } from '../../support/races/receiver.ts'

const QUOTA = 3_000_000
const TEXT = 400_000

let app: TestApp
let web: Receiver
beforeAll(async () => {
  web = await startReceiver((_request, response) => response.end('x'.repeat(TEXT)))
  const env = {
    EGRESS_ALLOW: `127.0.0.1:${web.port}`,
    STORAGE_LIMIT_BYTES_PER_ORGANIZATION: String(QUOTA),
    UPLOAD_LIMIT_BYTES: '500000',
  }
  app = await testApp({ workers: false, env })
})
afterAll(async () => {
  await app.close()
  await web.close()
})

interface Tester {
  organization: TestOrganization
  owner: TestClient
  key: TestClient
  engagementId: string
}
const newTester = async (): Promise<Tester> => {
  const organization = await app.createOrganization()
  const owner = await app.signedIn('owner', organization)
  const key = await app.withKey(
    ['api-requests:read', 'api-requests:write', 'wiki:read', 'wiki:write', 'targets:read', 'targets:write'],
    organization,
  )
  return {
    organization,
    owner,
    key,
    engagementId: (await owner.post('/api/web/engagements', { name: 'Perimeter' })).body.data.id,
  }
}
const counted = async ({ organization }: Tester): Promise<number> => {
  const { rows } = await sql<{
    bytes: string
  }>`select coalesce(sum(bytes), 0) as bytes from stored_bytes where organization_id = ${organization.id}`.execute(
    app.db,
  )
  return Number(rows[0]?.bytes)
}
const created = async (client: TestClient, path: string, body: object) => {
  const response = await client.post(path, body)
  expect(response.status, response.text.slice(0, 300)).toBe(201)
  return response.body.data
}

/** A way to write a large row, and to remove it. */
type Written = { remove(): Promise<unknown> }
const WAYS: Record<string, (tester: Tester) => Promise<Written>> = {
  'a text of a page': async ({ key, engagementId }) => {
    const { id } = await created(key, '/api/v1/wiki-pages', { engagementId, title: 'Long', body: 'x'.repeat(TEXT) })
    return { remove: () => app.asSuperuser(`delete from wiki_pages where id = '${id}'`) }
  },
  'a saved request': async ({ key, engagementId }) => {
    const body = { mode: 'raw', text: 'x'.repeat(TEXT) }
    const { id } = await created(key, '/api/v1/api-requests', { engagementId, name: 'Long', url: web.origin, body })
    // Deleted, it counts for as long as it can be restored.
    return { remove: () => app.asSuperuser(`delete from api_requests where id = '${id}'`) }
  },
  'a run with its answer': async ({ key, engagementId }) => {
    const { id } = await created(key, '/api/v1/api-requests/send', { engagementId, request: { url: web.origin } })
    return { remove: () => key.delete(`/api/v1/request-runs/${id}`) }
  },
  'an environment': async ({ key, engagementId }) => {
    const variables = Array.from({ length: 25 }, (_, index) => ({
      name: `v${index}`,
      value: 'x'.repeat(TEXT / 25),
      secret: false,
    }))
    const { id } = await created(key, '/api/v1/environments', { engagementId, name: 'Long', variables })
    return { remove: () => key.delete(`/api/v1/environments/${id}`) }
  },
  'a file of a page': async ({ key, engagementId }) => {
    const { id } = await created(key, '/api/v1/wiki-pages', { engagementId, title: 'With a file' })
    const upload = await key.request('POST', `/api/v1/wiki-pages/${id}/files?fileName=a.txt`, {
      rawBody: Buffer.alloc(TEXT, 'x'),
    })
    expect(upload.status, upload.text).toBe(201)
    return { remove: () => key.delete(`/api/v1/wiki-pages/${id}/files/${upload.body.data.id}`) }
  },
}

test.each(Object.entries(WAYS))(
  'T17: %s counts for its organization, and no longer once it is deleted',
  async (_, write) => {
    const [tester, other] = [await newTester(), await newTester()]
    const [before, ofOther] = [await counted(tester), await counted(other)]
    const { remove } = await write(tester)
    const after = await counted(tester)
    expect(after - before).toBeGreaterThanOrEqual(TEXT)
    expect(after - before).toBeLessThan(TEXT + 10_000)
    await joinStoredBytes(app)
    expect(await counted(tester)).toBe(after)
    await remove()
    expect((await counted(tester)) - before).toBeLessThan(1_000)
    expect(await counted(other)).toBe(ofOther)
  },
)

test('T17: a stored answer counts', async () => {
  const tester = await newTester()
  const before = await counted(tester)
  const body = { engagementId: tester.engagementId, title: 'Once' }
  const response = await tester.key.request('POST', '/api/v1/wiki-pages', {
    body,
    headers: { 'idempotency-key': 'once' },
  })
  expect(response.status, response.text).toBe(201)
  expect((await counted(tester)) - before).toBeGreaterThan(200)
})

test('T17: changes of a text count with their stored history', async () => {
  const { key, engagementId, ...tester } = await newTester()
  const page = await created(key, '/api/v1/wiki-pages', { engagementId, title: 'Long', body: 'x'.repeat(TEXT) })
  const before = await counted({ key, engagementId, ...tester })
  const saved = await key.patch(`/api/v1/wiki-pages/${page.id}`, { body: 'y'.repeat(TEXT), baseRevision: 1 })
  expect(saved.status, saved.text.slice(0, 300)).toBe(200)
  expect((await counted({ key, engagementId, ...tester })) - before).toBe(TEXT)
})

test.each(Object.entries(WAYS))(
  'T17: over the limit %s is 409, in an organization whose quota others used up; another organization can still write',
  async (_, write) => {
    const [tester, other] = [await newTester(), await newTester()]
    await app.asSuperuser(
      `insert into stored_bytes (organization_id, bytes) values ('${tester.organization.id}', ${QUOTA + 1})`,
    )
    await expect(write(tester)).rejects.toThrow(
      `This organization may store ${QUOTA} bytes, including its files: delete some first.`,
    )
    await write(other)
  },
)

/** Limits of tables whose rows are not counted: the number of their rows, or their size. */
const NOT_COUNTED: Record<string, string> = {
  device_authorizations: 'two hashes, for the minutes of a sign-in',
  affected_assets: 'a line each, 10,000 for each finding',
  api_keys: 'hashes',
  audit_entries: 'a few kilobytes for each change',
  billing_events: 'come only from the billing provider',
  comments: 'texts of 45,000 characters, 10,000 for each object',
  clients: 'notes of 20,000 characters',
  code_hosting_deliveries: 'come only from the code hosting provider, and are removed',
  engagements: 'a description of 10,000 characters',
  field_values: 'a text of 20,000 characters, 50 for each object',
  findings: 'FINDING_LIMIT; their revisions are counted',
  imports: 'a row for each file, which counts itself',
  invitations: 'hashes',
  mails: 'are removed once sent',
  methodologies: 'steps within the limit of a body, and as many as tasks',
  observations: 'RESULT_LIMIT',
  report_certificates: 'one for each organization, of 64 KiB',
  report_edition_files: 'a row for each file, which counts itself',
  report_renders: 'a row for each file, which counts itself; both are removed after 7 days',
  report_sections: 'their revisions are counted',
  report_settings: 'one for each organization',
  reports: 'a filter and options, 200 for each engagement; their editions are counted',
  request_folders: 'an authentication of 16 kB',
  request_handoffs: 'last as long as a run, of which REQUEST_RUNS_AT_ONCE run',
  results: 'RESULT_LIMIT',
  scan_schedules: 'options of scanners',
  scans: 'options of scanners, within SCAN_QUEUE_LIMIT',
  targets: 'TARGET_LIMIT',
  tasks: 'TASK_LIMIT',
  webhook_deliveries: 'a message of some kilobytes for an event and an endpoint, removed after 30 days',
  webhook_endpoints: 'MAX_WEBHOOK_ENDPOINTS',
  webhook_events: 'wait for their messages, and are removed with them',
}

test('T17: each table of organizations with a column that can be large is counted, or has another limit', async () => {
  const { rows: tables } = await sql<{ name: string }>`
    select distinct c.table_name as name from information_schema.columns c
    join information_schema.columns o on o.table_name = c.table_name and o.table_schema = c.table_schema and o.column_name = 'organization_id'
    join information_schema.tables t on t.table_name = c.table_name and t.table_schema = c.table_schema and t.table_type = 'BASE TABLE'
    where c.table_schema = 'public' and (c.data_type in ('bytea', 'jsonb', 'json') or c.column_name in ('body', 'size'))`.execute(
    app.db,
  )
  const { rows: triggers } = await sql<{ name: string }>`
    select distinct event_object_table as name from information_schema.triggers where trigger_name in ('bytes_added', 'bytes_gone')`.execute(
    app.db,
  )
  const isCounted = new Set(triggers.map(({ name }) => name))
  const open = tables.map(({ name }) => name).filter((name) => !isCounted.has(name) && !(name in NOT_COUNTED))
  expect(open.toSorted()).toEqual([])
  expect(
    Object.keys(NOT_COUNTED).filter((name) => isCounted.has(name) || !tables.some((table) => table.name === name)),
  ).toEqual([])
  for (const name of [
    'wiki_revisions',
    'request_runs',
    'api_requests',
    'request_environments',
    'idempotency_keys',
    'files',
  ])
    expect([...isCounted]).toContain(name)
})
