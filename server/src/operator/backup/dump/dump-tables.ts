import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Report } from '@sortie/embedded-postgres/types.ts'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { ConfigurationError } from '../../../platform/errors.ts'
import { TABLES, type TableContent } from '../manifest.ts'
import { listTables, type Table } from './catalog.ts'
import { writeContent } from './content.ts'
import { countRows } from './row-counts.ts'

/**
 * Makes a transaction read tables in the physical order of their rows. A table that was truncated in the transaction
 * that fills it gets its rows in their order; partitions do not (`copyOut`).
 */
export const WHOLE_SCANS =
  'set local enable_indexscan to off; set local enable_indexonlyscan to off; set local enable_bitmapscan to off'

/**
 * Begins the snapshot of a backup. The tables are locked against schema changes first: a table that is rewritten after
 * the snapshot looks empty in it.
 *
 * @returns the tables, and the moment of the snapshot
 */
export const beginSnapshot = async (client: pg.Client): Promise<{ tables: Table[]; takenAt: string }> => {
  const seen = await listTables(client)
  await client.query('begin isolation level repeatable read read only')
  await client.query(`lock table ${seen.map(({ id }) => id).join(', ')} in access share mode`)
  const { rows } = await client.query<{ at: Date }>('select clock_timestamp() as at')
  const tables = await listTables(client)
  if (JSON.stringify(tables) !== JSON.stringify(seen)) {
    throw new ConfigurationError([
      'the schema was changed just now, as by an upgrade: make the backup again when that is over',
    ])
  }
  return { tables, takenAt: (rows[0] as { at: Date }).at.toISOString() }
}

/**
 * Copies every table of the snapshot.
 *
 * @throws ConfigurationError when row-level security hides rows from this connection
 */
export const dumpTables = async (
  client: pg.Client,
  tables: readonly Table[],
  backup: string,
  report: Report,
  signal: AbortSignal,
): Promise<TableContent[]> => {
  mkdirSync(path.join(backup, TABLES), { mode: 0o700 })
  await client.query(WHOLE_SCANS)
  const dumped: TableContent[] = []
  let bytes = 0
  for (const table of tables) {
    const content = await dumpTable(client, table, backup, signal)
    dumped.push(content)
    report({ bytes: (bytes += content.bytes), files: dumped.length })
  }
  return dumped
}

const dumpTable = async (
  client: pg.Client,
  table: Table,
  backup: string,
  signal: AbortSignal,
): Promise<TableContent> => {
  const { name, id, columns } = table
  const copy = client.query(copyTo(copyOut(table, columns)))
  const content = await writeContent(copy, backup, `${TABLES}/${name}.copy.gz`, signal)
  const { visible = 0, hidden = 'all' } = (await countRows(client, id)) ?? {}
  if (hidden !== 0) {
    throw new ConfigurationError([
      `row-level security hides rows of the table ${name} from this connection (${hidden}; it shows ${visible}): a backup would lack them. The table has a policy that is not Sortie's: drop it, or connect as a superuser`,
    ])
  }
  if (content.lines !== visible || copy.rowCount !== visible) {
    throw new Error(`${name} has ${visible} rows, ${content.lines} were copied, Postgres sent ${copy.rowCount}`)
  }
  return { name, columns, ...content }
}

/**
 * Produces the same text from the same rows, in the original and in the restored database. `copy` into a partitioned
 * table fills gaps in earlier pages with small rows, so the rows of the job queue are sorted.
 */
export const copyOut = (
  { id, isPartitioned }: Pick<Table, 'id' | 'isPartitioned'>,
  columns: readonly string[],
): string =>
  `copy (select ${quoted(columns)} from ${id}${isPartitioned ? ` order by row(${quoted(columns)})::text collate "C"` : ''}) to stdout`

export const quoted = (columns: readonly string[]): string =>
  columns.map((column) => `"${column.replaceAll('"', '""')}"`).join(', ')
