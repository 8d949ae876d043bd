import * as contract from '@sortie/contract/engagement/engagement-activity.ts'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { AuditEntries } from '../../platform/database/types.gen.ts'
import { byId, listQuery } from '../../platform/lists/list.ts'
import { isReadable } from './activity-readers.ts'

export const insertAuditEntry = async (tx: Transaction, entry: Insertable<AuditEntries>): Promise<void> => {
  await tx.insertInto('audit_entries').values(entry).execute()
}

/** Action of an export or a download: nothing changed. */
export const DOWNLOADED = 'data.downloaded'

export interface AuditFilter {
  action: string | undefined
  actorId: string | undefined
  objectId: string | undefined
  /** Inclusive. */
  from: string | undefined
  /** Exclusive. */
  to: string | undefined
  /** Id of the last entry of the previous page. */
  before: string | undefined
}

/** Without the place in a list. */
export type LogFilter = Omit<AuditFilter, 'before'>

/** The newest matches, `limit` at most. @param organizationId null for entries about accounts and the instance */
export const listAuditEntries = (db: Database, organizationId: string | null, filter: AuditFilter, limit: number) => {
  let query = matching(db, organizationId, filter)
  if (filter.before) query = query.where('id', '<', filter.before)
  return query.orderBy('id', 'desc').limit(limit).execute()
}

const matching = (db: Database, organizationId: string | null, filter: LogFilter) => {
  let query = db
    .selectFrom('audit_entries')
    .selectAll()
    .where('organization_id', organizationId === null ? 'is' : '=', organizationId)
  if (filter.action) query = query.where('action', '=', filter.action)
  if (filter.actorId) query = query.where('actor_id', '=', filter.actorId)
  if (filter.objectId) query = query.where('object_id', '=', filter.objectId)
  if (filter.from) query = query.where('created_at', '>=', filter.from)
  if (filter.to) query = query.where('created_at', '<', filter.to)
  return query
}

/** Where an entry is in the order of `listAuditLog`. */
export type LogPosition = Pick<Selectable<AuditEntries>, 'epoch' | 'transaction' | 'id'>

/**
 * Matches after a position, in the order in which their transactions began, `limit` at most. Left out are the entries
 * of transactions that began after the oldest one under way: that one may still add an entry before them.
 */
export const listAuditLog = (
  db: Database,
  organizationId: string,
  filter: LogFilter,
  after: LogPosition | undefined,
  limit: number,
) => {
  let query = matching(db, organizationId, filter).where(
    sql<boolean>`(epoch < (select audit_epoch()) or transaction < (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint))`,
  )
  if (after)
    query = query.where(
      sql<boolean>`(epoch, transaction, id) > (${after.epoch}::integer, ${after.transaction}::bigint, ${after.id})`,
    )
  return query.orderBy('epoch').orderBy('transaction').orderBy('id').limit(limit).execute()
}

export const incrementAuditEpoch = async (tx: Transaction): Promise<void> => {
  await sql`insert into audit_epoch (id, epoch) values (true, 1)
    on conflict (id) do update set epoch = audit_epoch.epoch + 1`.execute(tx)
}

const ACTIVITY_COLUMNS = [
  'id',
  'created_at',
  'actor_type',
  'actor_id',
  'actor_name',
  'action',
  'object_type',
  'object_id',
  'before',
  'after',
] as const

/** The exact expression of the index. */
const ENGAGEMENT_CONCERNED = sql<
  string | null
>`case when object_type = 'engagement' then object_id else about_engagement_id end`

const selectActivity = (db: Database, organizationId: string) =>
  db.selectFrom('audit_entries').select(ACTIVITY_COLUMNS).where('organization_id', '=', organizationId)

/**
 * Entries about an engagement that the caller's scopes read. The caller checks that the engagement is visible: entries
 * are not hidden with it.
 */
export const activityList = listQuery(contract.activityList, {
  rows: (db, organizationId, actor) => selectActivity(db, organizationId).where(isReadable(actor)),
  id: 'id',
  engagementId: ENGAGEMENT_CONCERNED,
  sorts: { createdAt: byId },
  filters: {},
})

/** The newest entries about an object that the caller's scopes read. The caller checks that the object is visible. */
export const listActivityOf = (db: Database, actor: Actor, objectId: string, limit: number) =>
  selectActivity(db, actor.organizationId)
    .where(isReadable(actor))
    .where('object_id', '=', objectId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** When something last changed in an engagement; null if nothing has. */
export const findNewestActivity = async (
  db: Database,
  organizationId: string,
  engagementId: string,
): Promise<string | null> => {
  const row = await db
    .selectFrom('audit_entries')
    .select('created_at')
    .where('organization_id', '=', organizationId)
    .where(ENGAGEMENT_CONCERNED, '=', engagementId)
    .where('action', '<>', DOWNLOADED)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at ?? null
}

export type ActivityRow = Awaited<ReturnType<ReturnType<typeof selectActivity>['execute']>>[number]

/** The current display names of these objects. Deleted ones are omitted: their entries contain their names. */
export const findObjectNames = async (
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, string>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{
    id: string
    name: string
  }>`select id, name from engagements where organization_id = ${organizationId} and id = any(${ids})
    union all select id, name from users where id = any(${ids})
    union all select id, name from clients where organization_id = ${organizationId} and id = any(${ids})
    union all select id, email from invitations where organization_id = ${organizationId} and id = any(${ids})
    union all select id, pattern from scope_rules where organization_id = ${organizationId} and id = any(${ids})
    union all select id, canonical from targets where organization_id = ${organizationId} and id = any(${ids})
    union all select id, title from tasks where organization_id = ${organizationId} and id = any(${ids})
    union all select id, title from results where organization_id = ${organizationId} and id = any(${ids})
    union all select id, name from scans where organization_id = ${organizationId} and id = any(${ids})
    union all select id, name from scan_schedules where organization_id = ${organizationId} and id = any(${ids})
    union all select id, title from findings where organization_id = ${organizationId} and id = any(${ids})
    union all select id, name from retests where organization_id = ${organizationId} and id = any(${ids})
    union all select id, title from reports where organization_id = ${organizationId} and id = any(${ids})
    union all select id, title from library_entries where organization_id = ${organizationId} and id = any(${ids})
    union all select id, asset from affected_assets where organization_id = ${organizationId} and id = any(${ids})
    union all select id, title from wiki_pages where organization_id = ${organizationId} and id = any(${ids})
    union all select id, name from methodologies where organization_id = ${organizationId} and id = any(${ids})
    union all select id, name from api_requests where organization_id = ${organizationId} and id = any(${ids})
    union all select id, name from request_folders where organization_id = ${organizationId} and id = any(${ids})
    union all select id, name from request_environments where organization_id = ${organizationId} and id = any(${ids})
    union all select s.id, f.name from request_sequences s join request_folders f on f.organization_id = s.organization_id and f.id = s.folder_id
      where s.organization_id = ${organizationId} and s.id = any(${ids})
    union all select id, name from organizations where id = ${organizationId} and id = any(${ids})`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The actions in the log: one index step per action, however long the log is. */
export const listAuditActions = async (db: Database, organizationId: string): Promise<string[]> => {
  const { rows } = await sql<{ action: string }>`with recursive found as (
      (select action from audit_entries where organization_id = ${organizationId} order by action limit 1)
      union all
      select (select a.action from audit_entries a where a.organization_id = ${organizationId} and a.action > found.action order by a.action limit 1)
      from found where found.action is not null
    ) select action from found where action is not null`.execute(db)
  return rows.map(({ action }) => action)
}

/** The actors in the log, each with the name in the latest entry; one index step per actor. */
export const listAuditActors = async (db: Database, organizationId: string) => {
  const { rows } = await sql<{ id: string; type: 'user' | 'key'; name: string }>`with recursive found as (
      (select actor_id from audit_entries where organization_id = ${organizationId} and actor_id is not null order by actor_id limit 1)
      union all
      select (select a.actor_id from audit_entries a where a.organization_id = ${organizationId} and a.actor_id > found.actor_id order by a.actor_id limit 1)
      from found where found.actor_id is not null
    )
    select found.actor_id as id, latest.actor_type as type, latest.actor_name as name
    from found join lateral (
      select actor_type, actor_name from audit_entries a
      where a.organization_id = ${organizationId} and a.actor_id = found.actor_id order by a.id desc limit 1
    ) latest on true
    order by latest.actor_name, found.actor_id`.execute(db)
  return rows
}
