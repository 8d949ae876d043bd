import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { isNightly } from '../../support/app/nightly.ts'
import { createStage } from '../../support/app/server-process.ts'
import { databaseUrl, signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { openUpload } from '../../support/clients/slow-upload.ts'
import { copyTemplate } from '../../support/database/test-databases.ts'
import { filesOf, newEngagement } from '../../support/document/files.ts'
import { createStorages, STORAGES } from '../../support/storage/storages.ts'
import { expectWholeFiles } from './upload-kills.ts'

const SIZE = isNightly ? 1024 ** 3 : 192 * 1024 ** 2
const KILLS = isNightly ? 6 : 2
/** Chunks that wait for the disk, and uncollected garbage. */
const MAX_GROWTH_BYTES = 160 * 1024 * 1024

const stage = createStage()
afterAll(() => stage.close())
const open = createStorages(stage)

describe.each(STORAGES)('%s', (name) => {
  test(`U7: after kills at ${KILLS} points of an upload every row has its complete file, acknowledged ones exist, and after the cleaning every file has its row`, async () =>
    expectWholeFiles(stage, await open(name), KILLS))

  test(`a file of ${SIZE / 1024 ** 2} MiB is uploaded and downloaded without being held in the server's memory`, async () => {
    const server = await stage.server({
      env: { DATABASE_URL: databaseUrl(await copyTemplate()), ...(await open(name)).env },
    })
    await server.ready()
    const key = await withNewKey(await signInAsOwner(server.origin))
    const files = filesOf(await newEngagement(key))
    /** The peak memory of the process. */
    const peakBytes = () =>
      Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1]) * 1024
    const before = peakBytes()
    const upload = openUpload(`${server.origin}${files}?fileName=large`, key.headers['authorization'] as string, SIZE)
    const hash = createHash('sha256')
    const piece = Buffer.alloc(1024 ** 2)
    for (let i = 0; i < SIZE / piece.length; i++) {
      piece.writeUInt32BE(i)
      hash.update(piece)
      await upload.send(Buffer.from(piece))
    }
    upload.end()
    const answer = await upload.answer
    expect(answer?.status, answer?.body).toBe(201)
    const { data } = JSON.parse(answer?.body as string)
    const expected = hash.digest('hex')
    expect([data.size, data.sha256]).toEqual([SIZE, expected])
    const received = createHash('sha256')
    const response = await fetch(`${server.origin}${files}/${data.id}`, { headers: key.headers })
    for await (const part of response.body as ReadableStream<Uint8Array>) received.update(part)
    expect(received.digest('hex')).toBe(expected)
    expect(peakBytes() - before).toBeLessThan(MAX_GROWTH_BYTES)
  })
})
