import { createHash } from 'node:crypto'
import { readFileSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { cleanFiles } from '../../src/features/files/files.jobs.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { parseConfig } from '../../src/platform/config.ts'
import { openDatabase } from '../../src/platform/database/open.ts'
import { createLogger } from '../../src/platform/log.ts'
import { filesBelow, filesOf, newEngagement, sha256 } from '../support/files.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../support/server-clients.ts'
import { createStage, SESSION_SECRET } from '../support/server-process.ts'
import { openUpload } from '../support/slow-upload.ts'
import { asSuperuserRows, copyTemplate } from '../support/test-app.ts'

const KILLS = 20
const PIECE = Buffer.alloc(256 * 1024, 'a piece of a file ')
const PIECES = 12
const GIBIBYTE = 1024 ** 3
/** Pieces that wait for the disk, and what the collector has not got round to. */
const MAX_GROWTH_BYTES = 160 * 1024 * 1024
const TWO_DAYS_SECONDS = 2 * 24 * 60 * 60

const stage = createStage()
afterAll(() => stage.close())

test('U7: killed at 20 points of an upload: every row has its whole file, what was acknowledged is there, and after the cleaning every file has its row', async () => {
  const settings = await copyTemplate()
  const storage = stage.directory()
  const env = { DATABASE_URL: databaseUrl(settings), STORAGE_PATH: storage }
  let server = await stage.server({ env })
  await server.ready()
  const key = await withNewKey(await signInAsOwner(server.origin))
  const files = filesOf(await newEngagement(key))
  let acknowledged = 0
  let left = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const upload = openUpload(`${server.origin}${files}?fileName=${kill}`, key.headers['authorization'] as string, PIECES * PIECE.length)
    // Half of the kills are on the way, half at some moment after the last byte.
    for (let piece = 0; piece < PIECES && piece <= kill * 1.2; piece++) await upload.send(PIECE)
    if (kill >= KILLS / 2) {
      upload.end()
      await Promise.race([upload.answer, sleep((kill - KILLS / 2) * 2)])
    }
    await server.kill()
    if ((await upload.answer)?.status === 201) acknowledged++
    left += filesBelow(storage).filter((file) => file.endsWith('.partial')).length > 0 ? 1 : 0
    server = await stage.server({ env, port: server.port })
    await server.ready()
  }
  expect(left).toBeGreaterThan(0)
  const rows = await asSuperuserRows<{ id: string; sha256: string }>(settings, 'select id, sha256 from files order by id')
  expect(rows.length).toBeGreaterThanOrEqual(acknowledged)
  const contents = new Map(filesBelow(storage).map((file) => [path.basename(file), sha256(readFileSync(path.join(storage, file)))]))
  for (const row of rows) expect(contents.get(row.id)).toBe(row.sha256)

  const longAgo = Date.now() / 1000 - TWO_DAYS_SECONDS
  for (const file of filesBelow(storage)) utimesSync(path.join(storage, file), longAgo, longAgo)
  const database = openDatabase(settings, () => undefined)
  const config = parseConfig({ SESSION_SECRET, STORAGE_PATH: storage })
  await cleanFiles({ config, db: database.db, clock: systemClock, log: createLogger('silent') })
  await database.close()
  expect(
    filesBelow(storage)
      .map((file) => path.basename(file))
      .toSorted(),
  ).toEqual(rows.map(({ id }) => id))
}, 240_000)

test('a file of 1 GiB goes in and out, and the server holds none of it in memory', async () => {
  const server = await stage.server({ env: { DATABASE_URL: databaseUrl(await copyTemplate()) } })
  await server.ready()
  const key = await withNewKey(await signInAsOwner(server.origin))
  const files = filesOf(await newEngagement(key))
  /** The most that the process ever had. */
  const peakBytes = () => Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1]) * 1024
  const before = peakBytes()
  const upload = openUpload(`${server.origin}${files}?fileName=large`, key.headers['authorization'] as string, GIBIBYTE)
  const hash = createHash('sha256')
  const piece = Buffer.alloc(1024 ** 2)
  for (let i = 0; i < GIBIBYTE / piece.length; i++) {
    piece.writeUInt32BE(i)
    hash.update(piece)
    await upload.send(Buffer.from(piece))
  }
  upload.end()
  const answer = await upload.answer
  expect(answer?.status, answer?.body).toBe(201)
  const { data } = JSON.parse(answer?.body as string)
  const expected = hash.digest('hex')
  expect([data.size, data.sha256]).toEqual([GIBIBYTE, expected])
  const received = createHash('sha256')
  const response = await fetch(`${server.origin}${files}/${data.id}`, { headers: key.headers })
  for await (const part of response.body as ReadableStream<Uint8Array>) received.update(part)
  expect(received.digest('hex')).toBe(expected)
  expect(peakBytes() - before).toBeLessThan(MAX_GROWTH_BYTES)
}, 180_000)
