import type { Selectable } from 'kysely'
import type { Platform } from '../../platform/context.ts'
import { type Transaction, transaction } from '../../platform/database/transaction.ts'
import type { BillingEvents } from '../../platform/database/types.gen.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { lockOrganization } from '../organizations/organizations.queries.ts'
import * as query from './billing.queries.ts'
import { followSubscriptions } from './billing.service.ts'
import type { BillingEvent, SubscriptionState } from './stripe-events.ts'

type Event = Selectable<BillingEvents>

/**
 * Applies a stored event, once however often the job runs. The order of arrival does not matter: each event has the
 * version of its object, and an older version never replaces a newer one.
 */
export const applyEvent = async (platform: Platform, eventId: string): Promise<void> => {
  const { db, clock, config } = platform
  const event = await query.findEvent(db, eventId)
  if (!event || event.outcome !== null) return
  const change = event.data as BillingEvent['change']
  if (change?.kind === 'product') {
    // One organization per transaction, so that none waits for all; the outcome last, so that a job that died runs
    // again.
    const isNew = await transaction(db, (tx) => storeName(tx, event, change.id, change.name))
    for (const { organization_id } of await query.listOrganizationsOfProduct(db, change.id)) {
      await transaction(db, (tx) => followSubscriptions(tx, clock, config, organization_id))
    }
    await transaction(db, (tx) => query.setOutcome(tx, event.id, isNew ? 'applied' : 'superseded', null))
    return
  }
  await transaction(db, async (tx) => {
    if (!(await query.lockWaitingEvent(tx, eventId))) return
    const organizationId = await organizationOf(tx, event)
    if (event.customer_id !== null && organizationId === undefined) {
      await query.setOutcome(tx, event.id, 'unknown-customer', null)
      if (change?.kind === 'subscription') await recordIgnored(platform, tx, event, 'unknown customer')
    } else if (change?.kind === 'subscription' && organizationId !== undefined) {
      const isNew = await storeSubscription(tx, event, organizationId, change.subscription)
      await followSubscriptions(tx, clock, config, organizationId)
      await query.setOutcome(tx, event.id, isNew ? 'applied' : 'superseded', organizationId)
    } else {
      await query.setOutcome(tx, event.id, change ? 'unreadable' : 'not-used', organizationId ?? null)
      if (change) await recordIgnored(platform, tx, event, 'unknown form')
    }
  })
}

/** Decided by the link that an administrator stored, never by other fields of the event. */
const organizationOf = async (tx: Transaction, event: Event): Promise<string | undefined> => {
  if (event.customer_id === null) return undefined
  await query.lockCustomer(tx, event.customer_id)
  const organizationId = (await query.findOrganizationOfCustomer(tx, event.customer_id))?.organization_id
  // Before any row that depends on it, in the same order as link and unlink.
  if (organizationId !== undefined) await lockOrganization(tx, organizationId)
  return organizationId
}

const recordIgnored = ({ clock }: Platform, tx: Transaction, event: Event, reason: string): Promise<void> =>
  recordAudit(tx, { system: 'billing' }, clock, {
    action: 'billing.event-ignored',
    object: { type: 'billing-event', id: event.id },
    after: { type: event.type, customerId: event.customer_id, reason },
  })

const storeSubscription = async (
  tx: Transaction,
  event: Event,
  organizationId: string,
  subscription: SubscriptionState,
): Promise<boolean> => {
  const { productId, productName } = subscription
  if (productId !== null && productName !== null) await storeName(tx, event, productId, productName)
  return query.upsertSubscription(tx, {
    organization_id: organizationId,
    id: subscription.id,
    status: subscription.status,
    product_id: productId,
    price_name: productName ?? subscription.priceName,
    started_at: subscription.startedAt,
    period_end: subscription.periodEnd,
    cancels_at_period_end: subscription.cancelsAtPeriodEnd,
    event_at: timeOf(event),
    event_rank: subscription.rank,
    event_id: event.id,
  })
}

const storeName = (tx: Transaction, event: Event, productId: string, name: string): Promise<boolean> =>
  query.upsertProduct(tx, { id: productId, name, event_at: timeOf(event), event_id: event.id })

/** Every event that changes something has a time: without one it is unreadable. */
const timeOf = (event: Event): string => {
  if (event.event_at === null) throw new Error(`the event ${event.id} has no time`)
  return event.event_at
}
