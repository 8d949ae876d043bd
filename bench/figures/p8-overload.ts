import { atLeast, atMost, type Figure } from '../lib/figure.ts'
import { overload, seedTeams } from '../lib/overload.ts'
import { REFUSING_OVERLOAD, startSortie } from '../lib/sortie.ts'
import { spread } from '../lib/statistics.ts'

/** The load of the figure lasts a minute when rounds last as long as they do by default. */
const SECONDS_PER_ROUND_SECOND = 15

export const p8: Figure = {
  name: 'P8',
  title: 'Ten times the load that the server can answer, open loop',
  measure: async ({ database, sender, seconds, note }) => {
    const url = await database.createMigrated('p8')
    database.pinBesideServer()
    const server = await startSortie(url, { ...REFUSING_OVERLOAD, LOG_LEVEL: 'warn' })
    try {
      const result = await overload(sender, server, await seedTeams(url, server.origin), seconds * SECONDS_PER_ROUND_SECOND)
      const { capacity, busy, overload: over, health, serverCpu, machineLoad, normalAfterSeconds } = result
      note(`capacity ${capacity.toFixed(0)} good answers/s; at 80 % of it p99 ${busy.good.p99.toFixed(0)} ms, ${busy.refused.count} refused`)
      note(`ten times: ${over.due} sent, ${over.good.count} good, ${over.refused.count} refused, others ${JSON.stringify(over.other)}`)
      note(
        `health: p50 ${health.p50.toFixed(0)} ms, p99 ${health.p99.toFixed(0)} ms, max ${health.max.toFixed(0)} ms, ${health.bad} bad; normal after ${normalAfterSeconds.toFixed(1)} s`,
      )
      note(`the server had ${(serverCpu * 100).toFixed(0)} % of a core; load average of the machine ${machineLoad.toFixed(1)}`)
      return [
        atLeast('good answers', 0.9, spread([over.goodPerSecond / capacity])),
        atMost('accepted, 99th percentile', 500, 'ms', spread([over.good.p99])),
        atMost('refusals, 99th percentile', 50, 'ms', spread([over.refused.p99])),
      ]
    } finally {
      await server.stop()
    }
  },
}
