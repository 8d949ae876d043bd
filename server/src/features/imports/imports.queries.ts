import * as contract from '@sortie/contract/inventory/imports.ts'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import { acquireFairLocks } from '../../platform/database/scope/fair-locks.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Imports } from '../../platform/database/types.gen.ts'
import { anyOf } from '../../platform/lists/filters.ts'
import { byId, listQuery } from '../../platform/lists/list.ts'

/** The options of an import. */
export interface ImportOptions {
  fullRescan: boolean
  outOfScope: 'mark' | 'skip'
  /** `all`, or ids of targets. */
  covered: 'all' | readonly string[] | null
  mapping: Readonly<Record<string, string>>
  /** The address that was tested, for files whose lines name no host. */
  baseUrl?: string | null
  /** When the file's contents were seen, set by the importer; overrides the file's own time. */
  seenAt?: string | null
  /** When the file was written, for a file that states no time. */
  writtenAt?: string | null
  /** Of the operation log's entries of the command that wrote the file. */
  loggedAs?: string | null
}

const COLUMNS = [
  'i.id',
  'i.organization_id',
  'i.engagement_id',
  'i.file_name',
  'i.file_id',
  'i.sha256',
  'i.wanted_format',
  'i.format',
  'i.tool',
  'i.tool_version',
  'i.mode',
  'i.state',
  'i.state_reason',
  'i.seen_at',
  'i.rejected',
  'i.out_of_scope',
  'i.warnings',
  'i.duplicate_of',
  'i.work_id',
  'i.created_by',
  'i.created_at',
  'i.finished_at',
] as const

const selectImports = (db: Database, organizationId: string) =>
  db
    .selectFrom('imports as i')
    .leftJoin('users as u', 'u.id', 'i.created_by')
    .leftJoin('background_jobs as w', (join) =>
      join.onRef('w.organization_id', '=', 'i.organization_id').onRef('w.id', '=', 'i.work_id'),
    )
    .select((select) => [
      ...COLUMNS,
      select.ref('i.size').$castTo<number>().as('size'),
      select.ref('i.options').$castTo<ImportOptions>().as('options'),
      select.ref('i.counts').$castTo<StoredCounts | null>().as('counts'),
      'u.name as created_by_name',
      'w.state as work_state',
      select.ref('w.done').$castTo<number | null>().as('done'),
      select.ref('w.total').$castTo<number | null>().as('total'),
    ])
    .where('i.organization_id', '=', organizationId)

/** Computed when the import ends. */
export interface StoredCounts {
  results: Record<string, number>
  targets: { created: number; known: number }
}

export const importList = listQuery(contract.importList, {
  rows: selectImports,
  id: 'i.id',
  engagementId: 'i.engagement_id',
  sorts: { createdAt: byId },
  filters: { state: anyOf('i.state'), format: anyOf('i.format') },
})

export const findImport = (db: Database, organizationId: string, importId: string) =>
  selectImports(db, organizationId).where('i.id', '=', importId).executeTakeFirst()

export type ImportRow = NonNullable<Awaited<ReturnType<typeof findImport>>>

export const lockImport = async (
  tx: Transaction,
  organizationId: string,
  importId: string,
): Promise<ImportRow | undefined> => {
  await tx
    .selectFrom('imports')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', importId)
    .forUpdate()
    .execute()
  return findImport(tx, organizationId, importId)
}

export const insertImport = async (tx: Transaction, row: Insertable<Imports>): Promise<void> => {
  await tx.insertInto('imports').values(row).execute()
}

export const updateImport = async (
  tx: Transaction,
  organizationId: string,
  importId: string,
  importColumns: Updateable<Imports>,
): Promise<void> => {
  await tx
    .updateTable('imports')
    .set(importColumns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', importId)
    .execute()
}

export const deleteImportRow = async (tx: Transaction, organizationId: string, importId: string): Promise<void> => {
  await tx.deleteFrom('imports').where('organization_id', '=', organizationId).where('id', '=', importId).execute()
}

/**
 * Finds the first import of the same bytes that is or will be applied; an unapplied preview does not count. Serializes
 * the creation of imports of these bytes until the transaction ends, because they would not see each other.
 */
export const findSame = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  sha256: string,
): Promise<string | null> => {
  await acquireFairLocks(tx, { exclusive: [`import ${engagementId} ${sha256}`] })
  const row = await tx
    .selectFrom('imports')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .where('sha256', '=', sha256)
    .where('mode', '=', 'apply')
    .where('state', 'not in', ['failed', 'undone'])
    .orderBy(sql`duplicate_of is not null`)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Finds the import of the same bytes that finished first, whichever was created first. */
export const findBrought = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  sha256: string,
): Promise<string | null> => {
  const row = await tx
    .selectFrom('imports')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .where('sha256', '=', sha256)
    .where('state', 'in', ['applied', 'partial'])
    .orderBy(sql`duplicate_of is not null`)
    .orderBy('finished_at')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

export interface RejectionRow {
  number: number
  position: string
  excerpt: string
  reason: string
}

export const insertRejections = async (
  tx: Transaction,
  { organizationId, engagementId, importId }: { organizationId: string; engagementId: string; importId: string },
  rows: readonly RejectionRow[],
): Promise<void> => {
  if (rows.length === 0) return
  const values = rows.map((row) => ({
    organization_id: organizationId,
    engagement_id: engagementId,
    import_id: importId,
    ...row,
  }))
  await tx.insertInto('import_rejections').values(values).execute()
}

/** @param afterNumber number of the last rejection before */
export const listRejections = (
  db: Database,
  organizationId: string,
  importId: string,
  afterNumber: number,
  limit: number,
): Promise<RejectionRow[]> =>
  db
    .selectFrom('import_rejections')
    .select(['number', 'position', 'excerpt', 'reason'])
    .where('organization_id', '=', organizationId)
    .where('import_id', '=', importId)
    .where('number', '>', afterNumber)
    .orderBy('number')
    .limit(limit)
    .execute()

/** Deletes the notes of an earlier attempt or a preview, which are written again. */
export const deleteNotes = async (tx: Transaction, organizationId: string, importId: string): Promise<void> => {
  for (const table of ['import_rejections', 'import_previews'] as const) {
    await tx.deleteFrom(table).where('organization_id', '=', organizationId).where('import_id', '=', importId).execute()
  }
}

/** Keeps the first change of each result. */
export const insertPreviews = async (
  tx: Transaction,
  { organizationId, engagementId, importId }: { organizationId: string; engagementId: string; importId: string },
  rows: readonly { identity: string; change: string; host: string | null }[],
): Promise<void> => {
  if (rows.length === 0) return
  await sql`insert into import_previews (organization_id, engagement_id, import_id, identity, change, host)
    select ${organizationId}, ${engagementId}, ${importId}, x.identity, x.change, x.host
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x (identity text, change text, host text)
    on conflict (import_id, identity) do nothing`.execute(tx)
}

export const countPreviews = async (
  tx: Transaction,
  organizationId: string,
  importId: string,
): Promise<Record<string, number>> => {
  const rows = await tx
    .selectFrom('import_previews')
    .select((select) => ['change', select.fn.countAll<number>().as('count')])
    .where('organization_id', '=', organizationId)
    .where('import_id', '=', importId)
    .groupBy('change')
    .execute()
  return Object.fromEntries(rows.map(({ change, count }) => [change, count]))
}

/** Lists the hosts of a preview, for a full rescan. */
export const listPreviewHosts = async (
  tx: Transaction,
  organizationId: string,
  importId: string,
): Promise<string[]> => {
  const rows = await tx
    .selectFrom('import_previews')
    .select('host')
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('import_id', '=', importId)
    .where('host', 'is not', null)
    .execute()
  return rows.map(({ host }) => host as string)
}

/** Returns the time of the database, for callers without a clock. */
export const currentTime = async (tx: Transaction): Promise<string> => {
  const { rows } = await sql<{ now: string }>`select date_trunc('milliseconds', clock_timestamp()) as now`.execute(tx)
  return rows[0]?.now as string
}

/** Lists the ids of all imports of these bytes, in any state. */
export const listImportsOfFile = async (
  db: Database,
  organizationId: string,
  engagementId: string,
  sha256: string,
): Promise<string[]> => {
  const rows = await db
    .selectFrom('imports')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .where('sha256', '=', sha256)
    .execute()
  return rows.map(({ id }) => id)
}

/** Lists applied imports with coverage, in the order in which they were seen. */
export const listLooks = (db: Database, organizationId: string, engagementId: string): Promise<ImportRow[]> =>
  selectImports(db, organizationId)
    .where('i.engagement_id', '=', engagementId)
    .where('i.state', 'in', ['applied', 'partial'])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('scan_coverage as c')
          .select('c.host')
          .whereRef('c.organization_id', '=', 'i.organization_id')
          .whereRef('c.source_id', '=', 'i.id'),
      ),
    )
    .orderBy('i.seen_at')
    .orderBy('i.id')
    .execute()
