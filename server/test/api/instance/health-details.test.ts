import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../support/app/server-process.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { asSuperuser } from '../../support/database/test-databases.ts'
import { metricsText } from '../../support/document/metrics.ts'

let app: TestApp
let admin: TestClient
beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn(await app.createUser('Instance Admin', { isInstanceAdmin: true }))
})
afterAll(() => app.close())

const details = async (client = admin) => (await client.get('/api/health?verbose')).body
const component = async (name: string) =>
  (await details()).components.find((each: { name: string }) => each.name === name)
const metric = async (name: string) => {
  const text = await metricsText(app.origin)
  return text.split('\n').find((line) => line.startsWith(`${name} `))
}

test('O15: the metrics count the connections of the server itself', async () => {
  expect(await metric('sortie_database_server_connections')).toMatch(/ [1-9]\d*$/)
})

test('health?verbose: an instance administrator sees versions and each part; everyone else, the owner included, sees the plain form', async () => {
  expect(await details()).toEqual({
    status: 'ok',
    timestamp: expect.any(String),
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    commit: expect.toSatisfy((commit) => commit === null || /^[0-9a-f]{7,40}$/.test(commit)),
    schema: (await admin.get('/api/web/instance')).body.data.schemaVersion,
    components: expect.arrayContaining([{ name: 'database', status: 'ok', message: expect.any(String) }]),
  })
  const plain = { status: 'ok', timestamp: expect.any(String) }
  const key = await app.withKey(['organizations:read'])
  const others = [app.anonymous, key, await app.signedIn('owner'), app.anonymous.with({ cookie: 'sid=nonsense' })]
  for (const client of others) expect(await details(client)).toEqual(plain)
  expect((await admin.get('/api/health')).body).toEqual(plain)
  expect((await admin.get('/api/health/live?verbose')).body).toEqual(plain)
})

describe('O13: a database that refuses changes', () => {
  test('is degraded with the cause, in the details and in the metrics, until it has refused nothing for two minutes', async () => {
    const { database } = app.settings as { database: string }
    // From another database: this one refuses the change back.
    const elsewhere = { ...app.settings, database: 'postgres' }
    const setReadOnly = (value: string) =>
      asSuperuser(
        elsewhere,
        `alter database ${database} set default_transaction_read_only = ${value};
        select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`,
      )
    const owner = await app.signedIn('owner')
    const write = () => owner.post('/api/web/engagements', { name: 'On a read-only database' })
    await setReadOnly('on')
    await eventually(async () => expect((await write()).status).toBe(503))
    await eventually(async () =>
      expect(await component('database')).toEqual({
        name: 'database',
        status: 'degraded',
        message: expect.stringMatching(
          /^The database refuses changes: cannot execute .* in a read-only transaction\.$/,
        ),
      }),
    )
    expect((await write()).body.error.message).toBe(
      'Nothing was stored: the database is read-only at the moment. Try again later.',
    )
    expect((await details()).status).toBe('degraded')
    expect((await app.anonymous.get('/api/health')).body.status).toBe('ok')
    expect(await metric('sortie_database_refuses_changes')).toBe('sortie_database_refuses_changes 1')
    expect(await metric('sortie_database_disk_full')).toBe('sortie_database_disk_full 0')
    await setReadOnly('off')
    await eventually(async () => expect((await write()).status).toBe(201))
    app.clock.advance(121_000)
    await eventually(async () => expect((await component('database')).status).toBe('ok'))
    expect(await metric('sortie_database_refuses_changes')).toBe('sortie_database_refuses_changes 0')
  })
})

test('a process that no longer reports degrades the jobs; so does an instance that no process runs jobs for', async () => {
  await app.asSuperuser(
    "insert into workers (name, beat_at) values ('dead:1', clock_timestamp() - interval '40 seconds')",
  )
  expect(await component('jobs')).toMatchObject({ status: 'degraded', message: expect.stringContaining('dead:1') })
  await app.asSuperuser("update workers set beat_at = clock_timestamp() - interval '40 seconds'")
  expect(await component('jobs')).toMatchObject({
    status: 'degraded',
    message: 'No process runs jobs: scans, imports and mails wait.',
  })
})
