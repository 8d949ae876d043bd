import * as contract from '@sortie/contract/organization/webhook-endpoints.ts'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import { countRows } from '../../platform/database/rows.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { WebhookEndpoints } from '../../platform/database/types.gen.ts'
import { byId, listQuery } from '../../platform/lists/list.ts'

const COLUMNS = [
  'e.id',
  'e.organization_id',
  'e.name',
  'e.url',
  'e.events',
  'e.engagement_access',
  'e.engagement_ids',
  'e.min_severity',
  'e.format',
  'e.detail',
  'e.is_enabled',
  'e.disabled_reason',
  'e.failing_since',
  'e.maker_kind',
  'e.maker_id',
  'e.maker_name',
  'e.created_at',
  'e.updated_at',
] as const

const selectEndpoints = (db: Database, organizationId: string) =>
  db
    .selectFrom('webhook_endpoints as e')
    .select(COLUMNS)
    .where('e.organization_id', '=', organizationId)
    .where('e.deleted_at', 'is', null)

export type EndpointRow = NonNullable<Awaited<ReturnType<typeof findWebhookEndpoint>>>

export const webhookEndpointList = listQuery(contract.webhookEndpointList, {
  rows: selectEndpoints,
  id: 'e.id',
  sorts: { createdAt: byId },
  filters: {},
})

export const findWebhookEndpoint = (db: Database, organizationId: string, endpointId: string) =>
  selectEndpoints(db, organizationId).where('e.id', '=', endpointId).executeTakeFirst()

/** With its secrets. */
export const lockWebhookEndpoint = (tx: Transaction, organizationId: string, endpointId: string) =>
  selectEndpoints(tx, organizationId)
    .select(['e.secret', 'e.former_secret', 'e.former_secret_until'])
    .where('e.id', '=', endpointId)
    .forNoKeyUpdate()
    .executeTakeFirst()

export const countWebhookEndpoints = (db: Database, organizationId: string): Promise<number> =>
  countRows(
    db.selectFrom('webhook_endpoints').where('organization_id', '=', organizationId).where('deleted_at', 'is', null),
  )

export const insertWebhookEndpoint = async (tx: Transaction, row: Insertable<WebhookEndpoints>): Promise<void> => {
  await tx.insertInto('webhook_endpoints').values(row).execute()
}

export const updateWebhookEndpoint = async (
  tx: Transaction,
  organizationId: string,
  endpointId: string,
  endpointColumns: Updateable<WebhookEndpoints>,
): Promise<void> => {
  await tx
    .updateTable('webhook_endpoints')
    .set(endpointColumns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', endpointId)
    .execute()
}

/** Endpoints that receive this event; those without a list of engagements, or with this one in it. */
export const listListeningEndpoints = (
  db: Database,
  organizationId: string,
  event: string,
  engagementId: string | null,
): Promise<EndpointRow[]> =>
  selectEndpoints(db, organizationId)
    .where('e.is_enabled', '=', true)
    .where(sql<boolean>`${event} = any (e.events)`)
    .where(sql<boolean>`(e.engagement_access <> 'listed' or ${engagementId}::text = any (e.engagement_ids))`)
    .orderBy('e.id')
    .execute()

/** A deleted engagement leaves all lists. */
export const deleteListedEngagement = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
): Promise<void> => {
  await sql`update webhook_endpoints set engagement_ids = array_remove(engagement_ids, ${engagementId})
    where organization_id = ${organizationId} and ${engagementId} = any (engagement_ids)`.execute(tx)
}

/** Deletes the row of an endpoint that has no deliveries any more. */
export const deleteStaleEndpoints = async (db: Database): Promise<void> => {
  await sql`delete from webhook_endpoints e where e.deleted_at is not null and not exists (
    select from webhook_deliveries d where d.organization_id = e.organization_id and d.endpoint_id = e.id)`.execute(db)
}

/** The ids among these that are engagements which the viewer sees. */
export const listSeenEngagements = async (
  db: Database,
  organizationId: string,
  engagementIds: readonly string[],
): Promise<Set<string>> => {
  if (engagementIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('engagements')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', engagementIds)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export const findOrganizationSlug = async (db: Database, organizationId: string): Promise<string> =>
  (await db.selectFrom('organizations').select('slug').where('id', '=', organizationId).executeTakeFirst())?.slug ?? ''
