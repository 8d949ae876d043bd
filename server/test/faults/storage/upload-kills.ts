import { readFileSync, statSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { cleanFiles } from '../../../src/features/files/files.jobs.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { parseConfig } from '../../../src/platform/config.ts'
import { openDatabase } from '../../../src/platform/database/connection/open.ts'
import { createStorage } from '../../../src/platform/files/open-storage.ts'
import { createLogger } from '../../../src/platform/log.ts'
import { eventually, SESSION_SECRET, type Stage } from '../../support/app/server-process.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { openUpload } from '../../support/clients/slow-upload.ts'
import { asSuperuserRows, copyTemplate } from '../../support/database/test-databases.ts'
import { filesBelow, filesOf, newEngagement, sha256 } from '../../support/document/files.ts'

const PIECE = Buffer.alloc(256 * 1024, 'a piece of a file ')
const PIECES = 12
/** In this time a file is synced, renamed and gets its row. */
const LAST_MOMENTS_MS = 20
const TWO_DAYS_SECONDS = 2 * 24 * 60 * 60

/** Kills the server at points spread over an upload, cleans, and expects rows and files to match. */
export const expectWholeFiles = async (stage: Stage, kills: number): Promise<void> => {
  const settings = await copyTemplate()
  const storage = stage.directory()
  const env = { DATABASE_URL: databaseUrl(settings), STORAGE_PATH: storage }
  let server = await stage.server({ env })
  await server.ready()
  const key = await withNewKey(await signInAsOwner(server.origin))
  const files = filesOf(await newEngagement(key))
  const partials = () => filesBelow(storage).filter((file) => file.endsWith('.partial'))
  let acknowledged = 0
  for (let kill = 0; kill < kills; kill++) {
    const upload = openUpload(
      `${server.origin}${files}?fileName=${kill}`,
      key.headers['authorization'] as string,
      PIECES * PIECE.length,
    )
    // Half of the kills are during the upload, half after the last byte.
    const point = (2 * kill) / kills
    const leftBefore = partials()
    for (let piece = 0; piece < PIECES && piece <= point * PIECES; piece++) await upload.send(PIECE)
    if (point >= 1) {
      upload.end()
      await Promise.race([upload.answer, sleep((point - 1) * LAST_MOMENTS_MS)])
    } else {
      // The rest is held back, so that the server is in the middle: a part is on the disk, and it waits for more.
      await eventually(() => {
        const begun = partials().filter((file) => !leftBefore.includes(file))
        expect(begun).toHaveLength(1)
        expect(statSync(path.join(storage, begun[0] as string)).size).toBeGreaterThan(0)
      })
    }
    await server.kill()
    if (point < 1) expect(partials()).toHaveLength(leftBefore.length + 1)
    if ((await upload.answer)?.status === 201) acknowledged++
    server = await stage.server({ env, port: server.port })
    await server.ready()
  }
  const rows = await asSuperuserRows<{ id: string; sha256: string }>(
    settings,
    'select id, sha256 from files order by id',
  )
  expect(rows.length).toBeGreaterThanOrEqual(acknowledged)
  const contents = new Map(
    filesBelow(storage).map((file) => [path.basename(file), sha256(readFileSync(path.join(storage, file)))]),
  )
  for (const row of rows) expect(contents.get(row.id)).toBe(row.sha256)

  const longAgo = Date.now() / 1000 - TWO_DAYS_SECONDS
  for (const file of filesBelow(storage)) utimesSync(path.join(storage, file), longAgo, longAgo)
  const database = openDatabase(settings, () => undefined)
  const opened = await createStorage(parseConfig({ SESSION_SECRET, STORAGE_PATH: storage }))
  await cleanFiles({ storage: opened, db: database.db, clock: systemClock, log: createLogger('silent') })
  await database.close()
  expect(
    filesBelow(storage)
      .map((file) => path.basename(file))
      .toSorted(),
  ).toEqual(rows.map(({ id }) => id))
}
