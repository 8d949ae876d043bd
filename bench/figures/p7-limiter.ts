import { alternateLoad, atLeast, type Figure, type Measured, ratios } from '../lib/figure.ts'
import { startRedis } from '../lib/redis.ts'
import { seedOrganization } from '../lib/seed.ts'
import { ORGANIZATION, startSortie } from '../lib/sortie.ts'

const SCRIPT = 'bench/servers/sortie-limiter.ts'
const AIM_LOCAL = 0.9
const AIM_REDIS = 0.7

export const p7: Figure = {
  name: 'P7',
  title: 'Current organization with a limiter against without one',
  measure: async (bench) => {
    const url = await bench.database.createMigrated('p7')
    const { headers } = await seedOrganization(url, 'p7', 100)
    const redis = await startRedis()
    const kinds = redis ? ['none', 'local', 'redis'] : ['none', 'local']
    const servers = await Promise.all(kinds.map((LIMITER) => startSortie(url, { LIMITER, ...(redis && { REDIS_URL: redis.url }) }, SCRIPT)))
    try {
      const sides = servers.map((server, i) => ({ name: `limiter: ${kinds[i]}`, server, path: ORGANIZATION, headers }))
      const [none, local, shared] = await alternateLoad(bench, sides)
      if (!none || !local) throw new Error('a side is missing')
      return [atLeast('in process', AIM_LOCAL, ratios(local, none)), shared ? atLeast('through Redis', AIM_REDIS, ratios(shared, none)) : WITHOUT_REDIS]
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
      await redis?.stop()
    }
  },
}

const WITHOUT_REDIS: Measured = {
  what: 'through Redis',
  aim: `at least ${AIM_REDIS}`,
  value: undefined,
  unit: 'x',
  reached: false,
  remark: 'this machine has no redis-server',
}
