import { type Insertable, sql } from 'kysely'
import type { Database } from '../../platform/database/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Files } from '../../platform/database/types.gen.ts'

const COLUMNS = ['f.id', 'f.file_name', 'f.sha256', 'f.media_type', 'f.run_id', 'f.created_by', 'f.created_at'] as const

export interface FileRow {
  id: string
  file_name: string
  size: number
  sha256: string
  media_type: string
  run_id: string | null
  created_by: string | null
  /** Null where a key made it. */
  created_by_name: string | null
  created_at: string
}

const selectFiles = (db: Database, organizationId: string, engagementId: string) =>
  db
    .selectFrom('files as f')
    .leftJoin('users as u', 'u.id', 'f.created_by')
    .select((select) => [...COLUMNS, select.ref('f.size').$castTo<number>().as('size'), 'u.name as created_by_name'])
    .where('f.organization_id', '=', organizationId)
    .where('f.engagement_id', '=', engagementId)

export const insertFile = async (tx: Transaction, file: Insertable<Files>): Promise<void> => {
  await tx.insertInto('files').values(file).execute()
}

export const findFile = (db: Database, organizationId: string, engagementId: string, fileId: string): Promise<FileRow | undefined> =>
  selectFiles(db, organizationId, engagementId).where('f.id', '=', fileId).executeTakeFirst()

/** The newest first, `limit` at most; with `before`, those that came before this id. */
export const listFiles = (db: Database, organizationId: string, engagementId: string, before: string | undefined, limit: number): Promise<FileRow[]> => {
  const all = selectFiles(db, organizationId, engagementId)
  return (before === undefined ? all : all.where('f.id', '<', before)).orderBy('f.id', 'desc').limit(limit).execute()
}

/** @param max counting ends there */
export const countFiles = async (db: Database, organizationId: string, engagementId: string, max: number): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
    select from files where organization_id = ${organizationId} and engagement_id = ${engagementId} limit ${max}) counted`.execute(db)
  return rows[0]?.count ?? 0
}

/** Bytes of all files of the organization together. */
export const sumSizes = async (db: Database, organizationId: string): Promise<number> => {
  const { rows } = await sql<{ bytes: number }>`select coalesce(sum(size), 0)::bigint as bytes from files where organization_id = ${organizationId}`.execute(db)
  return rows[0]?.bytes ?? 0
}

/** @returns its name; undefined where there is no such file */
export const deleteFile = (tx: Transaction, organizationId: string, engagementId: string, fileId: string) =>
  tx
    .deleteFrom('files')
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .where('id', '=', fileId)
    .returning(['id', 'file_name', 'size', 'sha256'])
    .executeTakeFirst()

/** Those of these ids that a row names, of any organization. */
export const listNamedIds = async (db: Database, ids: readonly string[]): Promise<Set<string>> => {
  const rows = await db.selectFrom('files').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}
