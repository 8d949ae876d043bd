import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Platform, Writer } from '../../platform/context.ts'
import { violates } from '../../platform/database/connection/failures.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import { type Transaction, transaction } from '../../platform/database/transaction.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { type JobType, PERSISTENT } from '../../platform/jobs/jobs.ts'
import { type AuditedBy, recordAudit } from '../audit/audit.service.ts'
import { type ChangedBy, changeOrganization, lockForChange } from '../organizations/organization-change.service.ts'
import { changePlan } from '../organizations/organizations.service.ts'
import * as query from './billing.queries.ts'
import { type BillingEvent, isInForce } from './stripe-events.ts'

/** Stripe retries for three days; a captured notification is useless after minutes. */
const EVENT_RETENTION_MS = 30 * 24 * 60 * 60 * 1000

/** Retried for a week. */
export const applyBillingEvent: JobType<{ eventId: string }> = {
  name: 'apply-billing-event',
  options: { ...PERSISTENT, retryLimit: 10_000 },
}

/** Stores an event with the job that applies it. A stored event changes nothing: replays and copies end here. */
export const receiveEvent = ({ db, clock, jobs }: Platform, event: BillingEvent): Promise<void> =>
  transaction(db, async (tx) => {
    const isNew = await query.insertEvent(tx, {
      id: event.id,
      type: event.type,
      customer_id: event.customerId,
      event_at: event.eventAt,
      data: event.change && JSON.stringify(event.change),
      received_at: isoTime(clock.now()),
    })
    if (isNew) await jobs.enqueue(tx, applyBillingEvent, { eventId: event.id })
  })

/**
 * Links the customer that pays for an organization. Earlier events of this customer are applied now.
 *
 * @throws ApiError NOT_FOUND without such an organization, CONFLICT when the customer pays for another one
 */
export const linkCustomer = async ({ change, clock, jobs, config }: Writer, by: ChangedBy, customerId: string) => {
  const { organizationId } = by
  const first = async (tx: Transaction) => {
    await query.lockCustomer(tx, customerId)
    return lockForChange(tx, by)
  }
  const work = async (tx: Transaction, organization: Awaited<ReturnType<typeof first>>) => {
    if (!organization) throw notFound()
    const previous = await query.findCustomer(tx, organizationId)
    if (previous?.customer_id === customerId) return { ...previous, organization_name: organization.name }
    if (previous) await removeCustomer(tx, clock, config, by, organizationId)
    const customer = { organization_id: organizationId, customer_id: customerId, linked_at: isoTime(clock.now()) }
    await query.insertCustomer(tx, customer)
    await recordAudit(tx, by, clock, {
      action: 'billing.customer-linked',
      object: { type: 'organization', id: organizationId },
      before: { customerId: previous?.customer_id ?? null },
      after: { customerId },
    })
    for (const { id } of await query.reopenUnknownEvents(tx, customerId))
      await jobs.enqueue(tx, applyBillingEvent, { eventId: id })
    return { ...customer, organization_name: organization.name }
  }
  try {
    return await change(work, { first })
  } catch (error) {
    if (violates(error, 'billing_customers_customer')) throw conflict('This customer pays for another organization.')
    throw error
  }
}

/** @throws ApiError NOT_FOUND if none is linked */
export const unlinkCustomer = ({ change, clock, config }: Writer, by: ChangedBy): Promise<void> =>
  changeOrganization(change, by, async (tx, { id: organizationId }) => {
    const customerId = await removeCustomer(tx, clock, config, by, organizationId)
    if (customerId === undefined) throw notFound('No customer is linked to this organization.')
    await recordAudit(tx, by, clock, {
      action: 'billing.customer-unlinked',
      object: { type: 'organization', id: organizationId },
      before: { customerId },
    })
  })

/** Removing a customer also ends a plan that came from its subscription. */
const removeCustomer = async (
  tx: Transaction,
  clock: Clock,
  config: Config,
  by: AuditedBy,
  organizationId: string,
): Promise<string | undefined> => {
  const hadSubscriptions = (await query.listSubscriptions(tx, organizationId)).length > 0
  const removed = await query.deleteCustomer(tx, organizationId)
  if (hadSubscriptions) await changePlan(tx, by, clock, organizationId, async () => config.DEFAULT_PLAN)
  return removed?.customer_id
}

/**
 * Synchronizes the plan of an organization with its subscriptions: the product's name of the newest one in force,
 * `DEFAULT_PLAN` without any. While that name is unknown, the plan stays as it is.
 */
export const followSubscriptions = (
  tx: Transaction,
  clock: Clock,
  config: Config,
  organizationId: string,
): Promise<void> =>
  changePlan(tx, { system: 'billing', organizationId }, clock, organizationId, async () => {
    const subscriptions = await query.listSubscriptions(tx, organizationId)
    const current = subscriptions.find(({ status }) => isInForce(status))
    return current ? (current.name ?? undefined) : config.DEFAULT_PLAN
  })

/** Deletes events after 30 days: they are no longer repeated then. */
export const deleteOldEvents = (db: Database, clock: Clock): Promise<void> =>
  query.deleteEventsBefore(db, isoTime(clock.now() - EVENT_RETENTION_MS))
