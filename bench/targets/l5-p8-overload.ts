// L5 and P8: the server's capacity, then ten times that load from clients that each wait for their response, and the
// time until it is normal again.
import { atLeast, atMost, type Bench, inRounds, type Measured, none, percentile, repeat, sum } from '../lib/figure.ts'
import { CONNECTIONS, type MixedRequest, openLoop } from '../lib/load.ts'
import { asker, MEMBERS, ORGANIZATION, REFUSING, SERVER_CORE, seedOrganization, startServer } from '../lib/sortie.ts'

const RUNS = 3
const CLIENTS = 256

/** Mostly reads of lists and some writes, as teams do. The number of rows stays the same, except in the audit log. */
const seedTeams = async (databaseUrl: string, origin: string): Promise<MixedRequest[]> => {
  const mixes = await repeat(10, async (team) => {
    const { headers } = await seedOrganization(databaseUrl, `team${team}`, 1_000)
    const get = (path: string): MixedRequest => ({ method: 'GET', path, headers })
    const reads = [get(ORGANIZATION), get(`${MEMBERS}?perPage=100`), get('/api/v1/engagements')]
    return repeat(5, async (index) => {
      const { data } = await asker(origin, headers)('POST', '/api/v1/engagements', { name: `Engagement ${index}` })
      const write = (description: string): MixedRequest => ({
        method: 'PATCH',
        path: `/api/v1/engagements/${data.id}`,
        headers,
        body: { description },
      })
      return [...reads, write('Under load'), ...reads, ...reads.slice(1), write('Under load again')]
    })
  })
  return mixes.flat(2)
}

export const title = `Ten times the load that the server can answer, from ${CLIENTS} clients, ${RUNS} times (count: seconds of each)`
export const count = 60
export const postgresCores = SERVER_CORE

export const measure = async (bench: Bench): Promise<Measured[]> => {
  const { count: seconds, note } = bench
  const DATABASE_URL = await bench.database()
  const { origin, memoryMb } = await startServer(bench, { env: { DATABASE_URL, ...REFUSING } })
  const load = { origin, mix: await seedTeams(DATABASE_URL, origin), connections: CLIENTS, skipsWhenBusy: true }
  const before = memoryMb()
  const runs = await inRounds(RUNS, async () => {
    await openLoop({ ...load, connections: CONNECTIONS, seconds: 3 })
    const { good } = await openLoop({ ...load, connections: CONNECTIONS, seconds: Math.min(seconds, 15) })
    const capacity = good.length / Math.min(seconds, 15)
    const asked = { origin, mix: [{ method: 'GET' as const, path: '/api/health' }], rate: 10, connections: 1, seconds }
    const [over, health] = await Promise.all([openLoop({ ...load, rate: capacity * 10, seconds }), openLoop(asked)])
    const endedAt = performance.now()
    note(
      `capacity ${capacity.toFixed(0)} good answers/s; ten times: ${over.due - over.unsent} of ${over.due} sent, ${over.good.length} good`,
    )
    note(`${over.refused.length} refused, others ${JSON.stringify(over.other)}`)
    let normalAfter = 0
    for (let isCalm = false; !isCalm && normalAfter < 20;) {
      normalAfter = (performance.now() - endedAt) / 1_000
      const { due, good } = await openLoop({ ...load, rate: capacity / 2, seconds: 1, skipsWhenBusy: false })
      isCalm = good.length === due && percentile(good, 0.99) <= 500
    }
    return {
      share: over.good.length / seconds / capacity,
      goodMs: percentile(over.good, 0.99),
      refusedMs: percentile(over.refused, 0.99),
      healthMs: percentile(health.good, 0.99),
      others: sum(Object.values(over.other)),
      unhealthy: health.due - health.good.length,
      normalAfter,
    }
  })
  return [
    atLeast('good answers against capacity', 0.5, 'x', runs.share),
    atMost('accepted, 99th percentile', 500, 'ms', runs.goodMs),
    atMost('refusals, 99th percentile', 250, 'ms', runs.refusedMs),
    none('answers that are neither good nor a refusal', sum(runs.others)),
    atMost('health, 99th percentile', 250, 'ms', runs.healthMs),
    none('unhealthy answers', sum(runs.unhealthy)),
    atMost('memory added', 200, 'MB', [memoryMb() - before]),
    atMost('normal after the end', 5, 's', runs.normalAfter),
  ]
}
