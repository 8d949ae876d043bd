import { withClient } from '../lib/database.ts'
import { atMost, type Figure, type Measured } from '../lib/figure.ts'
import { seedOrganization } from '../lib/seed.ts'
import { MEMBERS, startSortie } from '../lib/sortie.ts'
import { median, spread } from '../lib/statistics.ts'

const ROWS = 1_000_000
const CLIENTS = 3
const PER_PAGE = 100
const REQUESTS_PER_ROUND = 100
const ENGAGEMENTS = '/api/v1/engagements'

export const p15: Figure = {
  name: 'P15',
  title: `Median latency of one tenant while another lists ${ROWS.toLocaleString('en')} names with ${CLIENTS} clients, against alone`,
  measure: async (bench) => {
    const url = await bench.database.createMigrated('p15')
    const small = await seedOrganization(url, 'small', 100)
    const large = await seedOrganization(url, 'large', 100)
    await withClient(url, async (client) => {
      await client.query(
        `insert into engagements (id, organization_id, name, description, status, created_at, updated_at, details_updated_at)
          select 'eng_' || lpad(i::text, 26, '0'), $1, 'Engagement ' || i, '', 'active', now(), now(), now() from generate_series(1, $2::int) i`,
        [large.id, ROWS],
      )
      await client.query('vacuum analyze engagements')
    })
    const sortie = await startSortie(url)
    try {
      const urls = [MEMBERS, ENGAGEMENTS].map((path) => sortie.origin + path)
      const headers = urls.map(() => small.headers)
      const measure = () => bench.sender.alternate({ urls, headers, requests: REQUESTS_PER_ROUND })
      await measure()
      const ratios: number[][] = []
      const lists: { status: number; ms: number }[] = []
      for (let round = 0; round < bench.rounds; round++) {
        const alone = await measure()
        const stop = list(`${sortie.origin}${ENGAGEMENTS}?sort=name&perPage=${PER_PAGE}&page=${ROWS / PER_PAGE}`, large.headers, lists)
        const beside = await measure()
        await stop()
        ratios.push(beside.map((ms, i) => ms / (alone[i] as number)))
      }
      const listMs = median(lists.map(({ ms }) => ms))
      bench.note(`${lists.length} lists, median ${listMs.toFixed(0)} ms, ${lists.filter(({ status }) => status !== 200).length} of them refused`)
      return ['members', 'engagements'].map((what, i): Measured => atMost(what, 2, 'x', spread(ratios.map((each) => each[i] as number))))
    } finally {
      await sortie.stop()
    }
  },
}

/** Lists without a pause. @returns what ends it */
const list = (url: string, headers: Record<string, string>, results: { status: number; ms: number }[]) => {
  let going = true
  const client = async () => {
    while (going) {
      const started = performance.now()
      const response = await fetch(url, { headers })
      await response.arrayBuffer()
      results.push({ status: response.status, ms: performance.now() - started })
    }
  }
  const clients = Promise.all(Array.from({ length: CLIENTS }, client))
  return async () => {
    going = false
    await clients
  }
}
