import { sql } from 'kysely'
import type { Transaction } from '../database/transaction.ts'

/** What a feature changes; the list grows with the features. */
export type EventType = 'engagement' | 'file' | 'target' | 'scope' | 'result' | 'scan' | 'schedule' | 'import' | 'operation' | 'task' | 'page' | 'request'

export type EventChange = 'created' | 'updated' | 'moved' | 'deleted'

/** What changed, never how: whoever may see it reads it again. */
export interface Announcement {
  type: EventType
  /** Null for what belongs to the whole organization. */
  engagementId: string | null
  /** Of what changed. More than 100 are told as "many". */
  ids: readonly string[]
  change: EventChange
  /** Left out inside the scope of one organization, as in every service; jobs that see all of them name it. */
  organizationId?: string
  /**
   * Who saw the engagement until now, where a change hides it: everybody, or these people beside the owner and the admins.
   * Those who do not see it any more are told that it is deleted.
   */
  seenBefore?: 'everybody' | readonly string[]
}

/** The channel of Postgres that carries events between processes. */
const EVENTS_CHANNEL = 'sortie_events'
/** Ids that are told one by one. */
export const MAX_IDS = 100
/** People in one notification: the payload of Postgres ends at 8,000 bytes. */
const PEOPLE_AT_ONCE = 200

/** A notification as it travels, in short names. */
export interface Payload {
  /** Organization. */
  o: string
  /** Engagement. */
  e: string | null
  t: EventType
  c: EventChange
  /** Null for many. */
  ids: readonly string[] | null
  seen?: 'everybody' | readonly string[]
}

/**
 * Says what changed to all who look at it: call it beside `recordAudit`, once for each engagement and type, with every id.
 * Nothing is told unless the transaction commits.
 */
export const announce = async (tx: Transaction, { type, engagementId, ids, change, organizationId, seenBefore }: Announcement): Promise<void> => {
  if (ids.length === 0) return
  const payload = { e: engagementId, t: type, c: change, ids: ids.length > MAX_IDS ? null : ids } satisfies Omit<Payload, 'o'>
  for (const seen of inParts(seenBefore)) {
    // Outside the scope of one organization, and without a name, this is the text '*', which no stream listens to.
    await sql`select pg_notify(${EVENTS_CHANNEL}, (${JSON.stringify({ ...payload, ...(seen !== undefined && { seen }) })}::jsonb
      || jsonb_build_object('o', coalesce(${organizationId ?? null}::text, current_setting('sortie.organization'))))::text)`.execute(tx)
  }
}

const inParts = (seen: Announcement['seenBefore']): Announcement['seenBefore'][] => {
  if (seen === undefined || seen === 'everybody' || seen.length <= PEOPLE_AT_ONCE) return [seen]
  return [seen.slice(0, PEOPLE_AT_ONCE), ...inParts(seen.slice(PEOPLE_AT_ONCE))]
}
