// P4: pages of an organization with a million rows, against those of a small one, alternately over one connection.
import { signInAsOwner } from '../../../server/test/support/clients/server-clients.ts'
import { atMost, type Bench, type Measured, medians, ratios } from '../../lib/figure.ts'
import { compareLatencies, type Request } from '../../lib/load.ts'
import { asker, seedEngagements, seedObjects, seedOrganization, sql, startServer } from '../../lib/sortie.ts'

const PLACES = { 'first page': 0, 'middle page': 0.5, 'last page': 1 }
/** Further requests per list: filters with the default sort, other sorts, a search. */
const ASKED: Record<string, string[]> = {
  'engagement-summaries': ['status=completed', 'sort=name', 'sort=updatedAt', 'q=engagement 77'],
  targets: [
    'kind=domain',
    'kind=cloud',
    'verdict=in',
    'criticality=high',
    'sort=canonical',
    'sort=criticality',
    'q=host-77',
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
  ],
  tasks: ['status=blocked', 'sort=position', 'sort=priority', 'q=task 77'],
}

type Side = { headers: Record<string, string>; engagementId: string; members: number; rows: number }

export const title =
  'Median latency of lists of 1,000,000 engagements, targets, results and tasks against 10,000, and of as many members against 100'

export const measure = async (bench: Bench): Promise<Measured[]> => {
  const url = await bench.database()
  const { origin } = await startServer(bench, { env: { DATABASE_URL: url } })
  const { headers } = await signInAsOwner(origin)
  const sideOf = async (name: string, members: number, rows: number): Promise<Side> => {
    const { id } = await seedOrganization(url, name, members - 1)
    const engagementId = await seedEngagements(url, id, rows)
    await seedObjects(url, id, engagementId, rows)
    const columns = 'organization_id, user_id, name, email, role, joined_at, updated_at'
    const me = `select '${id}', id, name, email, 'admin', now(), now() from users where email = 'admin@example.com'`
    await sql(url, `insert into memberships (${columns}) ${me}`)
    return { headers: { ...headers, 'x-organization': id }, engagementId, members, rows }
  }
  const sides = [await sideOf('large', 1_000_000, 1_000_000), await sideOf('small', 100, 10_000)]
  const compare = async (what: string, addressOf: (side: Side) => string): Promise<Measured> => {
    const [large, small] = sides.map((side) => ({
      url: `${origin}/api/web${addressOf(side)}`,
      headers: side.headers,
    })) as [Request, Request]
    const { our, their } = await compareLatencies(bench, large, small, 15)
    return atMost(what, 2, 'x', ratios(our, their), `${medians(our, their, 1)} ms`)
  }
  const measured: Measured[] = []
  for (const [place, share] of Object.entries(PLACES)) {
    const page = ({ members }: Side) => Math.max(1, Math.ceil((members / 20) * share))
    measured.push(
      await compare(`members ${place}`, (side) => `/organizations/current/members?perPage=20&page=${page(side)}`),
    )
  }
  for (const [list, queries] of Object.entries(ASKED)) {
    const listOf = ({ engagementId }: Side) =>
      `/${list}?perPage=100${list === 'engagement-summaries' ? '' : `&engagementId=${engagementId}`}`
    for (const query of queries) measured.push(await compare(`${list} ${query}`, (side) => `${listOf(side)}&${query}`))
    const cursors = new Map<Side, string[]>()
    for (const side of sides) cursors.set(side, await walk(`${origin}/api/web${listOf(side)}`, side))
    for (const [place, share] of Object.entries(PLACES)) {
      const cursor = (side: Side) => cursors.get(side)?.[Math.ceil((side.rows / 100) * share) - 2]
      measured.push(
        await compare(`${list} ${place}`, (side) => listOf(side) + (share === 0 ? '' : `&cursor=${cursor(side)}`)),
      )
    }
  }
  return measured
}

/** @returns the cursor of each page except the first; the walk visits every row once */
const walk = async (address: string, { headers, rows }: Side): Promise<string[]> => {
  const cursors: string[] = []
  let met = 0
  for (let cursor: string | null = ''; cursor !== null;) {
    const { data, meta } = await asker(address, headers)('GET', cursor ? `&cursor=${cursor}` : '')
    met += data.length
    cursor = meta.nextCursor as string | null
    if (cursor) cursors.push(cursor)
  }
  if (met !== rows) throw new Error(`${address} has ${met} rows instead of ${rows}`)
  return cursors
}
