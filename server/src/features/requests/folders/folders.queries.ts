import * as contract from '@sortie/contract/requests/request-folders.ts'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { RequestFolders } from '../../../platform/database/types.gen.ts'
import { anyOfOrNone, contains, isNull } from '../../../platform/lists/filters.ts'
import { byId, listQuery } from '../../../platform/lists/list.ts'

const COLUMNS = [
  'id',
  'engagement_id',
  'parent_id',
  'name',
  'auth',
  'auth_secret',
  'hosts',
  'position',
  'created_at',
  'updated_at',
] as const

export const folderList = listQuery(contract.requestFolderList, {
  rows: (db, organizationId) =>
    db.selectFrom('request_folders').select(COLUMNS).where('organization_id', '=', organizationId),
  id: 'id',
  engagementId: 'engagement_id',
  sorts: { createdAt: byId, name: 'name', position: 'position' },
  filters: { organization: isNull('engagement_id'), parentId: anyOfOrNone('parent_id'), q: contains('name') },
})

export const findFolder = (db: Database, organizationId: string, id: string) =>
  db
    .selectFrom('request_folders')
    .select(COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()

export type FolderRow = NonNullable<Awaited<ReturnType<typeof findFolder>>>

export const lockFolder = (tx: Transaction, organizationId: string, id: string) =>
  tx
    .selectFrom('request_folders')
    .select(COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** Reads a folder and locks it against deletion until the transaction ends. */
export const lockFolderForShare = (tx: Transaction, organizationId: string, id: string) =>
  tx
    .selectFrom('request_folders')
    .select(COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()

export const insertFolders = async (tx: Transaction, folders: readonly Insertable<RequestFolders>[]): Promise<void> => {
  if (folders.length > 0) await tx.insertInto('request_folders').values(folders).execute()
}

export const updateFolder = async (
  tx: Transaction,
  organizationId: string,
  id: string,
  change: Updateable<RequestFolders>,
): Promise<void> => {
  await tx
    .updateTable('request_folders')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

/** Cascades to subfolders and requests. */
export const deleteFolder = async (tx: Transaction, organizationId: string, id: string): Promise<void> => {
  await tx.deleteFrom('request_folders').where('organization_id', '=', organizationId).where('id', '=', id).execute()
}

const ofPlace = (db: Database, organizationId: string, engagementId: string | null) =>
  db
    .selectFrom('request_folders')
    .where('organization_id', '=', organizationId)
    .where('engagement_id', engagementId === null ? 'is' : '=', engagementId)

/** Lists a folder and its ancestors, starting with itself. */
export const listAncestors = async (db: Database, organizationId: string, id: string): Promise<FolderRow[]> => {
  const { rows } = await sql<FolderRow & { depth: number }>`
    with recursive up as (
      select f.*, 1 as depth from request_folders f where f.organization_id = ${organizationId} and f.id = ${id}
      union all
      select f.*, up.depth + 1 from request_folders f join up on f.organization_id = up.organization_id and f.id = up.parent_id
    ) cycle id set is_cycle using path
    select ${sql.join(COLUMNS.map((column) => sql.ref(column)))}, depth from up where not is_cycle order by depth limit 100`.execute(
    db,
  )
  return rows
}

/** Lists a folder and its descendants, with their depth below it. */
export const listBelow = async (db: Database, organizationId: string, id: string) => {
  const { rows } = await sql<{ id: string; parent_id: string | null; position: string; depth: number }>`
    with recursive down as (
      select f.id, f.organization_id, f.parent_id, f.position, 1 as depth from request_folders f where f.organization_id = ${organizationId} and f.id = ${id}
      union all
      select f.id, f.organization_id, f.parent_id, f.position, down.depth + 1
      from request_folders f join down on f.organization_id = down.organization_id and f.parent_id = down.id
    ) cycle id set is_cycle using path
    select id, parent_id, position, depth from down where not is_cycle order by depth, position, id`.execute(db)
  return rows
}

/** Lists all folders of an engagement, or of the organization, by position. */
export const listAllFolders = (db: Database, organizationId: string, engagementId: string | null, limit: number) =>
  ofPlace(db, organizationId, engagementId).select(COLUMNS).orderBy('position').orderBy('id').limit(limit).execute()

/** Lists the folders of an import, by position. */
export const listFoldersById = async (
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<FolderRow[]> => {
  const wanted = sql<boolean>`id = any(${ids})`
  return db
    .selectFrom('request_folders')
    .select(COLUMNS)
    .where('organization_id', '=', organizationId)
    .where(wanted)
    .orderBy('position')
    .execute()
}
