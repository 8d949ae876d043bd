import { sql } from 'kysely'
import { isoTime } from '../clock.ts'
import type { Platform } from '../context.ts'
import type { Database } from '../database/connection/open.ts'
import { hideTrash, readWithTrash, showTrash, type Transaction, transaction } from '../database/transaction.ts'
import type { Selection } from './list.ts'

/** Tables whose deleted rows stay in the trash; row-level security hides them there. */
export type TrashTable = 'tasks' | 'results' | 'observations' | 'targets' | 'scope_rules'

/** Time after which an object in the trash is deleted for good. */
export const TRASH_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000
/** Small enough that a batch, with the rows that depend on it, ends well within the statement timeout. */
const DELETED_AT_ONCE = 500

/** Reads a list as its caller asks for it: what is in the trash, or what is not. */
export const readAsAsked = <C extends { db: Database }, T>(
  context: C,
  isTrash: boolean | undefined,
  read: (context: C) => Promise<T>,
): Promise<T> => (isTrash ? readWithTrash(context.db, (tx) => read({ ...context, db: tx })) : read(context))

/** A selection of a restore: a filter finds only what is in the trash. */
export const ofTrash = ({ ids, filter }: Selection): Selection => ({
  ids,
  filter: filter && { ...filter, trashed: true },
})

/** Moves rows to the trash. The caller has locked them. @param now the time of the deletion */
export const moveToTrash = async (
  tx: Transaction,
  table: TrashTable,
  organizationId: string,
  ids: readonly string[],
  now: string,
): Promise<void> => {
  // The policy is checked against the changed rows, too.
  await showTrash(tx)
  const id = sql.ref(table === 'observations' ? 'result_id' : 'id')
  await sql`update ${sql.table(table)} set trashed_at = ${now}
    where organization_id = ${organizationId} and ${id} = any(${ids}::text[]) and trashed_at is null`.execute(tx)
  await hideTrash(tx)
}

/** Rows that a clean-up deletes, of one engagement. */
interface OldTrash {
  organizationId: string
  engagementId: string
  ids: string[]
}

/**
 * Deletes for good what has been in the trash for 30 days, and the oldest of an engagement whose trash has more rows
 * than `limit`: repeated deletions cannot fill the database.
 *
 * @param remove deletes rows in a transaction that sees the trash, and records it
 */
export const emptyTrash = async (
  { db, scopedTo, clock }: Pick<Platform, 'db' | 'scopedTo' | 'clock'>,
  table: Exclude<TrashTable, 'observations'>,
  limit: number,
  remove: (tx: Transaction, old: OldTrash) => Promise<void>,
): Promise<void> => {
  const before = isoTime(clock.now() - TRASH_LIFETIME_MS)
  for (let found = true; found;) {
    const old = await readWithTrash(db, (tx) => listOld(tx, table, before, limit))
    for (const each of old) {
      await transaction(scopedTo(each.organizationId), async (tx) => {
        await showTrash(tx)
        const ids = await lockOld(tx, table, each)
        if (ids.length > 0) await remove(tx, { ...each, ids })
      })
    }
    found = old.length > 0
  }
}

const listOld = async (tx: Transaction, table: TrashTable, before: string, limit: number): Promise<OldTrash[]> => {
  const { rows } = await sql<OldTrash>`
    with full_ones as (
      select organization_id, engagement_id, count(*) - ${limit} as excess from ${sql.table(table)}
      where trashed_at is not null group by organization_id, engagement_id having count(*) > ${limit}
    ), old as (
      (select id, organization_id, engagement_id from ${sql.table(table)} where trashed_at < ${before} order by trashed_at limit ${DELETED_AT_ONCE})
      union
      (select oldest.* from full_ones f cross join lateral (
        select t.id, t.organization_id, t.engagement_id from ${sql.table(table)} t
        where t.organization_id = f.organization_id and t.engagement_id = f.engagement_id and t.trashed_at is not null
        order by t.trashed_at, t.id limit least(f.excess, ${DELETED_AT_ONCE})) oldest limit ${DELETED_AT_ONCE})
    )
    select organization_id as "organizationId", engagement_id as "engagementId", array_agg(id order by id) as ids from old
    group by organization_id, engagement_id order by organization_id, engagement_id`.execute(tx)
  return rows
}

/** @returns those that are still in the trash: others may have been restored since they were listed */
const lockOld = async (tx: Transaction, table: TrashTable, { organizationId, ids }: OldTrash): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)}
    where organization_id = ${organizationId} and id = any(${ids}::text[]) and trashed_at is not null order by id for update`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}
