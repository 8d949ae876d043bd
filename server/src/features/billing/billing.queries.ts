import { type Insertable, sql } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import { hasRow } from '../../platform/database/rows.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type {
  BillingCustomers,
  BillingEvents,
  BillingProducts,
  BillingSubscriptions,
} from '../../platform/database/types.gen.ts'

/** @returns false if the event is already stored */
export const insertEvent = (tx: Transaction, event: Insertable<BillingEvents>): Promise<boolean> =>
  hasRow(
    tx
      .insertInto('billing_events')
      .values(event)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id'),
  )

export const findEvent = (db: Database, id: string) =>
  db.selectFrom('billing_events').selectAll().where('id', '=', id).executeTakeFirst()

/** Serializes events of a customer, and changes of its organization. */
export const lockCustomer = async (tx: Transaction, customerId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`billing customer ${customerId}`}, 0))`.execute(tx)
}

/** @returns undefined if it has an outcome: it was already applied */
export const lockWaitingEvent = (tx: Transaction, id: string) =>
  tx
    .selectFrom('billing_events')
    .selectAll()
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .forUpdate()
    .executeTakeFirst()

export const setOutcome = async (
  tx: Transaction,
  id: string,
  outcome: BillingEvents['outcome'],
  organizationId: string | null,
): Promise<void> => {
  await tx
    .updateTable('billing_events')
    .set({ outcome, organization_id: organizationId })
    .where('id', '=', id)
    .execute()
}

/** Marks events without a linked organization as waiting again. @returns their ids */
export const reopenUnknownEvents = (tx: Transaction, customerId: string) =>
  tx
    .updateTable('billing_events')
    .set({ outcome: null })
    .where('customer_id', '=', customerId)
    .where('outcome', '=', 'unknown-customer')
    .returning('id')
    .execute()

export const deleteEventsBefore = async (db: Database, before: string): Promise<void> => {
  await db.deleteFrom('billing_events').where('received_at', '<', before).execute()
}

export const findCustomer = (db: Database, organizationId: string) =>
  db.selectFrom('billing_customers').selectAll().where('organization_id', '=', organizationId).executeTakeFirst()

export const findOrganizationOfCustomer = (tx: Transaction, customerId: string) =>
  tx.selectFrom('billing_customers').select('organization_id').where('customer_id', '=', customerId).executeTakeFirst()

/** @throws on billing_customers_customer when another organization has the customer */
export const insertCustomer = (tx: Transaction, customer: Insertable<BillingCustomers>) =>
  tx.insertInto('billing_customers').values(customer).execute()

/** Cascades to its subscriptions. */
export const deleteCustomer = (tx: Transaction, organizationId: string) =>
  tx
    .deleteFrom('billing_customers')
    .where('organization_id', '=', organizationId)
    .returning('customer_id')
    .executeTakeFirst()

export const listCustomers = (db: Database, after: string | undefined, limit: number) => {
  const query = db
    .selectFrom('billing_customers as c')
    .innerJoin('organizations as o', 'o.id', 'c.organization_id')
    .select(['c.organization_id', 'o.name as organization_name', 'c.customer_id', 'c.linked_at'])
  return (after === undefined ? query : query.where('c.organization_id', '>', after))
    .orderBy('c.organization_id')
    .limit(limit)
    .execute()
}

export const listUnknownCustomers = (db: Database, after: string | undefined, limit: number) => {
  const query = db
    .selectFrom('billing_events')
    .select((e) => [
      'customer_id',
      e.fn.countAll<number>().as('events'),
      e.fn.max('received_at').as('last_received_at'),
    ])
    .where('outcome', '=', 'unknown-customer')
    .where('customer_id', 'is not', null)
  return (after === undefined ? query : query.where('customer_id', '>', after))
    .groupBy('customer_id')
    .orderBy('customer_id')
    .limit(limit)
    .execute()
}

/** @returns false if the stored state is of a later event */
export const upsertSubscription = (
  tx: Transaction,
  subscription: Insertable<BillingSubscriptions>,
): Promise<boolean> => {
  const { organization_id, id, ...state } = subscription
  const isLater = sql<boolean>`(excluded.event_at, excluded.event_rank, excluded.event_id)
    >= (billing_subscriptions.event_at, billing_subscriptions.event_rank, billing_subscriptions.event_id)`
  return hasRow(
    tx
      .insertInto('billing_subscriptions')
      .values(subscription)
      .onConflict((conflict) => conflict.columns(['organization_id', 'id']).doUpdateSet(state).where(isLater))
      .returning('id'),
  )
}

/** @returns false if the stored state is of a later event */
export const upsertProduct = (tx: Transaction, product: Insertable<BillingProducts>): Promise<boolean> => {
  const { id, ...state } = product
  const isLater = sql<boolean>`(excluded.event_at, excluded.event_id) >= (billing_products.event_at, billing_products.event_id)`
  return hasRow(
    tx
      .insertInto('billing_products')
      .values(product)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(state).where(isLater))
      .returning('id'),
  )
}

/** Newest first, by their own start, so that the order of events does not matter. */
export const listSubscriptions = (db: Database, organizationId: string) =>
  db
    .selectFrom('billing_subscriptions as s')
    .leftJoin('billing_products as p', 'p.id', 's.product_id')
    .select((e) => [
      's.id',
      's.status',
      's.period_end',
      's.cancels_at_period_end',
      e.fn.coalesce('p.name', 's.price_name').as('name'),
    ])
    .where('s.organization_id', '=', organizationId)
    .orderBy('s.started_at', (order) => order.desc().nullsLast())
    .orderBy('s.id', 'desc')
    .execute()

export const listOrganizationsOfProduct = (db: Database, productId: string) =>
  db
    .selectFrom('billing_subscriptions')
    .select('organization_id')
    .distinct()
    .where('product_id', '=', productId)
    .orderBy('organization_id')
    .execute()

export const listEvents = (db: Database, organizationId: string, limit: number) =>
  db
    .selectFrom('billing_events')
    .select(['id', 'type', 'event_at', 'received_at', 'outcome'])
    .where('organization_id', '=', organizationId)
    .orderBy('received_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
