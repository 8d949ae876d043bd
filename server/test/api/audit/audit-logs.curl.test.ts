import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAuditEpoch } from '../../../src/features/audit/audit.service.ts'
import { transaction } from '../../../src/platform/database/transaction.ts'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { parseMarkdown } from '../../support/inputs/markdown.ts'

const LOG = '/api/v1/audit-logs'

interface Entry {
  id: string
  action: string
  cursor: string
}

let app: TestApp
let key: TestClient
let writer: TestClient

beforeAll(async () => {
  app = await testApp({ workers: false })
  key = await app.withKey(['organizations:read'])
  writer = await app.withKey(['organizations:write', 'organizations:read'])
})
afterAll(() => app.close())

const change = async (name: string): Promise<void> => {
  const { status, text } = await writer.post('/api/v1/engagements', { name })
  expect(status, text).toBe(201)
}

const read = async (cursor?: string, query = ''): Promise<Entry[]> => {
  const { status, body, text } = await key.get(`${LOG}?perPage=100${cursor ? `&cursor=${cursor}` : ''}${query}`)
  expect(status, text).toBe(200)
  return body.data
}

/** Everything until now, page by page. */
const readAll = async (cursor?: string): Promise<Entry[]> => {
  const page = await read(cursor)
  return page.length < 100 ? page : [...page, ...(await readAll(page.at(-1)?.cursor))]
}

const names = async (cursor: string) =>
  ((await read(cursor)) as unknown as { after: { name: string } | null }[]).map(({ after }) => after?.name)

/** The cursor after every entry there is. */
const now = async (): Promise<string> => {
  // That of an earlier call must not count.
  const name = `Before ${randomUUID()}`
  await change(name)
  return eventually(async () => {
    const last = (await readAll()).at(-1) as Entry & { after: { name?: string } | null }
    if (last.after?.name !== name) throw new Error('the newest entry has not appeared yet')
    return last.cursor
  })
}

test('is read from the oldest entry to the newest, by page, with the filters of the list, and reading adds no entry', async () => {
  for (const name of ['one', 'two', 'three']) await change(name)
  const all = await readAll()
  expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).sort())
  const first = (await key.get(`${LOG}?perPage=1`)).body
  expect(first.data).toEqual([all[0]])
  expect(first.meta).toEqual({ perPage: 1, nextCursor: all[0]?.cursor })
  const created = await read(undefined, '&action=engagement.created')
  expect(new Set(created.map(({ action }) => action))).toEqual(new Set(['engagement.created']))
  expect(await readAll()).toEqual(all)
})

test('is read as JSON lines, each with its cursor; an empty body says that there is nothing new', async () => {
  const cursor = await now()
  await change('As a line')
  const lines = await eventually(async () => {
    const { text, headers } = await key.get(`${LOG}?format=jsonl&cursor=${cursor}`)
    expect(headers.get('content-type')).toBe('application/jsonl; charset=utf-8')
    if (text === '') throw new Error('not yet')
    return text
  })
  const [line, ...rest] = lines.trimEnd().split('\n')
  expect(rest).toEqual([])
  const entry = JSON.parse(line as string)
  expect(entry).toMatchObject({ action: 'engagement.created', after: { name: 'As a line' } })
  expect((await key.get(`${LOG}?format=jsonl&cursor=${entry.cursor}`)).text).toBe('')
})

test('the commands of docs/operating/audit.md append each entry once to a file, also when they run again', async () => {
  const [block] = parseMarkdown(readFileSync('docs/operating/audit.md', 'utf8')).blocks
  const command = (block?.text ?? '')
    .replace('https://sortie.example.com', app.origin)
    .replace('svc_live_...', (key as TestClient & { value: string }).value)
  expect(command).toContain(`BASE=${app.origin} KEY=svc_`)
  const cwd = mkdtempSync(path.join(os.tmpdir(), 'sortie-audit-'))
  const copied = async () => {
    await promisify(execFile)('sh', ['-euc', command], { cwd })
    const lines = readFileSync(path.join(cwd, 'audit-log.jsonl'), 'utf8').trimEnd().split('\n')
    return lines.map((line) => (JSON.parse(line) as Entry).id)
  }
  await now()
  const all = (await readAll()).map(({ id }) => id)
  expect(await copied()).toEqual(all)
  const cursor = await now()
  const more = await copied()
  expect(more).toEqual((await readAll()).map(({ id }) => id))
  expect(more.length).toBe(all.length + 1)
  expect(await read(cursor)).toEqual([])
  rmSync(cwd, { recursive: true })
})

test('never skips an entry that is committed late: what came after it waits for it', async ({ onTestFinished }) => {
  const cursor = await now()
  const late = new pg.Client(app.settings)
  await late.connect()
  // A transaction that is left open would keep every later entry from appearing.
  onTestFinished(() => late.end())
  await late.query('begin')
  // Made first, committed last.
  await late.query(`insert into audit_entries (id, organization_id, actor_type, actor_name, action, object_type, after, created_at)
    values ('aud_${'0'.repeat(26)}', '${app.organization.id}', 'system', 'late', 'late.entry', 'late', '{"name":"Late"}', now())`)
  await change('Early')
  // It is committed, and the other list shows it.
  const owner = await app.signedIn('owner')
  expect((await owner.get('/api/web/audit?perPage=1')).body.data[0].after.name).toBe('Early')
  expect(await names(cursor)).toEqual([])
  await late.query('commit')
  expect(
    await eventually(async () => {
      const found = await names(cursor)
      if (found.length < 2) throw new Error('not yet')
      return found
    }),
  ).toEqual(['Late', 'Early'])
})

test('a program that polls while many write reads each entry once, in an order that never changes', async () => {
  let cursor = await now()
  const start = cursor
  const polled: string[] = []
  let isWriting = true
  const polling = (async () => {
    while (isWriting || polled.length < 60) {
      const page = await read(cursor)
      polled.push(...page.map(({ id }) => id))
      cursor = page.at(-1)?.cursor ?? cursor
    }
  })()
  await Promise.all(
    Array.from({ length: 6 }, async (_, by) => {
      for (let i = 0; i < 10; i++) await change(`Written ${by} ${i}`)
    }),
  )
  isWriting = false
  await polling
  expect(new Set(polled).size).toBe(60)
  expect((await readAll(start)).map(({ id }) => id)).toEqual(polled)
})

test('goes on after a restore, whose transactions are numbered from the start again', async () => {
  const cursor = await now()
  // As in a restored database: entries of higher transactions than those to come.
  const inFuture = `0.${'9'.repeat(12)}.${cursor.split('.')[2]}`
  await transaction(app.platform.db, startAuditEpoch)
  await change('After the restore')
  for (const each of [cursor, inFuture])
    expect(
      await eventually(async () => {
        const found = await names(each)
        if (found.length === 0) throw new Error('not yet')
        return found
      }),
    ).toEqual(['After the restore'])
})

test('is for keys with organizations:read of the owner and admins: no other scope, no limited key, no key of a member, no other organization', async () => {
  expect((await (await app.withKey(['targets:read'])).get(LOG)).status).toBe(403)
  const owner = await app.signedIn('owner')
  const engagement = (await owner.post('/api/web/engagements', { name: 'Only this' })).body.data.id
  for (const engagementIds of [[engagement], 'open']) {
    const wanted = { name: 'limited', environment: 'live', scopes: ['organizations:read'], engagementIds }
    const made = await owner.post('/api/web/api-keys', wanted)
    expect((await app.anonymous.with({ authorization: `Bearer ${made.body.data.value}` }).get(LOG)).status).toBe(403)
  }
  const other = await app.withKey(['organizations:read'], await app.createOrganization())
  expect((await other.get(LOG)).text).not.toContain(app.organization.id)
  // A key of a person acts within the person's role.
  const admin = await app.createMember('admin')
  const personal = await app.withKey(['organizations:read'])
  await app.db
    .updateTable('api_keys')
    .set({ kind: 'login', owner_id: admin.id })
    .where('id', '=', personal.keyId)
    .execute()
  expect((await personal.get(LOG)).status).toBe(200)
  await app.db.updateTable('memberships').set({ role: 'member' }).where('user_id', '=', admin.id).execute()
  expect((await personal.get(LOG)).status).toBe(403)
  for (const wrong of ['x', '0.1.aud_x', `0.1.aud_${'0'.repeat(27)}`, '-1.1.aud_00000000000000000000000000'])
    expect((await key.get(`${LOG}?cursor=${wrong}`)).status, wrong).toBe(400)
})
