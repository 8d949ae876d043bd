import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isNightly, nightly } from '../../support/app/nightly.ts'
import { sortie, startSortie } from '../../support/app/operator.ts'
import { createStage, postgresPid } from '../../support/app/server-process.ts'
import { signInAsOwner } from '../../support/clients/server-clients.ts'
import {
  databaseAt,
  databaseOfOrdinaryRole,
  onServer,
  queryAt,
  startExternalPostgres,
} from '../../support/database/external-postgres.ts'
import { fillTables, multiplyResults, stateOf, stopSettled, storedHashes } from '../backup/backup-data.ts'
import { onDatabase } from './database-state.ts'

const KILLS = isNightly ? 25 : 3
const RESULTS = 5_000

const stage = createStage()
let superuser = ''
let source = ''
let storage = ''
let backup = ''
/** Duration of a backup, and of a restore, that is not killed. */
let backupMs = 0
let restoreMs = 0
let original: Record<string, string> = {}

const newPath = () => path.join(stage.directory(), 'new')
const run = (args: readonly string[], env: Record<string, string>) => sortie(args, newPath(), env)
const timed = async (work: () => Promise<unknown>) => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

beforeAll(async () => {
  superuser = await startExternalPostgres(stage, ['fsync=off'])
  source = await databaseOfOrdinaryRole(superuser, 'source')
  const server = await stage.server({ env: { DATABASE_URL: source } })
  await server.ready()
  await fillTables(await signInAsOwner(server.origin))
  await onServer(databaseAt(superuser, 'source'), (client) => multiplyResults(client, RESULTS))
  await stopSettled(server, databaseAt(superuser, 'source'))
  storage = path.join(server.dataDir, 'uploads')
  original = await onServer(databaseAt(superuser, 'source'), stateOf)
  backup = newPath()
  backupMs = await timed(async () =>
    expect(await run(['backup', backup], { DATABASE_URL: source, STORAGE_PATH: storage })).toMatchObject({ code: 0 }),
  )
  const into = { DATABASE_URL: await databaseOfOrdinaryRole(superuser, 'whole'), STORAGE_PATH: newPath() }
  restoreMs = await timed(async () =>
    expect(await run(['restore', backup, '--keep-keys'], into)).toMatchObject({ code: 0 }),
  )
})
afterAll(() => stage.close())

/** Kills a command after a part of its duration. @returns true if it had finished before */
const killAfter = async (
  part: number,
  wholeMs: number,
  args: readonly string[],
  dataDir: string,
  env: Record<string, string>,
): Promise<boolean> => {
  const { child, finished } = startSortie(args, dataDir, env)
  await Promise.race([sleep(part * wholeMs), finished])
  child.kill('SIGKILL')
  return (await finished).code === 0
}

/** Spread over the whole duration, each at a random point of its part. */
const moments = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => (index + Math.random()) / count)

test('O1: a backup that is killed at any moment is complete, or recognised as unfinished', async () => {
  const parent = stage.directory()
  for (const [index, moment] of moments(KILLS).entries()) {
    await killAfter(moment, backupMs, ['backup', path.join(parent, `killed-${index}`)], newPath(), {
      DATABASE_URL: source,
      STORAGE_PATH: storage,
    })
  }
  for (const name of readdirSync(parent)) {
    const { code, out, err } = await run(['verify', path.join(parent, name)], {})
    // Before its renaming it may be complete, but still does not count as a backup.
    if (/^killed-\d+$/.test(name) || code === 0)
      expect([code, out], name).toEqual([0, expect.stringContaining('is whole')])
    else expect([code, err], name).toEqual([78, expect.stringMatching(/is not a backup, or one that was interrupted/)])
  }
  expect(
    await run(['backup', path.join(parent, 'killed-0-again')], { DATABASE_URL: source, STORAGE_PATH: storage }),
  ).toMatchObject({ code: 0 })
})

test('O1: on a database whose restore was killed no server starts and no command works, and the server gives the reason; the restore continues, however often it is killed', async () => {
  const DATABASE_URL = await databaseOfOrdinaryRole(superuser, 'killed')
  const env = { DATABASE_URL, STORAGE_PATH: newPath() }
  const args = ['restore', backup, '--keep-keys']
  const isMarked = async () =>
    (
      await queryAt<{ known: boolean }>(DATABASE_URL, `select to_regclass('restore_unfinished') is not null as known`)
    )[0]?.known
  /**
   * Kills the first restore as soon as it has begun to write: at a random moment it may not have begun, or have
   * finished.
   */
  const killOnceMarked = async (): Promise<boolean> => {
    const { child, finished } = startSortie(args, newPath(), env)
    let isFinished = false
    const ended = finished.then(() => {
      isFinished = true
    })
    while (!isFinished && !(await isMarked())) await Promise.race([sleep(5), ended])
    child.kill('SIGKILL')
    return (await finished).code === 0
  }
  let killed = 0
  for (const [index, moment] of moments(KILLS).entries()) {
    const isRestored = await (index === 0 ? killOnceMarked() : killAfter(moment, restoreMs, args, newPath(), env))
    if (isRestored) break
    if (!(await isMarked())) continue
    killed++
    if (killed > 2) continue
    const server = await stage.server({ env })
    expect((await server.exited).code).toBe(78)
    expect(server.errorLines).toEqual([
      expect.stringMatching(
        /^sortie: DATABASE_URL: a restore of .* into this database is under way or was interrupted; run "npm run operator -- restore" with that backup again to continue$/,
      ),
    ])
    for (const command of [['backup', newPath()], ['rekey'], ['create-user', 'x@example.com', 'X']]) {
      expect(await run(command, env)).toMatchObject({ code: 78, err: expect.stringContaining('a restore of') })
    }
  }
  expect(killed).toBeGreaterThan(0)
  const other = await run(['restore', backup, '--keep-keys'], { ...env, STORAGE_PATH: newPath() })
  if (await isMarked()) {
    expect(other).toMatchObject({
      code: 78,
      err: expect.stringMatching(/STORAGE_PATH: it was .* when the restore into this database was interrupted/),
    })
    expect(await run(args, env)).toMatchObject({ code: 0 })
  }
  expect(await isMarked()).toBe(false)
  expect(await onServer(databaseAt(superuser, 'killed'), stateOf)).toEqual(original)
  expect(storedHashes(env.STORAGE_PATH)).toEqual(storedHashes(storage))
  const server = await stage.server({ env })
  await server.ready()
  expect((await server.stop()).code).toBe(0)
})

nightly(
  'O1: on a directory with an unfinished portable restore no server starts; restored again, it restarts and is complete',
  async () => {
    for (const moment of moments(5)) {
      const dataDir = newPath()
      const args = ['restore', backup, '--keep-keys']
      if (await killAfter(moment, restoreMs, args, dataDir, {})) continue
      if (existsSync(path.join(dataDir, 'restore.unfinished'))) {
        const server = await stage.server({ dataDir })
        expect((await server.exited).code).toBe(78)
        expect(server.errorLines).toEqual([
          expect.stringMatching(/^sortie: DATA_DIR: a restore into .* was interrupted; .*/),
        ])
      }
      expect(await sortie(args, dataDir)).toMatchObject({ code: 0 })
      expect(await onDatabase(dataDir, stateOf)).toEqual(original)
      expect(storedHashes(path.join(dataDir, 'uploads'))).toEqual(storedHashes(storage))
      expect(postgresPid(dataDir)).toBeUndefined()
    }
  },
  600_000,
)
