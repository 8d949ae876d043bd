import * as contract from '@sortie/contract/organization/webhook-endpoints.ts'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import { hasRow } from '../../../platform/database/rows.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { WebhookDeliveries } from '../../../platform/database/types.gen.ts'
import { anyOf } from '../../../platform/lists/filters.ts'
import { byId, listQuery } from '../../../platform/lists/list.ts'

/** As stored, and as the API shows it. */
export interface Attempt {
  at: string
  status: number | null
  durationMs: number
  answer: string | null
  error: string | null
}

const selectDeliveries = (db: Database, organizationId: string) =>
  db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhook_endpoints as e', (join) =>
      join.onRef('e.organization_id', '=', 'd.organization_id').onRef('e.id', '=', 'd.endpoint_id'),
    )
    .select(['d.id', 'd.endpoint_id', 'd.event', 'd.state', 'd.tries', 'd.next_attempt_at', 'd.created_at'])
    .select(sql<Attempt[]>`d.attempts`.as('attempts'))
    .where('d.organization_id', '=', organizationId)
    .where('e.deleted_at', 'is', null)

export type DeliveryRow = NonNullable<Awaited<ReturnType<ReturnType<typeof selectDeliveries>['executeTakeFirst']>>>

/** Without those about engagements that the viewer does not see: answers of receivers can repeat what they got. */
const selectShown = (db: Database, organizationId: string) =>
  selectDeliveries(db, organizationId).where(
    sql<boolean>`(d.about_engagement_id is null or d.event = 'engagement.deleted' or exists (
      select from engagements g where g.organization_id = d.organization_id and g.id = d.about_engagement_id))`,
  )

export const webhookDeliveryList = listQuery(contract.webhookDeliveryList, {
  rows: selectShown,
  id: 'd.id',
  sorts: { createdAt: byId },
  filters: { endpointId: anyOf('d.endpoint_id'), event: anyOf('d.event'), state: anyOf('d.state') },
})

export const findShownDelivery = (
  db: Database,
  organizationId: string,
  deliveryId: string,
): Promise<DeliveryRow | undefined> => selectShown(db, organizationId).where('d.id', '=', deliveryId).executeTakeFirst()

const findDelivery = (db: Database, organizationId: string, deliveryId: string) =>
  selectDeliveries(db, organizationId).where('d.id', '=', deliveryId).executeTakeFirst()

/** Lock its endpoint first. */
export const lockDelivery = async (
  tx: Transaction,
  organizationId: string,
  deliveryId: string,
): Promise<DeliveryRow | undefined> => {
  await tx
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', deliveryId)
    .forUpdate()
    .execute()
  return findDelivery(tx, organizationId, deliveryId)
}

export const insertDelivery = async (tx: Transaction, row: Insertable<WebhookDeliveries>): Promise<void> => {
  await tx.insertInto('webhook_deliveries').values(row).execute()
}

export const updateDelivery = async (
  tx: Transaction,
  organizationId: string,
  deliveryId: string,
  deliveryColumns: Updateable<WebhookDeliveries>,
): Promise<void> => {
  await tx
    .updateTable('webhook_deliveries')
    .set(deliveryColumns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', deliveryId)
    .execute()
}

/** Rows of one statement, which stays short however many wait; the loop cancels the others, and later attempts follow. */
const WRITTEN_AT_ONCE = 5_000

/** Cancels what waits for an endpoint. Lock the endpoint first. */
export const cancelPending = async (tx: Transaction, organizationId: string, endpointId: string): Promise<void> => {
  await sql`update webhook_deliveries set state = 'cancelled', next_attempt_at = null, claimed_until = null
    where organization_id = ${organizationId} and id in (
      select id from webhook_deliveries
      where organization_id = ${organizationId} and endpoint_id = ${endpointId} and state = 'pending'
      limit ${WRITTEN_AT_ONCE})`.execute(tx)
}

/** Attempts at once what waits for a retry. Lock the endpoint first. */
export const makePendingDue = async (
  tx: Transaction,
  organizationId: string,
  endpointId: string,
  now: string,
): Promise<void> => {
  await sql`update webhook_deliveries set next_attempt_at = ${now}
    where organization_id = ${organizationId} and id in (
      select id from webhook_deliveries
      where organization_id = ${organizationId} and endpoint_id = ${endpointId} and state = 'pending' and next_attempt_at > ${now}
      limit ${WRITTEN_AT_ONCE})`.execute(tx)
}

/** Deletes what deliveries still contain of a deleted engagement; the message of the deletion itself stays. */
export const deleteDeliveriesAbout = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
): Promise<void> => {
  await tx
    .deleteFrom('webhook_deliveries')
    .where('organization_id', '=', organizationId)
    .where('about_engagement_id', '=', engagementId)
    .where('event', '<>', 'engagement.deleted')
    .execute()
}

/** Reports whether a delivery may still be sent: neither it was cancelled, nor its endpoint disabled or deleted. */
export const findIsWanted = (db: Database, organizationId: string, deliveryId: string): Promise<boolean> =>
  hasRow(
    db
      .selectFrom('webhook_deliveries as d')
      .innerJoin('webhook_endpoints as e', (join) =>
        join.onRef('e.organization_id', '=', 'd.organization_id').onRef('e.id', '=', 'd.endpoint_id'),
      )
      .select('d.id')
      .where('d.organization_id', '=', organizationId)
      .where('d.id', '=', deliveryId)
      .where('d.state', '=', 'pending')
      .where('e.is_enabled', '=', true),
  )
