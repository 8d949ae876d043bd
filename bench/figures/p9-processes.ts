import { alternateLoad, atLeast, type Figure, type Measured, type Side } from '../lib/figure.ts'
import { seedOrganization } from '../lib/seed.ts'
import { MEMBERS, ORGANIZATION, startSortie } from '../lib/sortie.ts'
import { spread } from '../lib/statistics.ts'

const AIM = 0.9

/**
 * What a second process costs: the supervising process, its counting for both, and the spreading of connections. All
 * processes of a server are on one core and their CPU time is added up, so that the figure is that of the software, not
 * of the machine.
 */
export const p9: Figure = {
  name: 'P9',
  title: 'Requests per CPU second of a server: two processes against one, on one Postgres',
  measure: async (bench) => {
    const url = await bench.database.createMigrated('p9')
    const { headers } = await seedOrganization(url, 'p9', 100)
    const start = (processes: number) => startSortie(url, { SORTIE_ROLE: 'api', SORTIE_API_PROCESSES: String(processes) })
    const [one, two] = [await start(1), await start(2)]
    try {
      const results: Measured[] = []
      for (const [name, path] of [
        ['current organization', ORGANIZATION],
        ['member list', MEMBERS],
      ] as const) {
        const sides: Side[] = [
          { name: `two processes, ${name}`, server: two, path, headers },
          { name: `one process, ${name}`, server: one, path, headers },
        ]
        const [pair, single] = await alternateLoad(bench, sides)
        if (!pair || !single) throw new Error('a side is missing')
        const perCpuSecond = pair.cpuUsByRound.map((us, i) => (single.cpuUsByRound[i] as number) / us)
        const remark = `${Math.round(1e6 / pair.cpuUs)} against ${Math.round(1e6 / single.cpuUs)} requests per CPU second`
        results.push(atLeast(name, AIM, spread(perCpuSecond), remark))
      }
      return results
    } finally {
      await Promise.all([one.stop(), two.stop()])
    }
  },
}
