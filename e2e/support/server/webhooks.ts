import { createHmac } from 'node:crypto'

const BILLING_SECRET = 'whsec_of_the_browser_tests'
const CODE_HOSTING_SECRET = 'the secret of the code-hosting notifications'

/** Settings of a server that accepts both kinds of notifications. */
export const WEBHOOKS = {
  BILLING_PROVIDER: 'stripe',
  BILLING_WEBHOOK_SECRET: BILLING_SECRET,
  CODE_HOSTING_WEBHOOK_SECRET: CODE_HOSTING_SECRET,
}

/** Sends the payment provider's notification that a customer has subscribed. */
export const sendSubscription = async (origin: string, customer: string, product: string): Promise<void> => {
  const seconds = Math.floor(Date.now() / 1000)
  const body = JSON.stringify({
    id: `evt_${customer}_${seconds}`,
    object: 'event',
    type: 'customer.subscription.created',
    created: seconds,
    data: {
      object: {
        id: `sub_of_${customer}`,
        object: 'subscription',
        customer,
        status: 'active',
        start_date: seconds,
        cancel_at_period_end: false,
        items: {
          data: [
            {
              current_period_end: seconds + 30 * 86_400,
              price: { product: { id: 'prod_of_the_tests', name: product }, nickname: null },
            },
          ],
        },
      },
    },
  })
  const signature = `t=${seconds},v1=${createHmac('sha256', BILLING_SECRET).update(`${seconds}.${body}`).digest('hex')}`
  await send(`${origin}/api/billing/webhook`, body, { 'stripe-signature': signature })
}

/** Sends the code host's notification that an issue was opened. Issues of one number are one. */
export const sendIssue = async (
  origin: string,
  repository: string,
  { number = 1, title = 'A finding' } = {},
): Promise<void> => {
  const issue = { id: number, number, title, updated_at: '2026-11-21T08:30:00Z' }
  const body = JSON.stringify({ action: 'opened', issue, repository: { id: 1, full_name: repository } })
  await send(`${origin}/api/code-hosting/webhook`, body, {
    'x-hub-signature-256': `sha256=${createHmac('sha256', CODE_HOSTING_SECRET).update(body).digest('hex')}`,
    'x-github-event': 'issues',
    'x-github-delivery': `delivery-of-${repository}-${number}`,
  })
}

const send = async (url: string, body: string, headers: Record<string, string>): Promise<void> => {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
}
