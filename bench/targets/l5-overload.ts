import { overload, seedTeams } from '../lib/overload.ts'
import { REFUSING_OVERLOAD, startSortie } from '../lib/sortie.ts'
import { atLeastOf, atMostOf, none, type Target } from './target.ts'

export const l5: Target = {
  name: 'L5',
  title: 'Ten times the load that the server can answer, open loop (count: seconds)',
  count: 60,
  measure: async ({ stage, database, sender, count, note }) => {
    const url = await database.createMigrated('l5')
    database.pinBesideServer()
    const server = await startSortie(url, { ...REFUSING_OVERLOAD, LOG_LEVEL: 'warn' })
    stage.add(() => server.stop())
    const {
      capacity,
      busy,
      overload: over,
      health,
      serverCpu,
      machineLoad,
      normalAfterSeconds,
    } = await overload(sender, server, await seedTeams(url, server.origin), count)
    note(`capacity ${capacity.toFixed(0)} good answers/s; at 80 % of it p99 ${busy.good.p99.toFixed(0)} ms, ${busy.refused.count} refused`)
    note(`ten times: ${over.due} sent, ${over.good.count} good, ${over.refused.count} refused, others ${JSON.stringify(over.other)}`)
    note(`the server had ${(serverCpu * 100).toFixed(0)} % of a core; load average of the machine ${machineLoad.toFixed(1)}`)
    return [
      atLeastOf('good answers against capacity', 0.9, 'x', over.goodPerSecond / capacity),
      atMostOf('accepted, 99th percentile', 500, 'ms', over.good.p99),
      atMostOf('accepted against 80 % load, 99th percentile', 2, 'x', over.good.p99 / busy.good.p99),
      atMostOf('refusals, 99th percentile', 50, 'ms', over.refused.p99),
      none(
        'answers that are neither good nor a refusal',
        Object.values(over.other).reduce((sum, number) => sum + number, 0),
      ),
      atMostOf('health, 99th percentile', 100, 'ms', health.p99),
      none('unhealthy answers', health.bad),
      atMostOf('normal after the end', 5, 's', normalAfterSeconds),
    ]
  },
}
