import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startSortie } from '../../support/app/operator.ts'
import { createStage } from '../../support/app/server-process.ts'
import { signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import {
  databaseAt,
  databaseOfOrdinaryRole,
  onServer,
  startExternalPostgres,
} from '../../support/database/external-postgres.ts'
import { filesOf, upload } from '../../support/document/files.ts'
import { fillTables, multiplyResults, stateOf, stopSettled, storedHashes } from '../backup/backup-data.ts'
import { onDatabase } from './database-state.ts'

const stage = createStage()
afterAll(() => stage.close())

const RESULTS = 84_000
const ENGAGEMENTS = 119
const FILES_OF_EACH = 10
const FILE_BYTES = 200_000
const RESULT_BYTES = 2_500
/** Peak of the command; Node itself uses about 80. */
const MAX_MEMORY_MB = 300

interface Measured {
  command: string
  seconds: number
  memoryMb: number
}

const highestMemoryMb = (pid: number): number => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

test('O1: 84,000 results and 119 engagements with their files, from an external Postgres during writes into an empty external one, into the embedded one, and back', async () => {
  const superuser = await startExternalPostgres(stage)
  const [source, target, back] = [
    await databaseOfOrdinaryRole(superuser, 'source'),
    await databaseOfOrdinaryRole(superuser, 'target'),
    await databaseOfOrdinaryRole(superuser, 'back'),
  ]
  const server = await stage.server({ env: { DATABASE_URL: source } })
  await server.ready()
  const owner = await signInAsOwner(server.origin)
  await fillTables(owner)
  const key = await withNewKey(owner)
  for (let engagement = 2; engagement < ENGAGEMENTS; engagement++) {
    const { id } = (await key.post('/api/v1/engagements', { name: `Engagement ${engagement}` })).body.data
    for (let file = 0; file < FILES_OF_EACH; file++)
      expect((await upload(key, filesOf(id), randomBytes(FILE_BYTES))).status).toBe(201)
  }
  await onServer(databaseAt(superuser, 'source'), (client) => multiplyResults(client, RESULTS, RESULT_BYTES))
  const [{ size }] = (await onServer(
    databaseAt(superuser, 'source'),
    async (client) => (await client.query(`select pg_database_size('source') as size`)).rows,
  )) as [{ size: string }]

  const directory = stage.directory()
  const dataDir = path.join(directory, 'embedded')
  const storages = {
    source: path.join(server.dataDir, 'uploads'),
    target: path.join(directory, 'target'),
    embedded: path.join(dataDir, 'uploads'),
    back: path.join(directory, 'back'),
  }
  const measured: Measured[] = []
  const run = async (args: readonly string[], env: Record<string, string>) => {
    const started = performance.now()
    const { child, finished } = startSortie(args, dataDir, env)
    let memoryMb = 0
    const watching = setInterval(() => (memoryMb = Math.max(memoryMb, highestMemoryMb(child.pid as number))), 20)
    const { code, err } = await finished
    clearInterval(watching)
    expect(err).not.toContain('sortie:')
    expect(code).toBe(0)
    measured.push({
      command: args.map((arg) => path.basename(arg)).join(' '),
      seconds: (performance.now() - started) / 1000,
      memoryMb,
    })
  }
  const backups = ['while-written', 'first', 'second', 'third'].map((name) => path.join(directory, name)) as [
    string,
    string,
    string,
    string,
  ]
  let going = true
  let written = 0
  const writing = (async () => {
    for (; going; written++)
      expect((await key.post('/api/v1/engagements', { name: `Meanwhile ${written}` })).status).toBe(201)
  })()
  await run(['backup', backups[0]], { DATABASE_URL: source, STORAGE_PATH: storages.source })
  going = false
  await writing
  expect(written).toBeGreaterThan(10)
  await run(['verify', backups[0]], {})
  rmSync(backups[0], { recursive: true })
  await stopSettled(server, databaseAt(superuser, 'source'))
  await run(['backup', backups[1]], { DATABASE_URL: source, STORAGE_PATH: storages.source })
  await run(['restore', backups[1], '--keep-keys'], { DATABASE_URL: target, STORAGE_PATH: storages.target })
  await run(['backup', backups[2]], { DATABASE_URL: target, STORAGE_PATH: storages.target })
  await run(['restore', backups[2], '--keep-keys'], { STORAGE_PATH: storages.embedded })
  await run(['backup', backups[3], '--portable'], { STORAGE_PATH: storages.embedded })
  await run(['restore', backups[3], '--keep-keys'], { DATABASE_URL: back, STORAGE_PATH: storages.back })

  const original = await onServer(databaseAt(superuser, 'source'), stateOf)
  expect(Number(original['results']?.split(' ')[0])).toBeGreaterThanOrEqual(RESULTS)
  for (const name of ['target', 'back']) expect(await onServer(databaseAt(superuser, name), stateOf)).toEqual(original)
  expect(await onDatabase(dataDir, stateOf)).toEqual(original)
  const files = storedHashes(storages.source)
  expect(Object.keys(files).length).toBeGreaterThanOrEqual((ENGAGEMENTS - 2) * FILES_OF_EACH)
  for (const storage of [storages.target, storages.embedded, storages.back])
    expect(storedHashes(storage)).toEqual(files)
  const table = measured.map(
    ({ command, seconds, memoryMb }) => `${command}: ${seconds.toFixed(1)} s, ${memoryMb.toFixed(0)} MB`,
  )
  process.stdout.write(
    `${[`database of ${(Number(size) / 1e6).toFixed(0)} MB, ${Object.keys(files).length} files`, ...table].join('\n')}\n`,
  )
  expect(Math.max(...measured.map(({ memoryMb }) => memoryMb))).toBeLessThan(MAX_MEMORY_MB)
}, 3_600_000)
