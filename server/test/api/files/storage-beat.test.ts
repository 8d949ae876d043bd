import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { compareStorage } from '../../../src/features/files/storage/compare-storage.ts'
import type { Platform } from '../../../src/platform/context.ts'
import { countBeat } from '../../../src/platform/files/beat.ts'
import { bindStorage, findBinding } from '../../../src/platform/files/binding.ts'
import { type TestApp, testApp } from '../../support/app/test-app.ts'

const MINUTE_MS = 60_000

let original: TestApp
let other: TestApp

beforeAll(async () => {
  ;[original, other] = await Promise.all([testApp({ workers: false }), testApp({ workers: false })])
})
afterAll(() => Promise.all([original.close(), other.close()]))
beforeEach(async () => {
  for (const { db } of [original, other]) await db.deleteFrom('safe_mode').execute()
})

/** A second database, copied from the first at this moment, with the same STORAGE_PATH. */
const copyToOther = async (): Promise<Platform> => {
  const row = await findBinding(original.db)
  await other.db
    .updateTable('storage_binding')
    .set({
      storage_id: row?.storage_id as string,
      place: row?.place as string,
      beat: row?.beat as number,
      beat_token: row?.beat_token as string,
    })
    .execute()
  return {
    ...other.platform,
    clock: original.clock,
    config: { ...other.platform.config, STORAGE_PATH: original.platform.config.STORAGE_PATH },
    storage: original.platform.storage,
  }
}
const minutes = async (count: number, platform: Platform = original.platform) => {
  for (let minute = 0; minute < count; minute++) {
    original.clock.advance(MINUTE_MS)
    await countBeat(platform)
  }
}
const isSafe = async ({ db }: TestApp) =>
  (await db.selectFrom('safe_mode').select('reason').where('ended_at', 'is', null).executeTakeFirst())?.reason
const startAgain = (platform: Platform) => bindStorage(platform, compareStorage)
const goLive = async () =>
  (await other.signIn(await other.createUser(undefined, { isInstanceAdmin: true }))).post(
    '/api/web/instance/go-live',
    {},
  )

test('O4: an original that restarts repeatedly is not a copy, and neither is one whose standby lacks the newest minute', async () => {
  await minutes(3)
  expect(await startAgain(original.platform)).toBeUndefined()
  const row = await findBinding(original.db)
  await minutes(1)
  // The standby took over before the last count had reached it.
  await original.db
    .updateTable('storage_binding')
    .set({ beat: row?.beat as number, beat_token: row?.beat_token as string })
    .execute()
  expect(await startAgain(original.platform)).toBeUndefined()
  await minutes(3)
  expect(await startAgain(original.platform)).toBeUndefined()
  expect(await isSafe(original)).toBeUndefined()
})

test('O4: a database that is minutes older than its files was restored: it starts in safe mode, once', async () => {
  await minutes(1)
  const row = await findBinding(original.db)
  await minutes(3)
  await original.db
    .updateTable('storage_binding')
    .set({ beat: row?.beat as number, beat_token: row?.beat_token as string })
    .execute()
  expect(await startAgain(original.platform)).toMatch(/older state than its files/)
  expect(await startAgain(original.platform)).toBeUndefined()
  await minutes(2)
  expect([await startAgain(original.platform), await isSafe(original)]).toEqual([undefined, undefined])
})

test('O4: a copy next to the original on the same files starts in safe mode, and cannot go live while the original counts', async () => {
  const copy = await copyToOther()
  await minutes(3)
  expect(await startAgain(copy)).toMatch(/another database uses the same files/)
  await minutes(1)
  // The app of the copy has its own directory: the service is called with that of the original.
  const { goLive: end } = await import('../../../src/features/instance/safe-mode.service.ts')
  const { plainChange } = await import('../../../src/platform/database/change.ts')
  const asOperator = { ...copy, change: plainChange(copy.db) }
  await expect(end(asOperator, { system: 'test' }, false)).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('Another server used the same files at '),
  })
  original.clock.advance(3 * MINUTE_MS)
  await expect(end(asOperator, { system: 'test' }, false)).resolves.toBeDefined()
  expect(await isSafe(original)).toBeUndefined()
  expect((await goLive()).status).toBe(200)
})

test('O4: two databases that count in one directory at the same time detect it within two minutes', async () => {
  const copy = await copyToOther()
  for (let minute = 0; minute < 3 && !(await isSafe(other)) && !(await isSafe(original)); minute++) {
    original.clock.advance(MINUTE_MS)
    await countBeat(original.platform)
    await countBeat(copy)
  }
  expect([await isSafe(other), await isSafe(original)]).toContain('Another database uses the same files.')
})
