import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ConnectionSettings } from '../../../src/platform/database/connection/open.ts'
import { sortie } from '../../support/app/operator.ts'
import { createStage } from '../../support/app/server-process.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { asSuperuser, asSuperuserRows, copyTemplate } from '../../support/database/test-databases.ts'
import { filesBelow, filesOf, newEngagement, upload } from '../../support/document/files.ts'

const stage = createStage()
afterAll(() => stage.close())

const MARK = '.sortie-storage.json'
const BEAT = '.sortie-storage-beat.json'
/** Settings of the server that has a file. */
let settings: ConnectionSettings
let storage = ''
let file = ''

const envOf = (database: ConnectionSettings, root: string) => ({
  DATABASE_URL: databaseUrl(database),
  STORAGE_PATH: root,
})
/** Starts a server and stops it again. @returns why it is in safe mode, from its log; undefined if it is live */
const start = async (database: ConnectionSettings, root: string, env: Record<string, string> = {}) => {
  const server = await stage.server({ env: { ...envOf(database, root), ...env } })
  await server.ready()
  await server.stop()
  return server.log.find(({ msg }) => msg.startsWith('this instance is in safe mode'))?.['reason'] as string | undefined
}
const refusal = async (database: ConnectionSettings, root: string): Promise<string> => {
  const server = await stage.server({ env: envOf(database, root) })
  expect((await server.exited).code).toBe(78)
  expect(server.errorLines).toHaveLength(1)
  return server.errorLines[0] as string
}
const newStorage = () => path.join(stage.directory(), 'uploads')
const copyOf = (root: string, without?: string) => {
  const copy = newStorage()
  cpSync(root, copy, { recursive: true, preserveTimestamps: true })
  if (without) rmSync(path.join(copy, without))
  return copy
}

beforeAll(async () => {
  settings = await copyTemplate()
  storage = newStorage()
  const server = await stage.server({ env: envOf(settings, storage) })
  await server.ready()
  const key = await withNewKey(await signInAsOwner(server.origin))
  expect((await upload(key, filesOf(await newEngagement(key)), 'kept')).status).toBe(201)
  expect((await server.stop()).code).toBe(0)
  file = filesBelow(storage)[0] as string
})

describe('O2: exit code 78 and one line with the solution:', () => {
  test('an empty database on the storage of another, whose files stay unchanged', async () => {
    const before = readdirSync(storage, { recursive: true }).toSorted()
    const empty = await copyTemplate()
    expect(await refusal(empty, storage)).toMatch(
      /^sortie: STORAGE_PATH: .* belongs to another database than that of DATABASE_URL: correct .*"npm run operator -- bind-storage"/,
    )
    // From a version that had no mark yet.
    const unmarked = copyOf(storage, MARK)
    expect(await refusal(empty, unmarked)).toMatch(
      /^sortie: STORAGE_PATH: .* holds files of another database, and that of DATABASE_URL knows none: correct /,
    )
    for (const root of [storage, unmarked]) expect(readFileSync(path.join(root, file), 'utf8')).toBe('kept')
    expect(readdirSync(storage, { recursive: true }).toSorted()).toEqual(before)
    expect(await asSuperuserRows(empty, 'select id from organizations')).toEqual([])
  })

  test('a new empty storage for a database that has files', async () => {
    const root = newStorage()
    expect(await refusal(settings, root)).toMatch(
      /^sortie: STORAGE_PATH: .* holds none of the 1 files that were looked for, and the database of DATABASE_URL knows 1: correct /,
    )
    expect(existsSync(path.join(root, MARK))).toBe(false)
  })

  test.each([MARK, BEAT])('a %s that cannot be read', async (name) => {
    const root = copyOf(storage)
    rmSync(path.join(root, name), { force: true })
    mkdirSync(path.join(root, name))
    expect(await refusal(settings, root)).toBe(
      `sortie: STORAGE_PATH: ${path.join(root, name)} cannot be read (EISDIR): it says which database the files belong to; let the user that starts the server read it`,
    )
  })

  test('a mark that is damaged', async () => {
    const root = copyOf(storage)
    rmSync(path.join(root, MARK))
    cpSync(path.join(root, file), path.join(root, MARK))
    expect(await refusal(settings, root)).toMatch(/^sortie: STORAGE_PATH: .*\.sortie-storage\.json is damaged: /)
  })
})

describe('O2: a database and a storage', () => {
  test('of an earlier version are bound at the first start, if a file of the database exists', async () => {
    const mark = readFileSync(path.join(storage, MARK))
    await asSuperuser(settings, 'delete from storage_binding')
    rmSync(path.join(storage, MARK))
    expect(await start(settings, storage)).toBeUndefined()
    const [row] = await asSuperuserRows<{ storage_id: string }>(settings, 'select storage_id from storage_binding')
    expect(JSON.parse(readFileSync(path.join(storage, MARK), 'utf8')).storage).toBe(row?.storage_id)
    expect(mark.toString()).not.toContain(row?.storage_id)
  })

  test('that moved to another path of the same disk start as before; a copy of the files starts in safe mode', async () => {
    const moved = newStorage()
    renameSync(storage, moved)
    storage = moved
    expect(await start(settings, storage)).toBeUndefined()
    expect(await start(settings, storage)).toBeUndefined()
    const copied = copyOf(storage)
    expect(await start(settings, copied)).toMatch(/copied or restored/)
    // It continues with the copy: only going live is left to do.
    expect(await sortie(['go-live'], stage.directory(), envOf(settings, copied))).toMatchObject({
      code: 0,
      out: expect.stringContaining('This instance is live.'),
    })
    storage = copied
    expect(await start(settings, storage)).toBeUndefined()
  })

  test('without a file yet accept another directory, in safe mode', async () => {
    const database = await copyTemplate()
    expect(await start(database, newStorage())).toBeUndefined()
    expect(await start(database, newStorage())).toMatch(/copied or restored/)
  })

  test('that do not match are bound by bind-storage --confirm, in safe mode; their former partners are refused from then on', async () => {
    const database = await copyTemplate()
    const other = newStorage()
    expect(await start(database, other)).toBeUndefined()
    const run = (...args: string[]) => sortie(['bind-storage', ...args], stage.directory(), envOf(database, storage))
    const looked = await run()
    expect(looked.code).toBe(0)
    expect(looked.out).toMatch(
      /knows 0 files.*\n1 files there belong to organizations that the database does not know\.\nNothing was changed\./,
    )
    expect(await start(settings, storage)).toBeUndefined()
    const lastSeen = (at: number) =>
      writeFileSync(path.join(storage, BEAT), JSON.stringify({ beat: 1, token: 'x', at: new Date(at).toISOString() }))
    lastSeen(Date.now() - 60_000)
    expect(await run('--confirm')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^sortie: Another server used the same files at /),
    })
    lastSeen(Date.now() - 180_000)
    const confirmed = await run('--confirm')
    expect([confirmed.err, confirmed.code]).toEqual(['', 0])
    expect(await start(database, storage)).toMatch(/bound to another storage/)
    expect(await refusal(settings, storage)).toContain('belongs to another database')
    expect(await refusal(database, other)).toContain('belongs to another database')
    expect((await run()).out).toMatch(/belongs to this database\.\n$/)
    expect(readFileSync(path.join(storage, file), 'utf8')).toBe('kept')
  })
})

test('O2, O9: a worker that only scans and sends requests starts in an unwritable directory, under its own account', async () => {
  const env = { SORTIE_ROLE: 'worker', SORTIE_JOBS: 'scan,requests', DATA_DIR: '/sys/kernel' }
  expect(await start(await copyTemplate(), '/sys/kernel', env)).toBeUndefined()
})
