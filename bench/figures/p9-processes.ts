import { alternateLoad, atLeast, type Bench, type Figure, type Measured, type Side } from '../lib/figure.ts'
import { CONNECTIONS } from '../lib/load.ts'
import { startRedis } from '../lib/redis.ts'
import { seedOrganization } from '../lib/seed.ts'
import { MEMBERS, ORGANIZATION, startSortie } from '../lib/sortie.ts'
import { spread } from '../lib/statistics.ts'

const AIM = 0.9

/**
 * What a second process costs: the supervising process, and the spreading of connections. All processes of a server are
 * on one core and their CPU time is added up, so that the figure is that of the software, not of the machine. Through
 * Redis both sides count their limits alike; without it the supervising process does that work for two, too.
 *
 * Each process is under the load that one is under elsewhere, 64 connections: what a process does once for all requests of
 * a turn costs each of them the less, the more there are. The last line shows what the same 64 for both together cost.
 */
export const p9: Figure = {
  name: 'P9',
  title: 'Requests per CPU second of a server: two processes against one, on one Postgres',
  measure: async (bench) => {
    const url = await bench.database.createMigrated('p9')
    const { headers } = await seedOrganization(url, 'p9', 100)
    const redis = await startRedis()
    try {
      const shared = redis ? await compare(bench, url, headers, 'limits in Redis', { REDIS_URL: redis.url }) : []
      return [...shared, ...(await compare(bench, url, headers, 'limits in the supervising process', {}))]
    } finally {
      await redis?.stop()
    }
  },
}

const compare = async (bench: Bench, url: string, headers: Record<string, string>, how: string, env: Record<string, string>): Promise<Measured[]> => {
  const start = (processes: number) => startSortie(url, { ...env, SORTIE_ROLE: 'api', SORTIE_API_PROCESSES: String(processes) })
  const [one, two] = [await start(1), await start(2)]
  try {
    const results: Measured[] = []
    for (const [name, path, connections] of [
      ['current organization', ORGANIZATION, 2 * CONNECTIONS],
      ['member list', MEMBERS, 2 * CONNECTIONS],
      ['current organization, no more load than one bears', ORGANIZATION, CONNECTIONS],
    ] as const) {
      const sides: Side[] = [
        { name: `two processes, ${name}`, server: two, path, headers, connections },
        { name: `one process, ${name}`, server: one, path, headers },
      ]
      const [pair, single] = await alternateLoad(bench, sides)
      if (!pair || !single) throw new Error('a side is missing')
      const perCpuSecond = pair.cpuUsByRound.map((us, i) => (single.cpuUsByRound[i] as number) / us)
      const remark = `${Math.round(1e6 / pair.cpuUs)} against ${Math.round(1e6 / single.cpuUs)} requests per CPU second`
      results.push(atLeast(`${name}, ${how}`, AIM, spread(perCpuSecond), remark))
    }
    return results
  } finally {
    await Promise.all([one.stop(), two.stop()])
  }
}
