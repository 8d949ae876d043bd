import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../../../client/src/client.ts'
import type { ConnectionSettings } from '../../../src/platform/database/connection/open.ts'
import { hereMs } from '../../support/app/machine.ts'
import { nightly } from '../../support/app/nightly.ts'
import { createStage, eventually, type ServerProcess } from '../../support/app/server-process.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { databaseAddress, proxiedUrl, signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'
import { zipOf } from '../../support/inputs/zip.ts'
import { FaultProxy } from '../../support/network/fault-proxy.ts'

const ENGAGEMENTS = '/api/v1/engagements'
const HEALTHY_WITHIN_MS = 5_000

const stage = createStage()
let settings: ConnectionSettings
let proxy: FaultProxy
let server: ServerProcess
let admin: pg.Client
let key: TestClient

beforeAll(async () => {
  settings = await copyTemplate()
  proxy = await FaultProxy.start(databaseAddress(settings))
  stage.add(() => proxy.close())
  server = await stage.server({ env: { DATABASE_URL: proxiedUrl(settings, proxy.port) } })
  await server.ready()
  key = await withNewKey(await signInAsOwner(server.origin))
  admin = new pg.Client(settings)
  await admin.connect()
})
afterEach(() => admin.query('rollback'))
afterAll(async () => {
  await admin.end()
  await stage.close()
})

/** Engagements of this name, each with the number of its audit entries. */
const madeAs = async (name: string): Promise<number[]> => {
  const { rows } = await admin.query<{ entries: number }>(
    `select count(a.id)::int as entries from engagements e left join audit_entries a on a.object_id = e.id where e.name = $1 group by e.id`,
    [name],
  )
  return rows.map(({ entries }) => entries)
}

describe('F3: the connection breaks in COMMIT', () => {
  test.each([
    ['before', []],
    ['after', [1]],
  ] as const)(
    '%s it reached the database: 503, and the change exists completely and once, or not at all',
    async (when, expected) => {
      const name = `Broken ${when}`
      proxy.breakAt(name, 'commit', when)
      const answer = await key.post(ENGAGEMENTS, { name })
      expect(answer.status).toBe(503)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await madeAs(name)).toEqual(expected)
      // A client that does not know checks, and repeats the change if it is missing.
      await eventually(async () => expect((await key.get(ENGAGEMENTS)).status).toBe(200), HEALTHY_WITHIN_MS)
      const { body } = await key.get(ENGAGEMENTS)
      expect(body.data.filter((engagement: { name: string }) => engagement.name === name)).toHaveLength(expected.length)
    },
  )

  test.each(['before', 'after'] as const)(
    '%s it reached the database: repeated with its Idempotency-Key, the change exists once',
    async (when) => {
      const name = `Repeated after a break ${when}`
      const send = () => key.post(ENGAGEMENTS, { name }, { headers: { 'idempotency-key': name.replaceAll(' ', '-') } })
      proxy.breakAt(name, 'commit', when)
      expect((await send()).status).toBe(503)
      await eventually(async () => expect((await send()).status).toBe(201), HEALTHY_WITHIN_MS)
      const answer = await send()
      expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
      expect(await madeAs(name)).toEqual([1])
      const { rows } = await admin.query('select id from engagements where name = $1', [name])
      expect(rows).toEqual([{ id: answer.body.data.id }])
    },
  )
})

test('F3: the connection breaks in COMMIT of an import of pages: stored rows have their files', async () => {
  const owner = await signInAsOwner(server.origin)
  const title = 'Broken import'
  proxy.breakAt(title, 'commit', 'after')
  const zip = zipOf({ [`${title}.md`]: 'text', [`${title}/_files/a.txt`]: 'attached' })
  expect((await owner.request('POST', '/api/web/wiki-pages/import', { rawBody: zip })).status).toBe(503)
  await eventually(
    async () => expect((await owner.get('/api/web/wiki-pages?organization=true')).body.data).toHaveLength(1),
    HEALTHY_WITHIN_MS,
  )
  const files = `/api/web/wiki-pages/${(await owner.get('/api/web/wiki-pages?organization=true')).body.data[0].id}/files`
  const [file] = (await owner.get(files)).body.data
  expect((await owner.get(`${files}/${file.id}`)).text).toBe('attached')
})

test('F24: the typed client repeats a POST whose answer was lost: it took effect once', async () => {
  const way = await FaultProxy.start({ host: '127.0.0.1', port: Number(new URL(server.origin).port) })
  stage.add(() => way.close())
  const apiKey = (key.headers.authorization as string).slice('Bearer '.length)
  const replayed: (string | null)[] = []
  const noted: typeof fetch = async (...request) => {
    const response = await fetch(...request)
    replayed.push(response.headers.get('idempotency-replayed'))
    return response
  }
  const client = createClient({
    baseUrl: `http://127.0.0.1:${way.port}/api`,
    apiKey,
    retry: { firstWaitMs: 50 },
    fetch: noted,
  })
  const name = 'Answer lost'
  way.breakAt('idempotency-key', name, 'after')
  const { data } = await client.createEngagement({ body: { name } })
  const { rows } = await admin.query('select id from engagements where name = $1', [name])
  expect(rows).toEqual([{ id: data.id }])
  expect(await madeAs(name)).toEqual([1])
  // One answer arrived, on the second connection: the first one again.
  expect([way.accepted, replayed]).toEqual([2, ['true']])
})

describe('F4: a database that turned read-only, as a standby is', () => {
  test('makes writes 503 without a change, reads stay current, and writes work within 5 s of its becoming writable', async () => {
    const doomed = await withNewKey(await signInAsOwner(server.origin))
    expect((await doomed.get(ENGAGEMENTS)).status).toBe(200)
    const { rows } = await admin.query<{ name: string }>('select current_database() as name')
    const setReadOnly = async (value: 'on' | 'off') => {
      await admin.query(`alter database ${rows[0]?.name} set default_transaction_read_only = ${value}`)
      await admin.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'sortie%'",
      )
    }
    await setReadOnly('on')
    await eventually(async () => expect((await key.get(ENGAGEMENTS)).status).toBe(200), HEALTHY_WITHIN_MS)
    for (let i = 0; i < 10; i++) {
      const answer = await key.post(ENGAGEMENTS, { name: 'Not here' })
      expect(answer.status).toBe(503)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect((await key.get('/api/v1/organizations/current')).status).toBe(200)
    }
    expect(await madeAs('Not here')).toEqual([])
    // No stale authorization: a key deleted on the writable side in that time no longer works.
    await admin.query('delete from api_keys where id = $1', [doomed.keyId])
    expect((await doomed.get(ENGAGEMENTS)).status).toBe(401)
    await setReadOnly('off')
    await eventually(
      async () => expect((await key.post(ENGAGEMENTS, { name: 'Here again' })).status).toBe(201),
      HEALTHY_WITHIN_MS,
    )
    expect(await madeAs('Here again')).toEqual([1])
    expect(server.isRunning).toBe(true)
  })
})

describe('F2: a lock', () => {
  nightly('while statements are prepared for the first time: 503, and all of them work afterwards', async () => {
    const own = await stage.server({ env: { DATABASE_URL: proxiedUrl(settings, proxy.port) } })
    await own.ready()
    const here = Object.assign(await withNewKey(await signInAsOwner(server.origin)), { origin: own.origin })
    await admin.query('begin')
    await admin.query('lock table api_keys in access exclusive mode')
    const answers: Promise<number>[] = []
    for (let i = 0; i < 30; i++) {
      answers.push(here.get(ENGAGEMENTS).then(({ status }) => status))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(new Set(await Promise.all(answers))).toEqual(new Set([503]))
    await admin.query('rollback')
    const after = async () => {
      const statuses = await Promise.all(Array.from({ length: 30 }, async () => (await here.get(ENGAGEMENTS)).status))
      expect(new Set(statuses)).toEqual(new Set([200]))
    }
    await eventually(after, HEALTHY_WITHIN_MS)
    await own.stop()
  })

  test('P6: on the audit log: changes are 503 within 2.5 s and rolled back, reads continue', async () => {
    await admin.query('begin')
    await admin.query('lock table audit_entries in exclusive mode')
    const started = performance.now()
    const [write, read] = await Promise.all([key.post(ENGAGEMENTS, { name: 'Unaudited' }), key.get(ENGAGEMENTS)])
    expect(write.status).toBe(503)
    expect(performance.now() - started).toBeLessThan(hereMs(4_000))
    expect(read.status).toBe(200)
    await admin.query('rollback')
    expect(await madeAs('Unaudited')).toEqual([])
    expect((await key.post(ENGAGEMENTS, { name: 'Audited' })).status).toBe(201)
    expect(await madeAs('Audited')).toEqual([1])
  })
})

/** The sum of the time limits for running requests, jobs and the database at the end, and a margin. */
const ENDED_WITHIN_MS = 25_000

nightly('F1: a server whose database hangs while it stops still ends', async () => {
  const own = await FaultProxy.start(databaseAddress(settings))
  stage.add(() => own.close())
  const stopping = await stage.server({ env: { DATABASE_URL: proxiedUrl(settings, own.port) } })
  await stopping.ready()
  await own.set('black hole')
  const started = performance.now()
  await stopping.stop()
  expect(performance.now() - started).toBeLessThan(hereMs(ENDED_WITHIN_MS))
})
