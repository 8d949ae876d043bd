import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'

/** Small enough that a statement, with the words and indexes of its rows, ends well within the statement timeout. */
const ROWS_AT_ONCE = 500

type TrashTable = 'request_folders' | 'api_requests'

/**
 * Moves rows to the trash, or back with null. The transaction sees the trash and has locked the rows.
 *
 * @param trash the time and the object whose deletion includes them
 */
export const setTrashed = async (
  tx: Transaction,
  table: TrashTable,
  organizationId: string,
  ids: readonly string[],
  trash: { at: string; rootId: string } | null,
): Promise<void> => {
  for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) {
    await tx
      .updateTable(table)
      .set({ trashed_at: trash?.at ?? null, trash_root_id: trash?.rootId ?? null })
      .where('organization_id', '=', organizationId)
      .where(sql<boolean>`id = any(${ids.slice(from, from + ROWS_AT_ONCE)}::text[])`)
      .execute()
  }
}

/** Finds the engagement of a request or folder, also in the trash if the transaction sees that. */
export const findPlace = (db: Database, table: TrashTable, organizationId: string, id: string) =>
  db
    .selectFrom(table)
    .select(['engagement_id'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()

/** Locks a folder in the transaction that sees the trash. */
export const lockTrashedFolder = (tx: Transaction, organizationId: string, id: string) =>
  tx
    .selectFrom('request_folders')
    .select(['id', 'engagement_id', 'parent_id', 'name', 'trashed_at', 'trash_root_id'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** Locks a request in the transaction that sees the trash. */
export const lockTrashedRequest = (tx: Transaction, organizationId: string, id: string) =>
  tx
    .selectFrom('api_requests')
    .select(['id', 'engagement_id', 'folder_id', 'name', 'method', 'trashed_at', 'trash_root_id'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** Locks folders against new content, in the order of ids. @returns those that the transaction still sees */
export const lockFolders = async (
  tx: Transaction,
  organizationId: string,
  ids: readonly string[],
): Promise<{ id: string; trash_root_id: string | null }[]> =>
  tx
    .selectFrom('request_folders')
    .select(['id', 'trash_root_id'])
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .orderBy('id')
    .forUpdate()
    .execute()

/** Locks the requests in these folders, in the order of ids. */
export const lockRequestsIn = async (
  tx: Transaction,
  organizationId: string,
  folderIds: readonly string[],
): Promise<{ id: string; trash_root_id: string | null }[]> =>
  tx
    .selectFrom('api_requests')
    .select(['id', 'trash_root_id'])
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`folder_id = any(${folderIds}::text[])`)
    .orderBy('id')
    .forUpdate()
    .execute()

/** Deletes requests for good. */
export const deleteRequests = async (
  tx: Transaction,
  organizationId: string,
  ids: readonly string[],
): Promise<void> => {
  for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) {
    await tx
      .deleteFrom('api_requests')
      .where('organization_id', '=', organizationId)
      .where(sql<boolean>`id = any(${ids.slice(from, from + ROWS_AT_ONCE)}::text[])`)
      .execute()
  }
}

/** Lists the oldest deletions before a time, of all organizations; the transaction sees the trash. */
export const listOldTrash = (db: Database, table: TrashTable, before: string, limit: number) =>
  db
    .selectFrom(table)
    .select(['id', 'organization_id', 'engagement_id'])
    .where('trashed_at', '<', before)
    .whereRef('trash_root_id', '=', 'id')
    .orderBy('trashed_at')
    .limit(limit)
    .execute()
