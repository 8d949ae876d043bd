import { pipeline } from 'node:stream/promises'
import type { Report } from '@sortie/embedded-postgres/types.ts'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { ConfigurationError } from '../../../platform/errors.ts'
import { listTables, QUEUE_TABLES, type Table } from '../dump/catalog.ts'
import { Meter, nowhere, readContent } from '../dump/content.ts'
import { copyOut, quoted, WHOLE_SCANS } from '../dump/dump-tables.ts'
import type { PortableManifest, Sequence, TableContent } from '../manifest.ts'

/** A table of the backup and its counterpart in the database. */
interface Pair {
  content: TableContent
  table: Table
  /** Columns that both have. */
  columns: string[]
}

interface Constraint {
  table: string
  name: string
  definition: string
}

/**
 * Copies every table of a backup into the tables that its migrations have made, in one transaction: all of it or
 * nothing. Needs no superuser. Foreign keys are dropped and created again at the end, which checks every row. Triggers
 * are disabled, since what they write is in the backup. Row-level security is not enabled yet: \`copy from\` does not
 * work with it.
 *
 * @param finish runs in the same transaction
 * @throws ConfigurationError, EmbeddedPostgresError, DatabaseError; then nothing was changed
 */
export const loadTables = async (
  client: pg.Client,
  backup: string,
  manifest: PortableManifest,
  finish: () => Promise<void>,
  report: Report,
  signal: AbortSignal,
): Promise<void> => {
  const pairs = pairTables(backup, manifest, await listTables(client), report)
  const own = pairs.filter(({ table }) => !QUEUE_TABLES.includes(table.name))
  await client.query('begin')
  // Keeps out a server of an older build, which does not know the mark of a restore.
  await client.query(`lock table ${pairs.map(({ table }) => table.id).join(', ')} in access exclusive mode`)
  const foreignKeys = await dropForeignKeys(client)
  for (const { table } of own) await client.query(`alter table ${table.id} disable trigger user`)
  // Migrations and the job queue may have written rows.
  await client.query(`truncate ${pairs.map(({ table }) => table.id).join(', ')}`)
  let bytes = 0
  for (const [index, pair] of pairs.entries()) {
    await loadTable(client, backup, pair, signal)
    report({ bytes: (bytes += pair.content.contentBytes), files: index + 1 })
  }
  for (const { table } of own) await client.query(`alter table ${table.id} enable trigger user`)
  for (const { table, name, definition } of foreignKeys)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`)
  await setSequences(client, manifest.sequences)
  await client.query(WHOLE_SCANS)
  for (const pair of pairs) await requireEqual(client, backup, pair, signal)
  await finish()
  await client.query('commit')
}

/** Gives the planner statistics of the new rows, without which the first queries are slow. */
export const analyzeTables = async (client: pg.Client): Promise<void> => {
  await client.query(`vacuum (analyze) ${(await listTables(client)).map(({ id }) => id).join(', ')}`)
}

const pairTables = (
  backup: string,
  { tables, sortie }: PortableManifest,
  found: readonly Table[],
  report: Report,
): Pair[] => {
  for (const { name } of found) {
    if (!tables.some((content) => content.name === name))
      throw new ConfigurationError([`${backup} has no table ${name}, which its schema has`])
  }
  const pairs = tables.flatMap((content): Pair[] => {
    const table = found.find(({ name }) => name === content.name)
    if (table) return [{ content, table, columns: content.columns.filter((column) => table.columns.includes(column)) }]
    report(`left out: the table ${content.name} (${content.lines} rows), which is not Sortie's`)
    return []
  })
  // Another version of pg-boss may have other columns. Sortie's own tables are made by the same migrations.
  const odd = pairs.find(
    ({ table, content, columns }) =>
      !QUEUE_TABLES.includes(table.name) &&
      (columns.length < content.columns.length || columns.length < table.columns.length),
  )
  if (odd)
    throw new ConfigurationError([
      `${backup}: the table ${odd.table.name} has other columns than Sortie ${sortie} gives it`,
    ])
  const rank = ({ table }: Pair) => QUEUE_TABLES.indexOf(table.name)
  return pairs.toSorted((a, b) => rank(a) - rank(b))
}

/** @returns the dropped constraints, to be created again with the same names and definitions */
const dropForeignKeys = async (client: pg.Client): Promise<Constraint[]> => {
  const { rows } = await client.query<Constraint>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace and conparentid = 0 order by 1, 2`,
  )
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`)
  return rows
}

const loadTable = async (client: pg.Client, backup: string, pair: Pair, signal: AbortSignal): Promise<void> => {
  const { content, table, columns } = pair
  const isSame = columns.length === content.columns.length
  // Columns that this version of pg-boss no longer has are read into a temporary table and left there.
  const target = isSame ? table.id : 'incoming'
  if (!isSame)
    await client.query(
      `create temp table incoming (${content.columns.map((column) => `${quoted([column])} text`).join(', ')}) on commit drop`,
    )
  const copy = client.query(copyFrom(`copy ${target} (${quoted(content.columns)}) from stdin`))
  await readContent(backup, content, copy, signal)
  if (copy.rowCount !== content.lines)
    throw new Error(`${copy.rowCount} of ${content.lines} rows of ${table.name} were taken`)
  if (isSame) return
  const { rows: types } = await client.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute where attrelid = $1::regclass and attname = any ($2)`,
    [table.id, columns],
  )
  const values = columns.map((column) => `${quoted([column])}::${types.find(({ name }) => name === column)?.type}`)
  await client.query(`insert into ${table.id} (${quoted(columns)}) select ${values.join(', ')} from incoming`)
  await client.query('drop table incoming')
}

const setSequences = async (client: pg.Client, sequences: readonly Sequence[]): Promise<void> => {
  for (const { name, value, isCalled } of sequences)
    await client.query('select setval(quote_ident($1)::regclass, $2, $3)', [name, value, isCalled])
}

/** Reads the table back: the same text means the same rows. */
const requireEqual = async (
  client: pg.Client,
  backup: string,
  { content, table, columns }: Pair,
  signal: AbortSignal,
): Promise<void> => {
  const restored = new Meter()
  await pipeline(client.query(copyTo(copyOut(table, columns))), restored, nowhere(), { signal })
  const isSame = columns.length < content.columns.length || restored.sha256() === content.contentSha256
  if (restored.lines !== content.lines || !isSame) {
    throw new Error(
      `${backup}: the table ${table.name} reads otherwise than it was written (${restored.lines} of ${content.lines} rows)`,
    )
  }
}
