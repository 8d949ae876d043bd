import { sql } from 'kysely'
import type { Transaction } from '../database/transaction.ts'

/** Types of changed objects; the list grows with the features. */
export type EventType =
  | 'engagement'
  | 'file'
  | 'target'
  | 'scope'
  | 'result'
  | 'scan'
  | 'schedule'
  | 'import'
  | 'operation'
  | 'task'
  | 'page'
  | 'request'
  | 'finding'
  | 'library_entry'
  | 'retest'
  | 'report'
  | 'member'
  | 'setting'

export type EventChange = 'created' | 'updated' | 'moved' | 'deleted'

/** Names the changed objects, without their content: readers with access fetch them again. */
export interface Announcement {
  type: EventType
  /** Null for objects that belong to the whole organization. */
  engagementId: string | null
  /** Ids of the changed objects. More than 100 are sent as "many". */
  ids: readonly string[] | 'many'
  change: EventChange
  /**
   * Optional within the scope of one organization, which applies to every service; jobs that see all organizations name
   * it.
   */
  organizationId?: string
  /**
   * Who saw the engagement before a change that hides it: everyone, or these people in addition to the owner and the
   * admins. Those who no longer see it receive a deletion.
   */
  seenBefore?: 'everyone' | readonly string[]
}

/** The Postgres channel that carries events between processes. */
const EVENTS_CHANNEL = 'sortie_events'
/** Maximum number of ids that are sent one by one. */
export const MAX_IDS = 100
/** People in one notification: the payload of Postgres is limited to 8,000 bytes. */
const PEOPLE_AT_ONCE = 200

/** A notification on the wire, in short names. */
export interface Payload {
  /** Organization. */
  o: string
  /** Engagement. */
  e: string | null
  t: EventType
  c: EventChange
  /** Null for many. */
  ids: readonly string[] | null
  seen?: 'everyone' | readonly string[]
}

/**
 * Announces a change to all open pages that show it: call it next to `recordAudit`, once for each engagement and type,
 * with every id. Sends nothing unless the transaction commits.
 */
export const announce = async (
  tx: Transaction,
  { type, engagementId, ids, change, organizationId, seenBefore }: Announcement,
): Promise<void> => {
  if (ids.length === 0) return
  const payload = {
    e: engagementId,
    t: type,
    c: change,
    ids: ids === 'many' || ids.length > MAX_IDS ? null : ids,
  } satisfies Omit<Payload, 'o'>
  for (const seen of inParts(seenBefore)) {
    // Outside the scope of one organization, and without a name, this is the text '*', which no stream listens to.
    await sql`select pg_notify(${EVENTS_CHANNEL}, (${JSON.stringify({ ...payload, ...(seen !== undefined && { seen }) })}::jsonb
      || jsonb_build_object('o', coalesce(${organizationId ?? null}::text, current_setting('sortie.organization'))))::text)`.execute(
      tx,
    )
  }
}

const inParts = (seen: Announcement['seenBefore']): Announcement['seenBefore'][] => {
  if (seen === undefined || seen === 'everyone' || seen.length <= PEOPLE_AT_ONCE) return [seen]
  return [seen.slice(0, PEOPLE_AT_ONCE), ...inParts(seen.slice(PEOPLE_AT_ONCE))]
}
