import { existsSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { databaseAt, databaseOfOrdinaryRole, onServer, startExternalPostgres } from '../support/external-postgres.ts'
import { sortie } from '../support/operator.ts'
import { signInAsOwner } from '../support/server-clients.ts'
import { createStage } from '../support/server-process.ts'
import { fillTables, multiplyResults, schemaOf, stateOf, stopSettled, storedHashes } from './backup-data.ts'
import { contradictions, onDatabase } from './database-state.ts'

const stage = createStage()
afterAll(() => stage.close())

const RESULTS = 3_000

test('O1: a backup of an external Postgres, whose row-level security binds its owner, restores into another one, from there into the embedded one and back: every row and every file the same', async () => {
  const superuser = await startExternalPostgres(stage, ['fsync=off'])
  const at = (name: string) => databaseAt(superuser, name)
  const [source, target, back] = [
    await databaseOfOrdinaryRole(superuser, 'source'),
    await databaseOfOrdinaryRole(superuser, 'target'),
    await databaseOfOrdinaryRole(superuser, 'back'),
  ]
  const directory = stage.directory()
  const server = await stage.server({ env: { DATABASE_URL: source } })
  await server.ready()
  const owner = await signInAsOwner(server.origin)
  await fillTables(owner)
  await onServer(at('source'), (client) => multiplyResults(client, RESULTS))
  await stopSettled(server, databaseAt(superuser, 'source'))

  const storages = {
    source: path.join(server.dataDir, 'uploads'),
    target: path.join(directory, 'target'),
    embedded: path.join(directory, 'embedded/uploads'),
    back: path.join(directory, 'back'),
  }
  const dataDir = path.join(directory, 'embedded')
  const run = async (args: readonly string[], env: Record<string, string>) => {
    const { code, out, err } = await sortie(args, dataDir, env)
    expect(err).not.toContain('sortie:')
    expect(code).toBe(0)
    return out
  }
  const backups = ['first', 'second', 'third'].map((name) => path.join(directory, name)) as [string, string, string]
  await run(['backup', backups[0]], { DATABASE_URL: source, STORAGE_PATH: storages.source })
  await run(['verify', backups[0]], {})
  await run(['restore', backups[0], '--keep-keys'], { DATABASE_URL: target, STORAGE_PATH: storages.target })
  await run(['backup', backups[1]], { DATABASE_URL: target, STORAGE_PATH: storages.target })
  await run(['restore', backups[1], '--keep-keys'], { STORAGE_PATH: storages.embedded })
  await run(['backup', backups[2], '--portable'], { STORAGE_PATH: storages.embedded })
  await run(['restore', backups[2], '--keep-keys'], { DATABASE_URL: back, STORAGE_PATH: storages.back })

  const original = await onServer(at('source'), stateOf)
  expect(Object.keys(original).length).toBeGreaterThan(75)
  expect(Number(original['results']?.split(' ')[0])).toBeGreaterThan(RESULTS)
  expect(await onServer(at('target'), stateOf)).toEqual(original)
  expect(await onDatabase(dataDir, stateOf)).toEqual(original)
  expect(await onServer(at('back'), stateOf)).toEqual(original)
  const schema = await onServer(at('source'), schemaOf)
  for (const name of ['target', 'back']) expect(await onServer(at(name), schemaOf)).toEqual(schema)
  expect(await onDatabase(dataDir, contradictions)).toEqual([])
  const files = storedHashes(storages.source)
  expect(Object.keys(files).length).toBeGreaterThanOrEqual(8)
  for (const storage of [storages.target, storages.embedded, storages.back]) expect(storedHashes(storage)).toEqual(files)

  const restored = await stage.server({ env: { DATABASE_URL: back, STORAGE_PATH: storages.back } })
  await restored.ready()
  const again = new (owner.constructor as typeof import('../support/test-client.ts').TestClient)(restored.origin, owner.headers)
  expect((await again.get('/api/web/engagements')).body.meta.total).toBe(2)
  expect((await again.post('/api/web/engagements', { name: 'Goes on' })).status).toBe(201)
  expect(existsSync(path.join(restored.dataDir, 'postgres'))).toBe(false)
  expect((await restored.stop()).code).toBe(0)
}, 240_000)
