import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cleanFiles } from '../../../src/features/files/files.jobs.ts'
import { cleanStorage } from '../../../src/features/files/storage/cleaning.service.ts'
import { newId } from '../../../src/platform/ids.ts'
import { putIntoSafeMode } from '../../support/app/safe-mode.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'
import type { TestClient } from '../../support/app/test-client.ts'
import { filesBelow, filesOf, newEngagement, upload } from '../../support/document/files.ts'
import { metricsText } from '../../support/document/metrics.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS
const MARK = '.sortie-storage.json'

let app: TestApp
let key: TestClient
let root: string

beforeAll(async () => {
  app = await testApp({ workers: false })
  key = await app.withKey(['organizations:read', 'organizations:write'])
  root = app.platform.config.STORAGE_PATH
})
afterAll(() => app.close())
beforeEach(async () => {
  // Leftovers of a test are removed, so that the next one counts only its own.
  await cleanStorage(app.platform, 'all')
  rmSync(path.join(root, '.quarantine'), { recursive: true, force: true })
  app.logLines.length = 0
})

const clean = () => cleanFiles(app.platform)
const named = async (count: number) => {
  const files = filesOf(await newEngagement(key))
  return Promise.all(
    Array.from({ length: count }, async (_, i) => (await upload(key, files, `named ${i}`)).body.data.id as string),
  )
}
const old = (name: string) => {
  const at = (app.clock.now() - 2 * DAY_MS) / 1000
  utimesSync(path.join(root, name), at, at)
}
/** Files of this or another organization that no row names, written two days ago. */
const strange = (count: number, organizationId = app.organization.id) =>
  Array.from({ length: count }, () => {
    const name = path.join(organizationId, 'ff', newId('fil'))
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    writeFileSync(path.join(root, name), 'strange')
    old(name)
    return name
  })
const quarantined = () =>
  existsSync(path.join(root, '.quarantine'))
    ? filesBelow(path.join(root, '.quarantine')).map((file) => file.split(path.sep).slice(1).join(path.sep))
    : []
const alarms = () =>
  app.logLines.map((line) => JSON.parse(line)).filter(({ level, msg }) => level === 50 && msg.includes('clean-storage'))
const metric = async (name: string) => new RegExp(`^${name} (\\S+)$`, 'm').exec(await metricsText(app.origin))?.[1]

test('O2: a file without a row is quarantined for 7 days, and then deleted; a row that names it again restores it', async () => {
  const [lost, back] = strange(2) as [string, string]
  await clean()
  expect(quarantined().toSorted()).toEqual([lost, back].toSorted())
  expect(filesBelow(root).filter((file) => [lost, back].includes(file))).toEqual([])
  const row = {
    organization_id: app.organization.id,
    engagement_id: await newEngagement(key),
    file_name: 'back',
    size: 7,
    sha256: 'x',
    media_type: 'x/x',
  }
  await app.db
    .insertInto('files')
    .values({
      ...row,
      id: path.basename(back),
      owner_type: 'engagement',
      owner_id: row.engagement_id,
      created_at: '2026-01-01T00:00:00.000Z',
    })
    .execute()
  await clean()
  expect([quarantined(), readFileSync(path.join(root, back), 'utf8')]).toEqual([[lost], 'strange'])
  app.clock.advance(7 * DAY_MS)
  await clean()
  expect(quarantined()).toEqual([lost])
  app.clock.advance(DAY_MS)
  await clean()
  expect(quarantined()).toEqual([])
  await app.db.deleteFrom('files').where('file_name', '=', 'back').execute()
})

test.each([
  [101, 3_000, 'more than 100'],
  [11, 100, 'more than 5 % of all, and than ten'],
])(
  'O2: of %i files that the database never knew among %i none is removed (%s): an alarm in the log and a metric, until it is confirmed',
  async (count, all) => {
    const others = strange(all - count)
    await app.db
      .insertInto('deleted_files')
      .values(others.map((name) => ({ id: path.basename(name) })))
      .execute()
    const unknown = strange(count)
    await clean()
    // Files that the database itself has deleted are still removed.
    expect(quarantined().length).toBe(others.length)
    expect(filesBelow(root).filter((file) => unknown.includes(file)).length).toBe(count)
    expect(alarms()).toMatchObject([{ unknown: count, examples: expect.any(Array) }])
    expect(await metric('sortie_storage_files_left')).toBe(String(count))
    expect(await cleanStorage(app.platform, 'nothing')).toMatchObject({ unknown: count, isStopped: true })
    expect(filesBelow(root).filter((file) => unknown.includes(file)).length).toBe(count)
    expect(await cleanStorage(app.platform, 'all')).toMatchObject({ unknown: count, isStopped: false })
    expect(filesBelow(root).filter((file) => unknown.includes(file))).toEqual([])
    expect(await metric('sortie_storage_files_left')).toBe('0')
  },
)

test('O2: a small storage is not blocked forever: ten unknown files are removed, whatever their share', async () => {
  const unknown = strange(10)
  await clean()
  expect([alarms(), filesBelow(root).filter((file) => unknown.includes(file))]).toEqual([[], []])
})

test('O2: the files of a deleted engagement are removed without an alarm, however many they are', async () => {
  const before = filesBelow(root)
  const ids = await named(120)
  const own = filesBelow(root).filter((file) => !before.includes(file))
  expect(own.length).toBe(120)
  for (const file of own) old(file)
  await app.db.deleteFrom('files').where('id', 'in', ids).execute()
  await clean()
  expect(filesBelow(root)).toEqual(before)
  expect(quarantined()).toEqual(expect.arrayContaining(own))
  expect(alarms()).toEqual([])
})

test('O2: the directory of another database is left unchanged, whatever it contains, also if it appears while the server runs', async () => {
  const [fileId] = (await named(1)) as [string]
  const files = (await app.db.selectFrom('files').select('owner_id').where('id', '=', fileId).executeTakeFirstOrThrow())
    .owner_id
  const mark = readFileSync(path.join(root, MARK))
  const theirs = strange(3, newId('org'))
  const all = filesBelow(root)
  for (const put of [
    () => writeFileSync(path.join(root, MARK), '{"storage":"another"}'),
    () => rmSync(path.join(root, MARK)),
  ]) {
    put()
    await expect(clean()).rejects.toThrow('does not belong to this database')
    await expect(cleanStorage(app.platform, 'all')).rejects.toThrow('does not belong to this database')
  }
  expect((await key.delete(`${filesOf(files)}/${fileId}`)).status).toBe(200)
  expect(filesBelow(root)).toEqual(all)
  writeFileSync(path.join(root, MARK), mark)
  await clean()
  expect(filesBelow(root).filter((file) => theirs.includes(file))).toEqual([])
})

test('O2, O4: in safe mode the bytes of a deleted file stay, because the original may use them; the cleaning removes them after go-live', async () => {
  const before = filesBelow(root)
  const [fileId] = (await named(1)) as [string]
  const [file] = filesBelow(root).filter((name) => !before.includes(name)) as [string]
  const { owner_id: engagementId } = await app.db
    .selectFrom('files')
    .select('owner_id')
    .where('id', '=', fileId)
    .executeTakeFirstOrThrow()
  const admin = await app.signIn(await app.createUser('Instance Admin', { isInstanceAdmin: true }))
  await putIntoSafeMode(app)
  expect((await key.delete(`${filesOf(engagementId)}/${fileId}`)).status).toBe(200)
  expect((await key.get(`${filesOf(engagementId)}/${fileId}`)).status).toBe(404)
  expect(readdirSync(path.dirname(path.join(root, file)))).toContain(fileId)
  expect((await admin.post('/api/web/instance/go-live', {})).status).toBe(200)
  old(file)
  await clean()
  expect(filesBelow(root)).not.toContain(file)
  expect(quarantined()).toContain(file)
})
