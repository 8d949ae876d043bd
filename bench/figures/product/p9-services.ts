// P9: the gain of a second service on the same Postgres and Redis. Each one receives the same rate, first by itself,
// then with the other. They share a core, and their CPU time is added: the value is two, divided by the increase of the
// cost per request. More than 2 does not count as a gain.
import { atLeast, type Bench, inRounds, inTurn, type Measured, medians, ratios, sum } from '../../lib/figure.ts'
import { CONNECTIONS, openLoop } from '../../lib/load.ts'
import { MEMBERS, ORGANIZATION, type Server, startRedis, startServer, startWithOrganization } from '../../lib/sortie.ts'

/** Requests per second of each service. Two services with Postgres and the sender leave some idle time. */
const LOADS = [['current organization', ORGANIZATION, 3_500] as const, ['member list', MEMBERS, 1_500] as const]

export const title = 'Requests per second of two services against one, by their CPU time, on one Postgres'

export const measure = async (bench: Bench): Promise<Measured[]> => {
  const env = { REDIS_URL: await startRedis(bench), SORTIE_ROLE: 'api' }
  if (!env.REDIS_URL) bench.note('without Redis: each service counts limits for itself')
  const { url, server, headers } = await startWithOrganization(bench, env)
  const both = [server, await startServer(bench, { env: { DATABASE_URL: url, ...env } })]
  return inTurn(LOADS, async ([what, path, rate]) => {
    const usOf = async (servers: readonly Server[]) => {
      const before = sum(servers.map((each) => each.cpuMs()))
      const load = {
        mix: [{ method: 'GET' as const, path, headers }],
        rate,
        seconds: bench.seconds,
        connections: CONNECTIONS,
      }
      const results = await Promise.all(servers.map(({ origin }) => openLoop({ ...load, origin })))
      const due = sum(results.map((result) => result.due))
      const bad = due - sum(results.map(({ good }) => good.length))
      if (bad > 0) throw new Error(`${bad} of ${due} requests went wrong`)
      return ((sum(servers.map((each) => each.cpuMs())) - before) * 1_000) / due
    }
    await usOf(both)
    const { one, two } = await inRounds(bench.rounds, async () => ({
      one: await usOf([server]),
      two: await usOf(both),
    }))
    return atLeast(
      what,
      1.6,
      'x',
      ratios(one, two).map((ratio) => 2 * ratio),
      `one ${medians(one, two)} us of CPU for a request`,
    )
  })
}
