import * as contract from '@sortie/contract/core/files.ts'
import { type Insertable, type SqlBool, sql } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import { countRows } from '../../platform/database/rows.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Files } from '../../platform/database/types.gen.ts'
import { condition } from '../../platform/lists/filters.ts'
import { byId, listQuery } from '../../platform/lists/list.ts'

const COLUMNS = [
  'f.id',
  'f.file_name',
  'f.sha256',
  'f.media_type',
  'f.run_id',
  'f.caption',
  'f.position',
  'f.created_by',
  'f.created_at',
] as const

export interface FileRow {
  id: string
  file_name: string
  size: number
  sha256: string
  media_type: string
  run_id: string | null
  caption: string
  position: number | null
  created_by: string | null
  /** Null if a key created it. */
  created_by_name: string | null
  created_at: string
  /** Redacted: shown only to those who may redact it. */
  sealed: boolean
  /** What is shown in its place; null also once that was deleted. */
  redacted_by: string | null
}

/** The object that a file is attached to. */
export interface FileOwner {
  type:
    | 'engagement'
    | 'result'
    | 'import'
    | 'task'
    | 'page'
    | 'request'
    | 'client'
    | 'finding'
    | 'library_entry'
    | 'report'
    | 'report_template'
    | 'report_render'
    | 'report_edition'
  id: string
}

const selectFiles = (db: Database, organizationId: string) =>
  db
    .selectFrom('files as f')
    .leftJoin('users as u', 'u.id', 'f.created_by')
    .leftJoin('file_redactions as r', (join) =>
      join.onRef('r.organization_id', '=', 'f.organization_id').onRef('r.file_id', '=', 'f.id'),
    )
    .select((select) => [
      ...COLUMNS,
      select.ref('f.size').$castTo<number>().as('size'),
      'u.name as created_by_name',
      select('r.file_id', 'is not', null).$castTo<boolean>().as('sealed'),
      'r.redacted_by',
    ])
    .where('f.organization_id', '=', organizationId)

export const insertFile = async (tx: Transaction, file: Insertable<Files>): Promise<void> => {
  await tx.insertInto('files').values(file).execute()
}

export const findFile = (
  db: Database,
  organizationId: string,
  owner: FileOwner,
  fileId: string,
): Promise<FileRow | undefined> =>
  selectFiles(db, organizationId)
    .where('f.owner_type', '=', owner.type)
    .where('f.owner_id', '=', owner.id)
    .where('f.id', '=', fileId)
    .executeTakeFirst()

/** The path names the owner, so `owner` is a filter without a query parameter, and so is who asks. */
const byOwner = {
  owner: condition(({ type, id }: FileOwner) => sql`f.owner_type = ${type} and f.owner_id = ${id}`),
  hidesSealed: condition(() => sql`r.file_id is null`),
}

export const fileList = listQuery(contract.fileList, {
  rows: selectFiles,
  id: 'f.id',
  sorts: { createdAt: byId },
  filters: byOwner,
})

/** Every file of an object, oldest first. */
export const listWholeFilesOf = (db: Database, organizationId: string, owner: FileOwner): Promise<FileRow[]> =>
  selectFiles(db, organizationId)
    .where('f.owner_type', '=', owner.type)
    .where('f.owner_id', '=', owner.id)
    .orderBy('f.id')
    .execute()

/** The ids of an object's files in their order, sealed ones last, locked for a change of it. */
export const lockOrder = async (tx: Transaction, organizationId: string, owner: FileOwner): Promise<string[]> => {
  const rows = await tx
    .selectFrom('files')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('owner_type', '=', owner.type)
    .where('owner_id', '=', owner.id)
    .orderBy(
      sql`exists(select from file_redactions r where r.organization_id = files.organization_id and r.file_id = files.id)`,
    )
    .orderBy('position', (order) => order.asc().nullsLast())
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

/** The media type of a file of an object, locked for a change of it. */
export const lockFile = (tx: Transaction, organizationId: string, owner: FileOwner, fileId: string) =>
  tx
    .selectFrom('files')
    .select(['id', 'file_name', 'media_type', 'caption', 'sha256'])
    .where('organization_id', '=', organizationId)
    .where('owner_type', '=', owner.type)
    .where('owner_id', '=', owner.id)
    .where('id', '=', fileId)
    .forUpdate()
    .executeTakeFirst()

/** @param ids every file of one object, in the new order */
export const writeOrder = async (tx: Transaction, organizationId: string, ids: readonly string[]): Promise<void> => {
  await sql`update files f set position = o.place - 1 from unnest(${ids}::text[]) with ordinality as o (id, place)
    where f.organization_id = ${organizationId} and f.id = o.id and f.position is distinct from o.place - 1`.execute(tx)
}

export const writeCaption = async (
  tx: Transaction,
  organizationId: string,
  fileId: string,
  caption: string,
): Promise<void> => {
  await tx
    .updateTable('files')
    .set({ caption })
    .where('organization_id', '=', organizationId)
    .where('id', '=', fileId)
    .execute()
}

/** @returns its name; undefined if the file does not exist */
export const deleteFile = (tx: Transaction, organizationId: string, owner: FileOwner, fileId: string) =>
  tx
    .deleteFrom('files')
    .where('organization_id', '=', organizationId)
    .where('owner_type', '=', owner.type)
    .where('owner_id', '=', owner.id)
    .where('id', '=', fileId)
    .returning(['id', 'file_name', 'size', 'sha256'])
    .executeTakeFirst()

/** For callers that delete their owners: a job removes the bytes. */
export const deleteFilesOf = async (
  tx: Transaction,
  organizationId: string,
  type: FileOwner['type'],
  ownerIds: readonly string[],
): Promise<void> => {
  await tx
    .deleteFrom('files')
    .where('organization_id', '=', organizationId)
    .where('owner_type', '=', type)
    .where(sql<boolean>`owner_id = any(${ownerIds})`)
    .execute()
}

/** Those of these ids that have a row, of any organization. */
export const listNamedIds = async (db: Database, ids: readonly string[]): Promise<Set<string>> => {
  const rows = await db.selectFrom('files').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Those of these ids whose rows this database has deleted. */
export const listDeletedIds = async (db: Database, ids: readonly string[]): Promise<Set<string>> => {
  const rows = await db.selectFrom('deleted_files').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Once their bytes are gone. */
export const deleteDeletedBefore = async (db: Database, before: string): Promise<void> => {
  await db.deleteFrom('deleted_files').where('deleted_at', '<', before).execute()
}

/** Counts the files of all organizations. */
export const countFiles = (db: Database): Promise<number> => countRows(db.selectFrom('files'))

/** Filters these ids to existing organizations. */
export const listKnownOrganizations = async (db: Database, ids: readonly string[]): Promise<Set<string>> => {
  const rows = await db.selectFrom('organizations').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Files of all organizations after an id, in the order of ids. */
export const listFilesAfter = (db: Database, after: string, limit: number) =>
  db
    .selectFrom('files')
    .select(['id', 'organization_id', 'size', 'sha256'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

const SAMPLE = 100

/** The oldest and the newest files of all organizations. */
export const listSample = async (db: Database): Promise<{ id: string; organization_id: string }[]> => {
  const sample = (order: 'asc' | 'desc') =>
    db.selectFrom('files').select(['id', 'organization_id']).orderBy('id', order).limit(SAMPLE).execute()
  const rows = [...(await sample('asc')), ...(await sample('desc'))]
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}

/** The files of several owners, with the owner of each; by owner, oldest first. */
export const listFilesOfAll = (
  db: Database,
  organizationId: string,
  type: FileOwner['type'],
  ownerIds: readonly string[],
) =>
  db
    .selectFrom('files')
    .select(['id', 'owner_id', 'file_name'])
    .where('organization_id', '=', organizationId)
    .where('owner_type', '=', type)
    .where(sql<SqlBool>`owner_id = any(${ownerIds}::text[])`)
    .orderBy('owner_id')
    .orderBy('id')
    .execute()
