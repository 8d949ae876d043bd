import { atLeast, atMost, type Figure } from '../lib/figure.ts'
import { overload, seedTeams } from '../lib/overload.ts'
import { REFUSING_OVERLOAD, startSortie } from '../lib/sortie.ts'
import { spread } from '../lib/statistics.ts'

/** The load of the figure lasts a minute when rounds last as long as they do by default. */
const SECONDS_PER_ROUND_SECOND = 15

export const p8: Figure = {
  name: 'P8',
  title: 'Ten times the load that the server can answer, once (three times: npm run target -- L5)',
  measure: async ({ database, sender, seconds, note }) => {
    const url = await database.createMigrated('p8')
    database.pinBesideServer()
    const server = await startSortie(url, { ...REFUSING_OVERLOAD, LOG_LEVEL: 'warn' })
    try {
      const { capacity, overload: over } = await overload(sender, server, await seedTeams(url, server.origin), seconds * SECONDS_PER_ROUND_SECOND)
      note(
        `capacity ${capacity.toFixed(0)} good answers/s; ${over.due - over.unsent} of ${over.due} sent, ${over.good.count} good, ${over.refused.count} refused`,
      )
      return [
        atLeast('good answers', 0.5, spread([over.goodPerSecond / capacity])),
        atMost('accepted, 99th percentile', 500, 'ms', spread([over.good.p99])),
        atMost('refusals, 99th percentile', 250, 'ms', spread([over.refused.p99])),
      ]
    } finally {
      await server.stop()
    }
  },
}
