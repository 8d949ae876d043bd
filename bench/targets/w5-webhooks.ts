import { VARIABLES } from '../../server/src/platform/config.ts'
import { underFlood } from '../lib/flood.ts'
import { seedOrganization } from '../lib/seed.ts'
import { REFUSING_OVERLOAD, startSortie } from '../lib/sortie.ts'
import { atMostOf, none, type Target } from './target.ts'

const PER_SECOND = 1_000
/** Of 4 KiB, as such events are. */
const EVENT = { id: 'evt_flood', type: 'customer.subscription.updated', data: { object: { metadata: { note: 'x'.repeat(4_000) } } } }

export const w5: Target = {
  name: 'W5',
  title: `${PER_SECOND} notifications a second that nobody signed: the API goes on (count: seconds)`,
  count: 60,
  measure: async ({ stage, database, sender, count, note }) => {
    const url = await database.createMigrated('w5')
    const { headers } = await seedOrganization(url, 'w5', 100)
    const server = await startSortie(url, {
      ...REFUSING_OVERLOAD,
      LOG_LEVEL: 'warn',
      RATE_LIMIT_ANONYMOUS_MAX: VARIABLES.RATE_LIMIT_ANONYMOUS_MAX.fallback,
      BILLING_PROVIDER: 'stripe',
      BILLING_WEBHOOK_SECRET: 'whsec_of_the_benchmark',
    })
    stage.add(() => server.stop())
    const signature = { 'stripe-signature': `t=1790000000,v1=${'0'.repeat(64)}` }
    const mix = [{ method: 'POST' as const, path: '/api/billing/webhook', headers: signature, body: EVENT, weight: 1 }]
    const { before, during, flood, memoryAdded } = await underFlood(stage, sender, server, headers, { mix, rate: PER_SECOND, seconds: count })
    note(`${flood.due} notifications sent, ${flood.refused.count} refused as too many, others ${JSON.stringify(flood.other)}`)
    note(`API p99 ${during.good.p99.toFixed(1)} ms against ${before.good.p99.toFixed(1)} ms before`)
    return [
      atMostOf('API, 99th percentile', 2, 'x', during.good.p99 / before.good.p99),
      none('API answers that are not good', during.due - during.good.count),
      none('notifications that were accepted', flood.good.count),
      atMostOf('memory added', 150, 'MB', memoryAdded),
    ]
  },
}
