// P1: the server's list of members, against bare Fastify with only the same SQL.
import { atLeast, type Bench, type Measured } from '../../lib/figure.ts'
import { compareRates } from '../../lib/load.ts'
import { MEMBERS, startServer, startWithOrganization } from '../../lib/sortie.ts'

export const title = 'Member list (20 rows, total, key, limit, headers) against bare Fastify with the same SQL'

export const measure = async (bench: Bench): Promise<Measured[]> => {
  const { url, id, server, headers } = await startWithOrganization(bench)
  const env = { DATABASE_URL: url, ORGANIZATION_ID: id }
  const bare = await startServer(bench, { script: 'bench/servers/bare.ts', readyPath: '/members', env })
  const { ratios, cpu } = await compareRates(
    bench,
    { server, path: MEMBERS, headers },
    { server: bare, path: '/members' },
  )
  return [atLeast('member list', 0.6, 'x', ratios, cpu)]
}
