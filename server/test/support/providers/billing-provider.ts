import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestApp, TestOrganization } from '../app/test-app.ts'

export const SECRET = 'whsec_the_one_in_use'
export const NEXT_SECRET = 'whsec_its_successor'
export const BILLING = { BILLING_PROVIDER: 'stripe', BILLING_WEBHOOK_SECRET: SECRET, DEFAULT_PLAN: 'free' }

let serial = 0

/** A number that no other call in this test file returns. */
export const nextNumber = (): number => ++serial

export const nowSeconds = (of: TestApp): number => Math.floor(of.clock.now() / 1000)

/** The provider's scheme, implemented without its library. */
export const hmac = (secret: string, seconds: number | string, body: string | Buffer): string =>
  createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')

/** A signature header with the current time. */
export const signed = (to: TestApp, body: string | Buffer, secret = SECRET): string =>
  `t=${nowSeconds(to)},v1=${hmac(secret, nowSeconds(to), body)}`

export const post = (to: TestApp, body: string | Buffer, header: string | undefined) =>
  to.anonymous.request('POST', '/api/billing/webhook', {
    rawBody: body,
    headers: { 'content-type': 'application/json', ...(header !== undefined && { 'stripe-signature': header }) },
  })

/** Sends an event as the provider would. */
export const deliver = (to: TestApp, event: object) => {
  const body = JSON.stringify(event)
  return post(to, body, signed(to, body))
}

interface Change {
  customer: string
  status?: string
  product?: string | { id: string; name: string }
  created?: number
  kind?: 'created' | 'updated' | 'deleted'
  subscription?: string
  nickname?: string
}

/** A subscription event with the fields that the server reads. */
export const subscriptionEvent = ({
  customer,
  status = 'active',
  product = { id: 'prod_team', name: 'Team' },
  created = 1_790_000_000,
  kind = 'updated',
  subscription = `sub_of_${customer}`,
  nickname,
}: Change) => ({
  id: `evt_${nextNumber()}`,
  object: 'event',
  type: `customer.subscription.${kind}`,
  created,
  data: {
    object: {
      id: subscription,
      object: 'subscription',
      customer,
      status,
      start_date: 1_780_000_000,
      cancel_at_period_end: false,
      items: { data: [{ current_period_end: 1_800_000_000, price: { product, nickname: nickname ?? null } }] },
    },
  },
})

/** The outcome of an event, once its job has run. */
export const outcomeOf = async (of: TestApp, id: string): Promise<string> => {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await sleep(20)) {
    const row = await of.db.selectFrom('billing_events').select('outcome').where('id', '=', id).executeTakeFirst()
    if (row?.outcome) return row.outcome
  }
  throw new Error(`the event ${id} was not applied`)
}

export const storedCount = async (of: TestApp): Promise<number> =>
  (await of.db.selectFrom('billing_events').select('id').execute()).length

export const planOf = async (of: TestApp, organization: TestOrganization): Promise<string> =>
  (await of.db.selectFrom('organizations').select('plan').where('id', '=', organization.id).executeTakeFirstOrThrow())
    .plan
