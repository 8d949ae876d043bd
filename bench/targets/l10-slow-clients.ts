// L10: many clients that are slow in one way: the service of an API client with them, and the time until all of them
// are closed.
import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Slowness } from '../../server/test/support/clients/slow-clients.ts'
import { allAtMost, type Bench, inTurn, type Measured, none } from '../lib/figure.ts'
import { duringDisturbance } from '../lib/load.ts'
import { startWithOrganization } from '../lib/sortie.ts'

/** Connections per second; more would be a flood, which is another target. */
const OPENED_PER_SECOND = 250
/** Clients that do not read would take the processors when they read at last. */
const NEVER_MS = 600_000
/** A process of slow clients that fails does not answer. */
const ANSWER_WITHIN_MS = 60_000
const ASSETS = 'web/dist/assets'

export const title =
  'Slow clients in four ways, one way after the other: others are served, all are closed (count: clients of each way)'
export const count = 2_000

export const measure = async (bench: Bench): Promise<Measured[]> => {
  const { server, headers } = await startWithOrganization(bench)
  const ways: Slowness[] = ['headers', 'body', 'idle', 'read']
  const [largest] = readdirSync(ASSETS).toSorted(
    (a, b) => statSync(`${ASSETS}/${b}`).size - statSync(`${ASSETS}/${a}`).size,
  )
  const paths = { headers: '/', body: '/api/v1/engagements', idle: '/', read: `/assets/${largest}` }
  const measured = await inTurn(ways, async (name) => {
    // Two systems buffer most of the unread data before the server notices.
    const withinS = name === 'read' ? 50 : 20
    const disturb = async () => {
      const asked = [server.origin, name, bench.count, headers, paths[name], OPENED_PER_SECOND, NEVER_MS]
      const clients = fork(new URL('../lib/slow-clients-process.ts', import.meta.url), [JSON.stringify(asked)])
      bench.stage.add(() => void clients.kill('SIGKILL'))
      await once(clients, 'message', { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
      const openedAt = performance.now()
      const seconds = () => (performance.now() - openedAt) / 1_000
      const left = () => slowConnectionsOf(server.process.port)
      while (left() > 0 && seconds() < withinS + 2) await sleep(250)
      const result = { left: left(), slowest: seconds() }
      clients.send('end')
      const [closedAfterMs] = (await once(clients, 'message', { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })) as [
        number[],
      ]
      // Only a client that reads notices its end.
      if (name !== 'read') result.slowest = Math.max(result.slowest, ...closedAfterMs.map((ms) => ms / 1_000))
      return result
    }
    const seconds = Math.ceil(bench.count / OPENED_PER_SECOND) + withinS + 2
    const { result, measured: others } = await duringDisturbance(
      bench,
      { server, headers },
      { name, seconds, memoryMb: name === 'read' ? 500 : 200, disturb },
    )
    return [
      none(`${name}: still open after ${withinS + 2} s`, result.left),
      allAtMost(`${name}: closed after`, withinS, 's', [result.slowest]),
      ...others,
    ]
  })
  return measured.flat()
}

/**
 * Returns the number of connections of slow clients, as the server has them: a client that does not read notices no
 * end. They do not come from 127.0.0.1.
 */
const slowConnectionsOf = (port: number): number =>
  spawnSync('ss', ['-Htn', 'state', 'established', `sport = :${port} and not dst 127.0.0.1`], {
    encoding: 'utf8',
  }).stdout.split('\n').length - 1
