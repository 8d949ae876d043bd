import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'

/** What only the change knows; see migration 0023. */
interface EventFacts {
  ids?: string[]
  severities?: (number | null)[]
  open?: boolean
  [fact: string]: unknown
}

export interface EventRow {
  number: number
  type: string
  about_engagement_id: string | null
  object_id: string | null
  data: EventFacts
  created_at: string
}

/**
 * In random order, so that none waits for always the same others.
 *
 * @param dueBefore events of batches from before this are due
 */
export const listOrganizationsWithEvents = async (
  db: Database,
  batched: readonly string[],
  dueBefore: string,
  except: readonly string[],
  max: number,
): Promise<string[]> => {
  const { rows } = await sql<{ organization_id: string }>`select organization_id from webhook_events
    where (type <> all (${batched}::text[]) or created_at <= ${dueBefore}) and organization_id <> all (${except}::text[])
    group by organization_id order by random() limit ${max}`.execute(db)
  return rows.map(({ organization_id }) => organization_id)
}

/** @returns false if another process turns the organization's events into deliveries right now */
export const findIsOurTurn = async (tx: Transaction, organizationId: string): Promise<boolean> => {
  const { rows } = await sql<{
    isOurs: boolean
  }>`select pg_try_advisory_xact_lock(hashtextextended('webhook events ' || ${organizationId}::text, 0)) as "isOurs"`.execute(
    tx,
  )
  return rows[0]?.isOurs ?? false
}

/**
 * Deletes and returns the oldest events that are due, in their order: those of a batch with all of its engagement and type, once the
 * first of them is old enough.
 */
export const consumeEvents = async (
  tx: Transaction,
  organizationId: string,
  batched: readonly string[],
  dueBefore: string,
  max: number,
): Promise<EventRow[]> => {
  const { rows } = await sql<EventRow>`
    with taken as (
      delete from webhook_events where organization_id = ${organizationId} and number in (
        select e.number from webhook_events e where e.organization_id = ${organizationId}
          and (e.type <> all (${batched}::text[]) or exists (
            select from webhook_events first
            where first.organization_id = e.organization_id and first.type = e.type
              and first.about_engagement_id = e.about_engagement_id and first.created_at <= ${dueBefore}))
        order by e.number limit ${max})
      returning number, type, about_engagement_id, object_id, data, created_at
    ) select * from taken order by number`.execute(tx)
  return rows
}
