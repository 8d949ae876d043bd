import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'

/** Reports what there is to do, in all organizations. @param before events of batches from before this are due */
export const findDue = async (
  db: Database,
  now: string,
  batched: readonly string[],
  before: string,
): Promise<{ events: boolean; deliveries: boolean }> => {
  const { rows } = await sql<{ events: boolean; deliveries: boolean }>`select
      exists (select from webhook_events where type <> all (${batched}::text[]) or created_at <= ${before}) as events,
      exists (select from webhook_deliveries where state = 'pending' and next_attempt_at <= ${now}) as deliveries`.execute(
    db,
  )
  return rows[0] ?? { events: false, deliveries: false }
}

/** A delivery that this process sends now. */
export interface ClaimedDelivery {
  id: string
  organization_id: string
  endpoint_id: string
  event: string
  about_engagement_id: string | null
  body: string
  created_at: string
}

/** Deliveries at the same time. */
export interface Shares {
  /** In all processes: of one endpoint and of one organization. */
  ofEndpoint: number
  ofOrganization: number
  /** Of one endpoint that has only failed since before this time. */
  ofFailing: number
  failingBefore: string
  /** Free places of this process, and how many of them are only for the first deliveries of each organization. */
  free: number
  reserved: number
  firstOfOrganization: number
}

/**
 * Claims due deliveries, the first of each organization before the second of any. A delivery waits while an earlier one
 * of the same object is due or under way, but not while that waits for its next attempt. One process claims at a time.
 *
 * Receivers that hang keep their places until the attempt ends: some places are therefore left for organizations that
 * use few, and an endpoint that only fails has fewer.
 */
export const claimDue = async (
  tx: Transaction,
  now: string,
  until: string,
  shares: Shares,
): Promise<ClaimedDelivery[]> => {
  const { ofEndpoint, ofOrganization, ofFailing, failingBefore, free, reserved, firstOfOrganization } = shares
  const { rows: turns } = await sql<{
    isOurs: boolean
  }>`select pg_try_advisory_xact_lock(hashtextextended('webhook deliveries', 0)) as "isOurs"`.execute(tx)
  if (!turns[0]?.isOurs) return []
  const { rows } = await sql<ClaimedDelivery>`
    with running as (
      select organization_id, endpoint_id, count(*) as count from webhook_deliveries
      where state = 'pending' and claimed_until > ${now} group by 1, 2
    ), due as (
      select e.organization_id, p.id, p.next_attempt_at, p.position,
        case when e.failing_since < ${failingBefore} then ${ofFailing}::int else ${ofEndpoint}::int end as at_most,
        row_number() over (partition by e.organization_id, e.id order by p.next_attempt_at, p.position)
          + coalesce((select r.count from running r where r.organization_id = e.organization_id and r.endpoint_id = e.id), 0) as of_endpoint
      from webhook_endpoints e
      cross join lateral (
        select d.id, d.next_attempt_at, d.position from webhook_deliveries d
        where d.organization_id = e.organization_id and d.endpoint_id = e.id and d.state = 'pending'
          and d.next_attempt_at <= ${now} and (d.claimed_until is null or d.claimed_until <= ${now})
          and not exists (
            select from webhook_deliveries earlier
            where earlier.organization_id = d.organization_id and earlier.endpoint_id = d.endpoint_id
              and earlier.object_id = d.object_id and earlier.position < d.position and earlier.state = 'pending'
              and (earlier.next_attempt_at <= ${now} or earlier.claimed_until > ${now}))
        order by d.next_attempt_at, d.position limit ${ofEndpoint}
      ) p
      where e.is_enabled
    ), shared as (
      select id, position, row_number() over (partition by organization_id order by of_endpoint, next_attempt_at, position)
          + coalesce((select sum(r.count) from running r where r.organization_id = due.organization_id), 0) as of_organization
      from due where of_endpoint <= at_most
    ), placed as (
      select id, of_organization, row_number() over (order by of_organization, position) as place
      from shared where of_organization <= ${ofOrganization}
    )
    update webhook_deliveries set claimed_until = ${until}
    where id in (select id from placed where place <= ${free}
      and (of_organization <= ${firstOfOrganization} or place <= ${free - reserved}))
    returning id, organization_id, endpoint_id, event, about_engagement_id, body, created_at`.execute(tx)
  return rows
}

/** Cancels what still waits for endpoints that are disabled or deleted. */
export const cancelOfDisabled = async (db: Database, max: number): Promise<void> => {
  await sql`update webhook_deliveries set state = 'cancelled', next_attempt_at = null, claimed_until = null where id in (
    select d.id from webhook_endpoints e join webhook_deliveries d on d.organization_id = e.organization_id and d.endpoint_id = e.id
    where not e.is_enabled and d.state = 'pending' limit ${max})`.execute(db)
}

/** @returns how many were deleted */
export const deleteDeliveriesBefore = async (db: Database, before: string, max: number): Promise<number> => {
  const { numAffectedRows } = await sql`delete from webhook_deliveries where id in (
    select id from webhook_deliveries where created_at < ${before} limit ${max})`.execute(db)
  return Number(numAffectedRows)
}

/** @returns how many were deleted */
export const deleteStaleDeliveries = async (db: Database, max: number): Promise<number> => {
  const { numAffectedRows } = await sql`delete from webhook_deliveries where id in (
    select d.id from webhook_endpoints e join webhook_deliveries d on d.organization_id = e.organization_id and d.endpoint_id = e.id
    where e.deleted_at is not null limit ${max})`.execute(db)
  return Number(numAffectedRows)
}
