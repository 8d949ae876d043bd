import * as contract from '@sortie/contract/organization/billing.ts'
import type { Platform } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { readPage } from '../../platform/http/answers/pages.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { headerOf, type Webhook } from '../../platform/http/routes/webhook.ts'
import { findOrganization } from '../organizations/organizations.queries.ts'
import * as query from './billing.queries.ts'
import { linkCustomer, receiveEvent, unlinkCustomer } from './billing.service.ts'
import { isInForce, readStripeEvent } from './stripe-events.ts'
import { verifyStripeSignature } from './stripe-signature.ts'

const SHOWN_EVENTS = 20

/** `POST /api/billing/webhook` (specification, section 4; open point 26). Exists only with a provider. */
export const billingWebhooks = async (platform: Platform): Promise<Webhook[]> => {
  const { config, clock } = platform
  const secrets = config.BILLING_WEBHOOK_SECRET
  if (!config.BILLING_PROVIDER || !secrets) return []
  const webhook: Webhook = {
    url: '/api/billing/webhook',
    signatureHeader: 'Stripe-Signature',
    verify: async (text, headers) =>
      verifyStripeSignature(text, headerOf(headers, 'stripe-signature'), secrets, clock.now()),
    receive: (text) => receiveEvent(platform, readStripeEvent(text)),
  }
  return [webhook]
}

export const billingRoutes: Route[] = [
  route(contract.getBilling, async ({ db, config, actor }) => {
    const { organizationId } = actor
    const organization = await findOrganization(db, organizationId)
    if (!organization) throw notFound()
    const [customer, subscriptions, events] = await Promise.all([
      query.findCustomer(db, organizationId),
      query.listSubscriptions(db, organizationId),
      query.listEvents(db, organizationId, SHOWN_EVENTS),
    ])
    const subscription = subscriptions.find(({ status }) => isInForce(status)) ?? subscriptions[0]
    return {
      data: {
        provider: config.BILLING_PROVIDER ?? ('off' as const),
        plan: organization.plan,
        customerId: customer?.customer_id ?? null,
        subscription: subscription ? toSubscription(subscription) : null,
        events: events.map(toEvent),
      },
    }
  }),

  route(contract.listBillingCustomers, async ({ db, query: asked }) => {
    const read = (after: string | undefined, limit: number) => query.listCustomers(db, after, limit)
    const { rows, meta } = await readPage(asked, 'org', read, (row) => row.organization_id)
    return { data: rows.map(toCustomer), meta }
  }),

  route(contract.listUnknownBillingCustomers, async ({ db, query: asked }) => {
    const read = (after: string | undefined, limit: number) => query.listUnknownCustomers(db, after, limit)
    const { rows, meta } = await readPage(asked, undefined, read, (row) => row.customer_id)
    return {
      data: rows.map((row) => ({
        customerId: row.customer_id ?? '',
        events: row.events,
        lastReceivedAt: row.last_received_at,
      })),
      meta,
    }
  }),

  route(contract.linkBillingCustomer, async (context) => {
    const { person, params, body } = context
    return {
      data: toCustomer(await linkCustomer(context, { person, organizationId: params.organizationId }, body.customerId)),
    }
  }),

  route(contract.unlinkBillingCustomer, async (context) => {
    const { person, params } = context
    await unlinkCustomer(context, { person, organizationId: params.organizationId })
    return { data: { unlinked: true, organizationId: params.organizationId } }
  }),
]

const toSubscription = (row: Awaited<ReturnType<typeof query.listSubscriptions>>[number]) => ({
  id: row.id,
  status: row.status,
  name: row.name,
  periodEnd: row.period_end,
  cancelsAtPeriodEnd: row.cancels_at_period_end,
})

const toEvent = (row: Awaited<ReturnType<typeof query.listEvents>>[number]) => ({
  id: row.id,
  type: row.type,
  eventAt: row.event_at,
  receivedAt: row.received_at,
  outcome: row.outcome as (typeof contract.BILLING_OUTCOMES)[number],
})

const toCustomer = (row: {
  organization_id: string
  organization_name: string
  customer_id: string
  linked_at: string
}) => ({
  organizationId: row.organization_id,
  organizationName: row.organization_name,
  customerId: row.customer_id,
  linkedAt: row.linked_at,
})
