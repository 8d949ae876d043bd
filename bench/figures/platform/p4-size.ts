// P4: pages of lists of a million rows, alternately over one connection: of members against those of a small organization,
// of other lists against the first page of the same list.
import { signInAsOwner } from '../../../server/test/support/clients/server-clients.ts'
import { atMost, type Bench, type Measured, medians, ratios } from '../../lib/figure.ts'
import { compareLatencies, type Request } from '../../lib/load.ts'
import { asker, seedEngagements, seedObjects, seedOrganization, sql, startServer } from '../../lib/sortie.ts'

const PLACES = { 'first page': 0, 'middle page': 0.5, 'last page': 1 }
/** Further requests per list: filters with the default sort, other sorts, searches of a text on many rows and on one. */
const ASKED: Record<string, string[]> = {
  'engagement-summaries': [
    'status=completed',
    'sort=name',
    'sort=updatedAt',
    'q=engagement 77',
    'q=engagement 777777',
    'q=777777&sort=name',
  ],
  targets: [
    'kind=domain',
    'kind=cloud',
    'verdict=in',
    'criticality=high',
    'sort=canonical',
    'sort=criticality',
    'q=host-77',
    'q=host-777777',
    'q=777777&sort=canonical',
  ],
  results: [
    'kind=vulnerability',
    'status=open',
    'severity=high',
    'port=8443',
    'verdict=caution',
    'targetId=none',
    'sort=lastSeenAt',
    'sort=asset',
    'q=host-77',
    'q=host-777777',
    'q=777777&sort=asset',
  ],
  tasks: ['status=blocked', 'sort=position', 'sort=priority', 'q=task 77', 'q=task 777777', 'q=777777&sort=priority'],
}

type Side = { headers: Record<string, string>; engagementId: string; members: number }

/** Lists to measure, separated by commas, such as `results,tasks`; if unset, all, and `members`. */
const CHOSEN = process.env['P4_LISTS']?.split(',') ?? ['members', ...Object.keys(ASKED)]
const ROWS = 1_000_000
/** Times the first page that a filter, an order or another page may take, and a search of a part of a text. */
const [MOST, MOST_SEARCHED] = [3, 20]

export const title =
  'Median latency of filters, orders and searches in lists of 1,000,000 engagements, targets, results and tasks against their first page, and of as many members against 100'

export const measure = async (bench: Bench): Promise<Measured[]> => {
  const url = await bench.database()
  const { origin } = await startServer(bench, { env: { DATABASE_URL: url } })
  const { headers } = await signInAsOwner(origin)
  const sideOf = async (name: string, members: number, rows: number): Promise<Side> => {
    const { id } = await seedOrganization(url, name, members - 1)
    const engagementId = await seedEngagements(url, id, CHOSEN.includes('engagement-summaries') ? rows : 1)
    await seedObjects(url, id, engagementId, rows)
    const columns = 'organization_id, user_id, name, email, role, joined_at, updated_at'
    const me = `select '${id}', id, name, email, 'admin', now(), now() from users where email = 'admin@example.com'`
    await sql(url, `insert into memberships (${columns}) ${me}`)
    return { headers: { ...headers, 'x-organization': id }, engagementId, members }
  }
  const measured: Measured[] = []
  const compare = async (what: string, most: number, our: Request, their: Request): Promise<void> => {
    const times = await compareLatencies(bench, our, their, 15)
    measured.push(atMost(what, most, 'x', ratios(times.our, times.their), `${medians(times.our, times.their, 1)} ms`))
  }
  const large = await sideOf('large', CHOSEN.includes('members') ? ROWS : 100, ROWS)
  const askedOf = (side: Side, address: string): Request => ({
    url: `${origin}/api/web${address}`,
    headers: side.headers,
  })
  if (CHOSEN.includes('members')) {
    const small = await sideOf('small', 100, 100)
    for (const [place, share] of Object.entries(PLACES)) {
      const page = (side: Side) => {
        const number = Math.max(1, Math.ceil((side.members / 20) * share))
        return askedOf(side, `/organizations/current/members?perPage=20&page=${number}`)
      }
      await compare(`members ${place}`, 2, page(large), page(small))
    }
  }
  for (const [list, queries] of Object.entries(ASKED).filter(([name]) => CHOSEN.includes(name))) {
    const ofEngagement = list === 'engagement-summaries' ? '' : `&engagementId=${large.engagementId}`
    const address = `/${list}?perPage=100${ofEngagement}`
    const first = askedOf(large, address)
    for (const query of queries) {
      const most = query.startsWith('q=') ? MOST_SEARCHED : MOST
      await compare(`${list} ${query}`, most, askedOf(large, `${address}&${query}`), first)
    }
    const cursors = await walk(first)
    for (const [place, share] of Object.entries(PLACES).filter(([, part]) => part > 0)) {
      const cursor = cursors[Math.ceil((ROWS / 100) * share) - 2]
      await compare(`${list} ${place}`, MOST, askedOf(large, `${address}&cursor=${cursor}`), first)
    }
  }
  return measured
}

/** @returns the cursor of each page except the first; the walk visits every row once */
const walk = async ({ url, headers }: Request): Promise<string[]> => {
  const cursors: string[] = []
  let met = 0
  for (let cursor: string | null = ''; cursor !== null;) {
    const { data, meta } = await asker(url, headers)('GET', cursor ? `&cursor=${cursor}` : '')
    met += data.length
    cursor = meta.nextCursor as string | null
    if (cursor) cursors.push(cursor)
  }
  if (met !== ROWS) throw new Error(`${url} has ${met} rows instead of ${ROWS}`)
  return cursors
}
