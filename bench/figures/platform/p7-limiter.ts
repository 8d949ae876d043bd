// P7: the current organization with a limiter, in process and through Redis, against the same server without one.
import { atLeast, type Bench, type Measured, notMeasured } from '../../lib/figure.ts'
import { compareRates } from '../../lib/load.ts'
import { ORGANIZATION, seedOrganization, startRedis, startServer } from '../../lib/sortie.ts'

export const title = 'Current organization with a limiter against without one'

/** All servers run from sources, so that one of them can replace the limiter. */
const SOURCES = { script: 'server/src/process/main.ts' }

export const measure = async (bench: Bench): Promise<Measured[]> => {
  const url = await bench.database()
  const { headers } = await seedOrganization(url, 'measured', 100)
  const path = ORGANIZATION
  const server = await startServer(bench, { ...SOURCES, env: { DATABASE_URL: url } })
  const none = await startServer(bench, { script: 'bench/servers/unlimited.ts', env: { DATABASE_URL: url } })
  const local = await compareRates(bench, { server, path, headers }, { server: none, path, headers })
  const inProcess = atLeast('in process', 0.9, 'x', local.ratios, local.cpu)
  const REDIS_URL = await startRedis(bench)
  if (!REDIS_URL) return [inProcess, notMeasured('through Redis', 'this machine has no redis-server')]
  const sharing = await startServer(bench, { ...SOURCES, env: { DATABASE_URL: url, REDIS_URL } })
  const shared = await compareRates(bench, { server: sharing, path, headers }, { server: none, path, headers })
  return [inProcess, atLeast('through Redis', 0.7, 'x', shared.ratios, shared.cpu)]
}
