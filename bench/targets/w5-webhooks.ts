// W5: a flood of unsigned webhooks, with an API client at the same time.
import { type Bench, type Measured, none } from '../lib/figure.ts'
import { duringDisturbance, flood } from '../lib/load.ts'
import { REFUSING, startWithOrganization } from '../lib/sortie.ts'

const RATE = 1_000
/** 4 KiB, the size of real events. */
const EVENT = {
  id: 'evt_flood',
  type: 'customer.subscription.updated',
  data: { object: { metadata: { note: 'x'.repeat(4_000) } } },
}

export const title = `${RATE} notifications a second that no one signed: the API goes on (count: seconds)`
export const count = 60

export const measure = async (bench: Bench): Promise<Measured[]> => {
  const billing = { BILLING_PROVIDER: 'stripe', BILLING_WEBHOOK_SECRET: 'whsec_of_the_benchmark' }
  const { server, headers } = await startWithOrganization(bench, { ...REFUSING, ...billing })
  const signature = { 'stripe-signature': `t=1790000000,v1=${'0'.repeat(64)}` }
  const mix = [{ method: 'POST' as const, path: '/api/billing/webhook', headers: signature, body: EVENT }]
  const disturb = await flood(bench, { origin: server.origin, mix, rate: RATE, seconds: bench.count })
  const { result, measured } = await duringDisturbance(
    bench,
    { server, headers },
    { name: 'flood', seconds: bench.count, memoryMb: 150, disturb },
  )
  return [...measured, none('notifications that were accepted', result.good.length)]
}
