import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'

/** Bytes of files, of texts of pages with their history, and of requests with their runs and stored responses. */
export const sumStoredBytes = async (db: Database, organizationId: string): Promise<number> => {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(bytes), 0)::bigint as bytes from stored_bytes where organization_id = ${organizationId}`.execute(
    db,
  )
  return rows[0]?.bytes ?? 0
}

/** Merges the rows since the last run; sums stay the same. */
export const joinStoredBytes = async (db: Database): Promise<void> => {
  await sql`
    with joined as (delete from stored_bytes returning organization_id, bytes)
    insert into stored_bytes (organization_id, bytes) select organization_id, sum(bytes) from joined group by organization_id having sum(bytes) <> 0
  `.execute(db)
}
