// P17: the aim of P4 for findings: lists of an engagement with ten thousand findings, and of one finding with ten
// thousand assets, against those of a small one.
import { signInAsOwner } from '../../../server/test/support/clients/server-clients.ts'
import { atMost, type Bench, type Measured, medians, ratios } from '../../lib/figure.ts'
import { compareLatencies, type Request } from '../../lib/load.ts'
import { seedEngagements, seedOrganization, sql, startServer } from '../../lib/sortie.ts'

const [LARGE, SMALL] = [10_000, 100]

/** Requests for each side; `:engagement` and `:finding` are its own. */
const ASKED = [
  '/findings?engagementId=:engagement&perPage=100',
  '/findings?engagementId=:engagement&perPage=100&severity=high',
  '/findings?engagementId=:engagement&perPage=100&state=approved',
  '/findings?engagementId=:engagement&perPage=100&status=open',
  '/findings?engagementId=:engagement&perPage=100&sort=severity',
  '/findings?engagementId=:engagement&perPage=100&sort=updatedAt',
  '/findings/:finding',
  '/findings/:finding/affected?perPage=100',
  '/findings/:finding/affected?perPage=100&status=fixed',
  '/findings/:finding/comments?perPage=100',
]

type Side = { headers: Record<string, string>; engagementId: string; findingId: string }

export const title = `Median latency of lists of ${LARGE.toLocaleString('en')} findings and ${LARGE.toLocaleString('en')} assets against ${SMALL}`

export const measure = async (bench: Bench): Promise<Measured[]> => {
  const url = await bench.database()
  const { origin } = await startServer(bench, { env: { DATABASE_URL: url } })
  const { headers } = await signInAsOwner(origin)
  const sideOf = async (name: string, rows: number): Promise<Side> => {
    const { id } = await seedOrganization(url, name, 1)
    const engagementId = await seedEngagements(url, id, 1)
    const columns = 'organization_id, user_id, name, email, role, joined_at, updated_at'
    await sql(
      url,
      `insert into memberships (${columns}) select '${id}', id, name, email, 'admin', now(), now() from users where email = 'admin@example.com'`,
    )
    const findingId = await seedFindings(url, id, engagementId, rows)
    return { headers: { ...headers, 'x-organization': id }, engagementId, findingId }
  }
  const sides = [await sideOf('large', LARGE), await sideOf('small', SMALL)]
  const measured: Measured[] = []
  for (const asked of ASKED) {
    const addressOf = ({ engagementId, findingId }: Side) =>
      asked.replace(':engagement', engagementId).replace(':finding', findingId)
    const [large, small] = sides.map((side) => ({
      url: `${origin}/api/web${addressOf(side)}`,
      headers: side.headers,
    })) as [Request, Request]
    const { our, their } = await compareLatencies(bench, large, small, 15)
    measured.push(atMost(asked, 2, 'x', ratios(our, their), `${medians(our, their, 1)} ms`))
  }
  return measured
}

/** @returns the id of the finding with all the assets */
const seedFindings = async (
  url: string,
  organizationId: string,
  engagementId: string,
  rows: number,
): Promise<string> => {
  const id = (prefix: string) => `'${prefix}_' || lpad(n::text, 20, '0') || right('${organizationId}', 6)`
  const states = `(array['draft', 'in_review', 'approved'])[1 + n % 3]`
  const text = `'Finding ' || n || repeat(' with a text of some length', 40)`
  await sql(
    url,
    `insert into findings (id, organization_id, engagement_id, number, title, severity, state, description, revision, position, created_at, updated_at)
      select ${id('fnd')}, '${organizationId}', '${engagementId}', n, 'Finding ' || n, n % 5, ${states}, ${text}, 1, lpad(n::text, 8, '0'), now(), now() + n * interval '1 ms'
      from generate_series(1, ${rows}) n`,
  )
  await sql(
    url,
    `insert into affected_assets (id, organization_id, engagement_id, finding_id, asset, fingerprint, status, created_at, updated_at)
      select ${id('aff')}, '${organizationId}', '${engagementId}', f.id, 'host-' || n || '.example', md5(n::text), (array['open', 'fixed'])[1 + n % 2], now(), now()
      from generate_series(1, ${rows}) n, findings f where f.organization_id = '${organizationId}' and f.number = 1`,
  )
  await sql(url, 'analyze findings; analyze affected_assets')
  return `fnd_${'1'.padStart(20, '0')}${organizationId.slice(-6)}`
}
