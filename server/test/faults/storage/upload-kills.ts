import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { eventually, type Stage } from '../../support/app/server-process.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { openUpload } from '../../support/clients/slow-upload.ts'
import { asSuperuserRows, copyTemplate } from '../../support/database/test-databases.ts'
import { filesOf, newEngagement } from '../../support/document/files.ts'
import type { TestStorage } from '../../support/storage/storages.ts'

const PIECES = 4
/** In this time a file is synced, renamed and gets its row. */
const LAST_MOMENTS_MS = 20

/** Kills the server at points spread over an upload, cleans, and expects rows and files to match. */
export const expectWholeFiles = async (stage: Stage, storage: TestStorage, kills: number): Promise<void> => {
  const settings = await copyTemplate()
  const env = { DATABASE_URL: databaseUrl(settings), ...storage.env }
  const piece = Buffer.alloc(storage.stepBytes, 'a piece of a file ')
  let server = await stage.server({ env })
  await server.ready()
  const key = await withNewKey(await signInAsOwner(server.origin))
  const files = filesOf(await newEngagement(key))
  let acknowledged = 0
  for (let kill = 0; kill < kills; kill++) {
    const upload = openUpload(
      `${server.origin}${files}?fileName=${kill}`,
      key.headers['authorization'] as string,
      PIECES * piece.length,
    )
    // Half of the kills are during the upload, half after the last byte.
    const point = (2 * kill) / kills
    const leftBefore = storage.begun()
    for (let sent = 0; sent < PIECES && sent <= point * PIECES; sent++) await upload.send(piece)
    if (point >= 1) {
      upload.end()
      await Promise.race([upload.answer, sleep((point - 1) * LAST_MOMENTS_MS)])
    } else {
      // The rest is held back, so that the server is in the middle: a part is stored, and it waits for more.
      await eventually(() => expect(storage.begun().filter((begun) => !leftBefore.includes(begun))).toHaveLength(1))
    }
    await server.kill()
    if (point < 1) expect(storage.begun()).toHaveLength(leftBefore.length + 1)
    if ((await upload.answer)?.status === 201) acknowledged++
    server = await stage.server({ env, port: server.port })
    await server.ready()
  }
  const rows = await asSuperuserRows<{ id: string; sha256: string }>(
    settings,
    'select id, sha256 from files order by id',
  )
  expect(rows.length).toBeGreaterThanOrEqual(acknowledged)
  const hashes = storage.hashes()
  for (const row of rows) expect(hashes.get(row.id)).toBe(row.sha256)

  await storage.cleanLater(settings)
  expect([...storage.hashes().keys()].toSorted()).toEqual(rows.map(({ id }) => id))
  expect(storage.begun()).toEqual([])
}
