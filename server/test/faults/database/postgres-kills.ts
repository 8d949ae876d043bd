import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually, postgresPid, type Stage } from '../../support/app/server-process.ts'
import { signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'

export interface PostgresKillResult {
  acknowledged: number
  lost: number
  /** Number of requests by status. */
  statuses: Record<number, number>
  /** Milliseconds from each kill to an acknowledged write. */
  normalMs: number[]
}

const CLIENTS = 6
const BETWEEN_KILLS_MS = 1_000
const ENGAGEMENTS = '/api/v1/engagements'

/** Repeatedly kills the embedded Postgres during reads and writes, and then looks for every acknowledged write. */
export const runPostgresKills = async (stage: Stage, kills: number): Promise<PostgresKillResult> => {
  const server = await stage.server()
  await server.ready()
  const key = await withNewKey(await signInAsOwner(server.origin))
  const acknowledged: string[] = []
  const statuses: Record<number, number> = {}
  const normalMs: number[] = []
  const write = async (): Promise<number> => {
    const { status, body } = await key.post(ENGAGEMENTS, { name: 'Under kills' })
    if (status === 201) acknowledged.push(body.data.id)
    return status
  }
  let isGoing = true
  const client = async () => {
    for (let turn = 0; isGoing; turn++) {
      const status = turn % 2 ? (await key.get(`${ENGAGEMENTS}?perPage=1`)).status : await write()
      statuses[status] = (statuses[status] ?? 0) + 1
      // Clients wait like this after Retry-After.
      if (status === 503) await sleep(50)
    }
  }
  const clients = Array.from({ length: CLIENTS }, client)
  for (let kill = 0; kill < kills; kill++) {
    await sleep(BETWEEN_KILLS_MS)
    const pid = postgresPid(server.dataDir) as number
    process.kill(pid, kill % 2 ? 'SIGQUIT' : 'SIGKILL')
    const killedAt = performance.now()
    const isNormal = async () => {
      assert.equal(await write(), 201)
      assert.notEqual(postgresPid(server.dataDir), pid)
      assert.equal(await server.health(), 200)
    }
    await eventually(isNormal, 30_000, 20)
    normalMs.push(performance.now() - killedAt)
  }
  isGoing = false
  await Promise.all(clients)
  assert.ok(server.isRunning)
  let lost = 0
  for (const id of acknowledged) if ((await key.get(`${ENGAGEMENTS}/${id}`)).status !== 200) lost++
  return { acknowledged: acknowledged.length, lost, statuses, normalMs }
}
