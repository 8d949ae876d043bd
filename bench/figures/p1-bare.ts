import { alternateLoad, atLeast, type Figure, ratios } from '../lib/figure.ts'
import { startServer } from '../lib/processes.ts'
import { seedOrganization } from '../lib/seed.ts'
import { MEMBERS, startSortie } from '../lib/sortie.ts'

export const p1: Figure = {
  name: 'P1',
  title: 'Member list (20 rows, total, key, limit, headers) against bare Fastify with the same SQL',
  measure: async (bench) => {
    const url = await bench.database.createMigrated('p1')
    const organization = await seedOrganization(url, 'p1', 100)
    const sortie = await startSortie(url)
    const bare = await startServer({
      script: 'bench/servers/bare-members.ts',
      readyPath: '/members',
      env: { DATABASE_URL: url, ORGANIZATION_ID: organization.id },
    })
    try {
      const [ours, theirs] = await alternateLoad(bench, [
        { name: 'sortie', server: sortie, path: MEMBERS, headers: organization.headers },
        { name: 'bare', server: bare, path: '/members' },
      ])
      return [atLeast('member list', 0.6, ratios(ours, theirs), `${ours.cpuUs.toFixed(0)} against ${theirs.cpuUs.toFixed(0)} us of server CPU`)]
    } finally {
      await Promise.all([sortie.stop(), bare.stop()])
    }
  },
}
