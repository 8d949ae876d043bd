// P15: a tenant's latency while another one lists a million names without a pause, against its latency without that
// load, alternately.
import { startLoad } from '../../../server/test/support/clients/keep-alive-load.ts'
import { atMost, type Bench, inRounds, type Measured } from '../../lib/figure.ts'
import { latencies } from '../../lib/load.ts'
import { MEMBERS, seedEngagements, seedOrganization, startWithOrganization } from '../../lib/sortie.ts'

const [ROWS, CLIENTS] = [1_000_000, 3]
const ENGAGEMENTS = '/api/v1/engagements'

export const title = `Median latency of one tenant while another lists ${ROWS.toLocaleString('en')} names with ${CLIENTS} clients, against an idle server`

export const measure = async (bench: Bench): Promise<Measured[]> => {
  const { url, server, headers } = await startWithOrganization(bench)
  const large = await seedOrganization(url, 'large', 100)
  await seedEngagements(url, large.id, ROWS)
  const asked = [MEMBERS, ENGAGEMENTS].map((path) => ({ url: server.origin + path, headers }))
  const requests = [{ method: 'GET', path: `${ENGAGEMENTS}?sort=name&perPage=100&page=${ROWS / 100}` }]
  await latencies(asked, 100)
  const times = await inRounds(bench.rounds, async () => {
    const unshared = await latencies(asked, 100)
    const load = startLoad({ origin: server.origin, headers: large.headers, requests, clients: CLIENTS })
    const shared = await latencies(asked, 100)
    await load.stop()
    bench.note(`lists by status: ${JSON.stringify(Object.fromEntries(load.outcomes))}`)
    const [members = 0, engagements = 0] = shared.map((ms, i) => ms / (unshared[i] as number))
    return { members, engagements }
  })
  return [atMost('members', 2, 'x', times.members), atMost('engagements', 2, 'x', times.engagements)]
}
