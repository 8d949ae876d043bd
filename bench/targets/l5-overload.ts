import { type OverloadResult, overload, seedTeams } from '../lib/overload.ts'
import { REFUSING_OVERLOAD, startSortie } from '../lib/sortie.ts'
import { medianAtLeast, medianAtMost, none, type Target } from './target.ts'

const RUNS = 3

export const l5: Target = {
  name: 'L5',
  title: `Ten times the load that the server can answer, from 256 clients, ${RUNS} times (count: seconds of each)`,
  count: 60,
  measure: async ({ stage, database, sender, count, note }) => {
    const url = await database.createMigrated('l5')
    database.pinBesideServer()
    const server = await startSortie(url, { ...REFUSING_OVERLOAD, LOG_LEVEL: 'warn' })
    stage.add(() => server.stop())
    const mix = await seedTeams(url, server.origin)
    const before = server.memoryMb()
    const runs: OverloadResult[] = []
    for (let run = 0; run < RUNS; run++) {
      const result = await overload(sender, server, mix, count)
      const { capacity, overload: over, serverCpu, machineLoad } = result
      note(`capacity ${capacity.toFixed(0)} good answers/s; ten times: ${over.due - over.unsent} of ${over.due} sent, ${over.good.count} good`)
      note(
        `${over.refused.count} refused, others ${JSON.stringify(over.other)}; the server had ${(serverCpu * 100).toFixed(0)} % of a core; load average ${machineLoad.toFixed(1)}`,
      )
      runs.push(result)
    }
    const unanswered = runs.flatMap(({ overload: { other } }) => Object.values(other)).reduce((sum, number) => sum + number, 0)
    const each = (value: (run: OverloadResult) => number) => runs.map(value)
    return [
      medianAtLeast(
        'good answers against capacity',
        0.5,
        'x',
        each(({ overload: over, capacity }) => over.goodPerSecond / capacity),
      ),
      medianAtMost(
        'accepted, 99th percentile',
        500,
        'ms',
        each(({ overload: { good } }) => good.p99),
      ),
      medianAtMost(
        'refusals, 99th percentile',
        250,
        'ms',
        each(({ overload: { refused } }) => refused.p99),
      ),
      none('answers that are neither good nor a refusal', unanswered),
      medianAtMost(
        'health, 99th percentile',
        250,
        'ms',
        each(({ health }) => health.p99),
      ),
      none(
        'unhealthy answers',
        runs.reduce((sum, { health }) => sum + health.bad, 0),
      ),
      medianAtMost('memory added', 200, 'MB', [server.memoryMb() - before]),
      medianAtMost(
        'normal after the end',
        5,
        's',
        each(({ normalAfterSeconds }) => normalAfterSeconds),
      ),
    ]
  },
}
