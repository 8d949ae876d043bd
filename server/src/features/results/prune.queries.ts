import { sql } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'

/**
 * Deletes old unchanged observations among the next `limit` ones in the order of writing. Keeps the last one of each
 * result and the first one of each tool, which undo needs.
 *
 * @param after where the call before ended; '0' at first
 * @returns where the next call starts; undefined if all others are later
 */
export const deleteUnchangedBefore = async (
  db: Database,
  before: string,
  after: string,
  limit: number,
): Promise<string | undefined> => {
  const { rows } = await sql<{ next: string | null; is_over: boolean }>`
    with page as materialized (
      select o.ctid as place, o.sequence, o.created_at < ${before} as is_old, o.before is null and exists (
        select from observations later
        where later.organization_id = o.organization_id and later.result_id = o.result_id and later.sequence > o.sequence offset 0) as is_followed
      from observations o where o.change in ('unchanged', 'older') and o.sequence > ${after}::bigint order by o.sequence limit ${limit}
    ), deleted as (
      delete from observations where ctid = any(array(select place from page where is_old and is_followed))
    )
    select max(sequence)::text as next, count(*) < ${limit} or not coalesce(bool_and(is_old), true) as is_over from page`.execute(
    db,
  )
  const [page] = rows
  return page?.is_over ? undefined : (page?.next ?? undefined)
}
