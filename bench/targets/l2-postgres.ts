import { setTimeout as sleep } from 'node:timers/promises'
import { signInAsOwner, withNewKey } from '../../server/test/support/server-clients.ts'
import { eventually, postgresPid } from '../../server/test/support/server-process.ts'
import { atLeastOf, atMostOf, none, type Target } from './target.ts'

const WRITERS = 6
const BETWEEN_KILLS_MS = 1_000
const ENGAGEMENTS = '/api/v1/engagements'

export const l2: Target = {
  name: 'L2',
  title: 'Kills of Postgres under load: nothing lost, only 503s, normal within 5 s (count: kills)',
  count: 20,
  measure: async ({ stage, count, note }) => {
    const server = await stage.server()
    await server.ready()
    const key = await withNewKey(await signInAsOwner(server.origin))
    const acknowledged: string[] = []
    const statuses: Record<string, number> = {}
    let going = true
    const writer = async () => {
      for (let i = 0; going; i++) {
        const answer = await (i % 2 ? key.get(`${ENGAGEMENTS}?perPage=1`) : key.post(ENGAGEMENTS, { name: 'Under kills' }))
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
        if (answer.status === 201) acknowledged.push(answer.body.data.id)
        // As clients do that are told to come again.
        if (answer.status === 503) await sleep(50)
      }
    }
    const writers = Array.from({ length: WRITERS }, writer)
    const normalMs: number[] = []
    for (let kill = 0; kill < count; kill++) {
      await sleep(BETWEEN_KILLS_MS)
      const pid = postgresPid(server.dataDir)
      if (pid === undefined) throw new Error('there is no Postgres to kill')
      process.kill(pid, kill % 2 ? 'SIGQUIT' : 'SIGKILL')
      const killedAt = performance.now()
      const isNormal = async () => {
        const answer = await key.post(ENGAGEMENTS, { name: 'Back' })
        if (answer.status !== 201 || postgresPid(server.dataDir) === pid) throw new Error(`a write answers ${answer.status}`)
        acknowledged.push(answer.body.data.id)
      }
      await eventually(isNormal, 30_000, 20)
      normalMs.push(performance.now() - killedAt)
    }
    going = false
    await Promise.all(writers)
    let lost = 0
    for (const id of acknowledged) if ((await key.get(`${ENGAGEMENTS}/${id}`)).status !== 200) lost++
    note(`answers ${JSON.stringify(statuses)}`)
    const others = Object.entries(statuses).filter(([status]) => !['200', '201', '503'].includes(status))
    return [
      none('acknowledged writes lost', lost),
      none(
        'answers that are neither good nor 503',
        others.reduce((sum, [, number]) => sum + number, 0),
      ),
      atMostOf('from the kill to a write that works', 5, 's', ...normalMs.map((ms) => ms / 1000)),
      atLeastOf('acknowledged writes', count * 10, '', acknowledged.length),
    ]
  },
}
