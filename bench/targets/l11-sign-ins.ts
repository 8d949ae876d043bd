import { VARIABLES } from '../../server/src/platform/config.ts'
import { underFlood } from '../lib/flood.ts'
import { seedOrganization } from '../lib/seed.ts'
import { REFUSING_OVERLOAD, startSortie } from '../lib/sortie.ts'
import { atMostOf, none, type Target } from './target.ts'

const SIGN_INS_PER_SECOND = 200
const PEOPLE = 50

export const l11: Target = {
  name: 'L11',
  title: `${SIGN_INS_PER_SECOND} sign-ins a second with a wrong password, from one address and from many: the API goes on (count: seconds)`,
  count: 60,
  measure: async ({ stage, database, sender, count, note }) => {
    const results = []
    for (const from of ['one address', 'many addresses'] as const) {
      const url = await database.createMigrated(from === 'one address' ? 'l11_one' : 'l11_many')
      const { headers } = await seedOrganization(url, 'l11', 100)
      // As every server is that is told nothing else; only the key that measures is not limited.
      const limit = VARIABLES.RATE_LIMIT_ANONYMOUS_MAX.fallback
      const proxy = from === 'one address' ? undefined : { TRUST_PROXY: '127.0.0.1' }
      const server = await startSortie(url, { ...REFUSING_OVERLOAD, ...proxy, LOG_LEVEL: 'warn', RATE_LIMIT_ANONYMOUS_MAX: limit })
      stage.add(() => server.stop())
      const mix = Array.from({ length: from === 'one address' ? PEOPLE : SIGN_INS_PER_SECOND * (count + 2) }, (_, i) => ({
        method: 'POST' as const,
        path: '/api/auth/sign-in/email',
        ...(proxy && { headers: { 'x-forwarded-for': addressOf(i) } }),
        body: { email: `${(i % PEOPLE) + 1}.l11@example.com`, password: 'not the password of anybody' },
        weight: 1,
      }))
      const { before, during, flood, memoryAdded } = await underFlood(stage, sender, server, headers, { mix, rate: SIGN_INS_PER_SECOND, seconds: count })
      note(`from ${from}: ${flood.due} sign-ins sent, ${flood.refused.count} refused as too many, others ${JSON.stringify(flood.other)}`)
      note(`from ${from}: API p99 ${during.good.p99.toFixed(1)} ms against ${before.good.p99.toFixed(1)} ms before`)
      results.push(
        atMostOf(`${from}: API, 99th percentile`, 2, 'x', during.good.p99 / before.good.p99),
        none(`${from}: API answers that are not good`, during.due - during.good.count),
        atMostOf(`${from}: memory added`, 150, 'MB', memoryAdded),
      )
    }
    return results
  },
}

/** Each in a network of its own. */
const addressOf = (i: number): string => `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`
