import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nightly } from '../../support/app/nightly.ts'
import { sortie } from '../../support/app/operator.ts'
import { createStage, eventually, type ServerProcess } from '../../support/app/server-process.ts'
import { TestClient } from '../../support/app/test-client.ts'
import { signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import {
  databaseAt,
  databaseOfOrdinaryRole,
  onServer,
  queryAt,
  startExternalPostgres,
} from '../../support/database/external-postgres.ts'
import { filesBelow } from '../../support/document/files.ts'
import { fillTables, multiplyResults, schemaOf, stateOf, stopSettled, storedHashes } from '../backup/backup-data.ts'
import { contentOf, startWriters } from '../backup/backup-writers.ts'
import { contradictions, onDatabase, seenWithoutScope } from './database-state.ts'

const RESULTS = 3_000

const stage = createStage()
let superuser = ''
/** Connects with an ordinary role, which row-level security restricts. */
let source = ''
let server: ServerProcess
let owner: TestClient
let storage = ''

const newPath = () => path.join(stage.directory(), 'new')
const at = (name: string) => databaseAt(superuser, name)
const newDatabase = (name: string) => databaseOfOrdinaryRole(superuser, name)
const run = async (args: readonly string[], env: Record<string, string>, dataDir = newPath()) => {
  const { code, out, err } = await sortie(args, dataDir, env)
  expect(err).not.toContain('sortie:')
  expect(code).toBe(0)
  return out
}

beforeAll(async () => {
  superuser = await startExternalPostgres(stage, ['fsync=off'])
  source = await newDatabase('source')
  server = await stage.server({
    env: { DATABASE_URL: source, SMTP_URL: 'smtp://127.0.0.1:9', INVITATION_LIMIT_PER_HOUR: '1000000' },
  })
  await server.ready()
  storage = path.join(server.dataDir, 'uploads')
  owner = await signInAsOwner(server.origin)
  await fillTables(owner)
  await onServer(at('source'), (client) => multiplyResults(client, RESULTS))
})
afterAll(() => stage.close())

test('O1: a backup during writes has everything acknowledged before, no partial changes, and a file for every row; restored with --rekey no key works', async () => {
  const key = await withNewKey(owner)
  const { written, stop } = startWriters(key, { connectionString: at('source') }, { deletesFiles: true })
  await eventually(
    () =>
      expect(Math.min(written.engagements.length, written.invitations.length, written.files.length)).toBeGreaterThan(
        10,
      ),
    60_000,
  )
  const before = structuredClone(written)
  const backup = newPath()
  await run(['backup', backup], { DATABASE_URL: source, STORAGE_PATH: storage })
  const after = written.engagements.length
  await stop()
  expect(after).toBeGreaterThan(before.engagements.length)
  expect(await run(['verify', backup], {})).toContain('is whole')

  const env = { DATABASE_URL: await newDatabase('meanwhile'), STORAGE_PATH: newPath() }
  expect(await run(['restore', backup, '--rekey'], env)).toMatch(
    /Ended: \d+ API keys, \d+ sessions, .* \d+ invitations/,
  )
  await onServer(at('meanwhile'), async (client) => {
    expect(await contradictions(client)).toEqual([])
    const { rows } = await client.query<{ name: string }>(
      'select name from engagements union all select email from invitations union all select file_name from files',
    )
    const names = new Set(rows.map(({ name }) => name))
    expect([...before.engagements, ...before.invitations, ...before.files].filter((name) => !names.has(name))).toEqual(
      [],
    )
    const { rows: files } = await client.query<{ id: string; file_name: string }>(
      `select id, file_name from files where file_name ~ '^(file|gone)-'`,
    )
    const contents = new Map(
      filesBelow(env.STORAGE_PATH).map((name) => [
        path.basename(name),
        readFileSync(path.join(env.STORAGE_PATH, name), 'utf8'),
      ]),
    )
    expect(files.length).toBeGreaterThanOrEqual(before.files.length)
    expect(files.filter(({ id, file_name: name }) => contents.get(id) !== contentOf(name))).toEqual([])
  })
  const restored = await stage.server({ env })
  await restored.ready()
  expect((await new TestClient(restored.origin, key.headers).get('/api/v1/engagements')).status).toBe(401)
  expect((await (await signInAsOwner(restored.origin)).get('/api/web/engagements')).body.meta.total).toBeGreaterThan(10)
  expect((await restored.stop()).code).toBe(0)
})

test('O1: a backup of an external Postgres restores into another one, from there into the embedded one and back: every row, sequence and file is the same, keys are kept', async () => {
  const key = await withNewKey(owner)
  await stopSettled(server, at('source'))
  const dataDir = newPath()
  const [target, back] = [await newDatabase('target'), await newDatabase('back')]
  const storages = { target: newPath(), embedded: path.join(dataDir, 'uploads'), back: newPath() }
  const backups = [newPath(), newPath(), newPath()] as const
  await run(['backup', backups[0]], { DATABASE_URL: source, STORAGE_PATH: storage })
  await run(['restore', backups[0], '--keep-keys'], { DATABASE_URL: target, STORAGE_PATH: storages.target })
  await run(['backup', backups[1]], { DATABASE_URL: target, STORAGE_PATH: storages.target })
  await run(['restore', backups[1], '--keep-keys'], {}, dataDir)
  await run(['backup', backups[2], '--portable'], {}, dataDir)
  await run(['restore', backups[2], '--keep-keys'], { DATABASE_URL: back, STORAGE_PATH: storages.back })

  const original = await onServer(at('source'), stateOf)
  expect(Object.keys(original).length).toBeGreaterThan(75)
  expect(Number(original['results']?.split(' ')[0])).toBeGreaterThan(RESULTS)
  for (const name of ['target', 'back']) expect(await onServer(at(name), stateOf)).toEqual(original)
  expect(await onDatabase(dataDir, stateOf)).toEqual(original)
  const schema = await onServer(at('source'), schemaOf)
  for (const name of ['target', 'back']) expect(await onServer(at(name), schemaOf)).toEqual(schema)
  expect(await onDatabase(dataDir, contradictions)).toEqual([])
  expect(await onDatabase(dataDir, seenWithoutScope)).toMatchObject({ seen: 0 })
  const files = storedHashes(storage)
  const { rows } = await onServer(at('source'), (client) => client.query('select from files'))
  expect(rows.length).toBeGreaterThanOrEqual(6)
  // Files without a row are not restored.
  const named = Object.fromEntries(Object.entries(files).filter(([name]) => name in storedHashes(storages.target)))
  expect(Object.keys(named)).toHaveLength(rows.length)
  for (const place of [storages.target, storages.embedded, storages.back]) expect(storedHashes(place)).toEqual(named)

  const restored = await stage.server({ env: { DATABASE_URL: back, STORAGE_PATH: storages.back } })
  await restored.ready()
  expect((await new TestClient(restored.origin, key.headers).get('/api/v1/organizations/current')).status).toBe(200)
  expect(
    (await new TestClient(restored.origin, owner.headers).post('/api/web/engagements', { name: 'Goes on' })).status,
  ).toBe(201)
  expect(existsSync(path.join(restored.dataDir, 'postgres'))).toBe(false)
  expect((await restored.stop()).code).toBe(0)
})

nightly('O1: a superuser restores as well, and the server then takes on its role without further rights', async () => {
  const backup = newPath()
  await run(['backup', backup], { DATABASE_URL: at('source'), STORAGE_PATH: storage })
  await queryAt(at('postgres'), 'create database super')
  const env = { DATABASE_URL: at('super'), STORAGE_PATH: newPath() }
  await run(['restore', backup, '--keep-keys'], env)
  expect(await onServer(at('super'), stateOf)).toEqual(await onServer(at('source'), stateOf))
  expect(await onServer(at('super'), seenWithoutScope)).toMatchObject({ seen: 0 })
  const restored = await stage.server({ env })
  await restored.ready()
  expect(
    (await new TestClient(restored.origin, owner.headers).post('/api/web/engagements', { name: 'Goes on' })).status,
  ).toBe(201)
  expect((await restored.stop()).code).toBe(0)
})

test('O1: a backup that row-level security would thin out fails, names the table and leaves nothing', async () => {
  const [{ id }] = (await queryAt<{ id: string }>(at('source'), 'select id from results limit 1')) as [{ id: string }]
  const stranger = (using: string) => `create policy stranger on results as restrictive using (${using})`
  const walls: [table: string, found: RegExp, build: string, remove: string][] = [
    ['results', /\(1; it shows \d+\)/, stranger(`id <> '${id}'`), 'drop policy stranger on results'],
    [
      'results',
      /\(\d+; it shows 0\)/,
      stranger(`current_setting('sortie.viewer') <> '**'`),
      'drop policy stranger on results',
    ],
    // Without any policy Postgres does not read the rows at all.
    [
      'users',
      /\(all; it shows 0\)/,
      'alter table users enable row level security, force row level security',
      'alter table users disable row level security',
    ],
  ]
  const env = { DATABASE_URL: source, STORAGE_PATH: storage }
  for (const [table, found, build, remove] of walls) {
    await queryAt(source, build)
    const target = newPath()
    const { code, out, err } = await sortie(['backup', target], newPath(), env)
    expect([code, out]).toEqual([78, ''])
    expect(err).toMatch(
      new RegExp(
        `^sortie: row-level security hides rows of the table ${table} from this connection ${found.source}: a backup would lack them\\. .*\n$`,
      ),
    )
    expect(readdirSync(path.dirname(target))).toEqual([])
    // Policies do not restrict a superuser.
    await run(['backup', target], { ...env, DATABASE_URL: at('source') })
    await queryAt(source, remove)
  }
  await run(['backup', newPath()], env)
})
