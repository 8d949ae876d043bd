import { atLeast, type Bench, type Figure, type Measured } from '../lib/figure.ts'
import { CONNECTIONS } from '../lib/load.ts'
import type { Server } from '../lib/processes.ts'
import { startRedis } from '../lib/redis.ts'
import { seedOrganization } from '../lib/seed.ts'
import { MEMBERS, ORGANIZATION, startSortie } from '../lib/sortie.ts'
import { median, spread } from '../lib/statistics.ts'

const AIM = 0.9
const WARM_UP_SECONDS = 2
/** Requests per second that each process gets: two together, with Postgres and the sender, leave the machine some time. */
const LOADS = [
  ['current organization', ORGANIZATION, 3_500],
  ['member list', MEMBERS, 1_500],
] as const

/**
 * What a second process costs: the supervising process, and the spreading of connections. All processes of a server are
 * on one core and their CPU time is added up, so that the figure is that of the software, not of the machine. Through
 * Redis both sides count their limits alike; without it the supervising process does that work for two, too.
 *
 * Each process gets as many requests in a second, on both sides. What it does once for all requests of a turn costs each
 * of them the less, the more there are: as many as a machine of two cores can send would be half as many for each of two
 * processes. With as many as can be sent, 64 connections to each, the figure was 0.72 to 0.82.
 *
 * More than 1 is no gain: below its capacity a process sleeps between requests, and two that share a core wake less often.
 */
export const p9: Figure = {
  name: 'P9',
  title: 'Requests per CPU second of a server: two processes against one, each at the same rate, on one Postgres',
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
  const sides = [
    { processes: 1, server: await start(1) },
    { processes: 2, server: await start(2) },
  ] as const
  try {
    const results: Measured[] = []
    for (const [name, path, rate] of LOADS) {
      const cpuUs = (server: Server, processes: number, seconds: number) => measureCpu(bench, server, { headers, path, rate: rate * processes, seconds })
      for (const { server, processes } of sides) await cpuUs(server, processes, WARM_UP_SECONDS)
      const rounds: { one: number; two: number }[] = []
      while (rounds.length < bench.rounds) {
        const [one, two] = [await cpuUs(sides[0].server, 1, bench.seconds), await cpuUs(sides[1].server, 2, bench.seconds)]
        rounds.push({ one, two })
      }
      const remark = `${median(rounds.map(({ two }) => two)).toFixed(0)} against ${median(rounds.map(({ one }) => one)).toFixed(0)} us of CPU for a request`
      results.push(atLeast(`${name}, ${how}`, AIM, spread(rounds.map(({ one, two }) => one / two)), remark))
    }
    return results
  } finally {
    await Promise.all(sides.map(({ server }) => server.stop()))
  }
}

interface Rate {
  headers: Record<string, string>
  path: string
  rate: number
  seconds: number
}

/** CPU microseconds of the server's processes per request. */
const measureCpu = async ({ sender }: Bench, { origin, cpuMs }: Server, { headers, path, rate, seconds }: Rate): Promise<number> => {
  const before = cpuMs()
  const { due, good } = await sender.open({ origin, headers, mix: [{ method: 'GET', path, weight: 1 }], rate, seconds, connections: CONNECTIONS })
  if (good.count < due) throw new Error(`${due - good.count} of ${due} requests went wrong`)
  return ((cpuMs() - before) * 1000) / due
}
