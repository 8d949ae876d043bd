import { atLeast, type Bench, type Figure, type Measured } from '../lib/figure.ts'
import { CONNECTIONS, type Sender, startSender } from '../lib/load.ts'
import type { Server } from '../lib/processes.ts'
import { startRedis } from '../lib/redis.ts'
import { seedOrganization } from '../lib/seed.ts'
import { MEMBERS, ORGANIZATION, startSortie } from '../lib/sortie.ts'
import { median, spread } from '../lib/statistics.ts'

const AIM = 0.9
const WARM_UP_SECONDS = 2
/** Requests per second that each service gets: two together, with Postgres and the senders, leave the machine some time. */
const LOADS = [
  ['current organization', ORGANIZATION, 3_500],
  ['member list', MEMBERS, 1_500],
] as const

/** A service, and whoever sends to it. */
interface Side {
  server: Server
  sender: Sender
}

/**
 * What a second service on the same Postgres and Redis costs. All services are on one core and their CPU time is added
 * up, so that the figure is that of the software, not of the machine.
 *
 * Each service gets as many requests in a second, alone and beside the other: what it does once for all requests of a
 * moment costs each of them the less, the more there are. More than 1 is no gain: below its capacity a process sleeps
 * between requests, and two that share a core wake less often.
 */
export const p9: Figure = {
  name: 'P9',
  title: 'Requests per CPU second of services: two against one, each at the same rate, on one Postgres',
  measure: async (bench) => {
    const url = await bench.database.createMigrated('p9')
    const { headers } = await seedOrganization(url, 'p9', 100)
    const redis = await startRedis()
    if (!redis) bench.note('without Redis: each service counts limits for itself')
    const start = async (): Promise<Side> => ({
      server: await startSortie(url, { SORTIE_ROLE: 'api', ...(redis && { REDIS_URL: redis.url }) }),
      sender: startSender(),
    })
    const [one, other] = [await start(), await start()]
    try {
      const results: Measured[] = []
      for (const [name, path, rate] of LOADS) results.push(await compare(bench, [one, other], name, { headers, path, rate }))
      return results
    } finally {
      for (const { sender } of [one, other]) sender.stop()
      await Promise.all([one.server.stop(), other.server.stop(), redis?.stop()])
    }
  },
}

interface Rate {
  headers: Record<string, string>
  path: string
  rate: number
}

const compare = async (bench: Bench, [first, second]: [Side, Side], name: string, rate: Rate): Promise<Measured> => {
  await cpuPerRequest([first, second], rate, WARM_UP_SECONDS)
  const rounds: { one: number; two: number }[] = []
  while (rounds.length < bench.rounds) {
    rounds.push({ one: await cpuPerRequest([first], rate, bench.seconds), two: await cpuPerRequest([first, second], rate, bench.seconds) })
  }
  const remark = `${median(rounds.map(({ two }) => two)).toFixed(0)} against ${median(rounds.map(({ one }) => one)).toFixed(0)} us of CPU for a request`
  return atLeast(name, AIM, spread(rounds.map(({ one, two }) => one / two)), remark)
}

/** CPU microseconds of these services per request. */
const cpuPerRequest = async (sides: readonly Side[], { headers, path, rate }: Rate, seconds: number): Promise<number> => {
  const cpuMs = () => sides.reduce((sum, { server }) => sum + server.cpuMs(), 0)
  const before = cpuMs()
  const mix = [{ method: 'GET' as const, path, weight: 1 }]
  const results = await Promise.all(
    sides.map(({ server, sender }) => sender.open({ origin: server.origin, headers, mix, rate, seconds, connections: CONNECTIONS })),
  )
  const due = results.reduce((sum, result) => sum + result.due, 0)
  const good = results.reduce((sum, result) => sum + result.good.count, 0)
  if (good < due) throw new Error(`${due - good} of ${due} requests went wrong`)
  return ((cpuMs() - before) * 1000) / due
}
