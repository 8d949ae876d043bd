import assert from 'node:assert/strict'
import { eventually, type Stage } from '../../support/app/server-process.ts'
import { signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { mountSmallDisk } from '../../support/database/small-disk.ts'

const ENGAGEMENTS = '/api/v1/engagements'
const MEGABYTES = 220
const RECOVERED_WITHIN_MS = 5_000
/** At most this many writes use up the free space in the database's files. */
const MAX_WRITES = 2_000

export interface FullDiskResult {
  rounds: number
  acknowledged: number
  /** Writes answered with 503. */
  refused: number
  lost: number
  /** Those of them whose sentence names the full disk. */
  named: number
  /** Reads that were not answered with 200 while the disk was full. */
  failedReads: number
  /** Milliseconds from free space to an acknowledged write, per round. */
  recoveredMs: number[]
}

/**
 * Repeatedly fills the disk below the embedded database, uploads and mails during writes: writes become 503, reads are
 * always answered, nothing acknowledged is lost, and writes succeed again once there is free space.
 */
export const runFullDisk = async (stage: Stage, rounds: number): Promise<FullDiskResult> => {
  const disk = mountSmallDisk(stage, MEGABYTES)
  const server = await stage.server({ dataDir: `${disk.directory}/data` })
  await server.ready()
  const key = await withNewKey(await signInAsOwner(server.origin))
  const acknowledged: string[] = []
  const recoveredMs: number[] = []
  let failedReads = 0
  let refused = 0
  let named = 0
  const description = 'x'.repeat(10_000)
  const write = async (): Promise<boolean> => {
    const { status, headers, body } = await key.post(ENGAGEMENTS, { name: 'On a full disk', description })
    if (status === 201) acknowledged.push(body.data.id)
    else {
      refused++
      assert.equal(status, 503)
      assert.ok(Number(headers.get('retry-after')) > 0)
      if (/disk of the database is full/.test(body.error.message)) named++
    }
    return status === 201
  }
  const read = async () => {
    const { status } = await key.get(`${ENGAGEMENTS}?perPage=1`)
    if (status !== 200) failedReads++
  }
  for (let round = 0; round < rounds; round++) {
    await write()
    disk.fill()
    for (let i = 0; i < MAX_WRITES && (await write()); i++) if (i % 20 === 0) disk.fill()
    for (let i = 0; i < 10; i++) {
      await write()
      await read()
    }
    assert.ok(server.isRunning)
    disk.empty()
    const emptiedAt = performance.now()
    await eventually(async () => assert.ok(await write()), RECOVERED_WITHIN_MS * 4, 50)
    recoveredMs.push(performance.now() - emptiedAt)
  }
  let lost = 0
  for (const id of acknowledged) if ((await key.get(`${ENGAGEMENTS}/${id}`)).status !== 200) lost++
  assert.equal((await server.stop()).code, 0)
  return { rounds, acknowledged: acknowledged.length, refused, named, lost, failedReads, recoveredMs }
}
