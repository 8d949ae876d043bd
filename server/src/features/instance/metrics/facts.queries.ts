import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'

/** Sizes and counts of the database and its server. */
export interface DatabaseUse {
  bytes: number
  connections: number
  max_connections: number
  /** What the organizations store, in files and in large rows. */
  stored_bytes: number
}

/**
 * Postgres shows other roles the database and the role of a session, not its `backend_type`: clients are those that have
 * both. A process that helps a client has both too, and takes no connection.
 */
export const readDatabaseUse = async (db: Database): Promise<DatabaseUse> => {
  const { rows } = await sql<DatabaseUse>`select
      pg_database_size(current_database()) as bytes,
      (select count(*) from pg_stat_activity
        where datid is not null and usesysid is not null and leader_pid is null) as connections,
      current_setting('max_connections')::int as max_connections,
      (select coalesce(sum(bytes), 0)::bigint from stored_bytes) as stored_bytes`.execute(db)
  return rows[0] as DatabaseUse
}

export interface BackgroundJobCount {
  kind: string
  state: 'queued' | 'running' | 'failed'
  count: number
}

/** Unfinished long-running jobs, and those that failed since a time, by kind and state. */
export const countBackgroundJobs = async (db: Database, failedSince: string): Promise<BackgroundJobCount[]> => {
  const { rows } = await sql<BackgroundJobCount>`select kind, state, count(*)::int as count
      from background_jobs where ended_at is null group by kind, state
    union all select kind, 'failed', count(*)::int
      from background_jobs where state = 'failed' and ended_at > ${failedSince} group by kind`.execute(db)
  return rows
}

export interface WebhookCounts {
  pending: number
  /** Given up and still kept. */
  failed: number
  /** Endpoints without a success since their last failure. */
  failing_endpoints: number
}

export const countWebhooks = async (db: Database): Promise<WebhookCounts> => {
  const { rows } = await sql<WebhookCounts>`select
      (select count(*) from webhook_deliveries where state = 'pending') as pending,
      (select count(*) from webhook_deliveries where state = 'failed') as failed,
      (select count(*) from webhook_endpoints where is_enabled and failing_since is not null and deleted_at is null) as failing_endpoints`.execute(
    db,
  )
  return rows[0] as WebhookCounts
}
