import { type Kysely, sql } from 'kysely'
import { type DatabaseMetadata, generate, getDialect } from 'kysely-codegen'
import type { ConnectionSettings } from '../../../src/platform/database/connection/open.ts'
import { databaseUrl } from '../clients/server-clients.ts'

/** Written by `npm run db:types`, from the repository's root. */
export const TYPES_FILE = 'server/src/platform/database/types.gen.ts'

/** As Postgres writes `check (state in ('queued', 'running'))`, and `check (tags <@ array['a', 'b'])`. */
const CLOSED_SET = /^CHECK \(\(\(?(?:\w+|"[^"]+") (?:= ANY \(|<@ )(ARRAY\[.*\])\)*$/s

/**
 * Generates the types of all tables. A column whose check constraint lists its values has the union of these values.
 *
 * @param settings of a migrated database
 * @throws DatabaseError if the database cannot be read
 */
export const generateDatabaseTypes = async (settings: ConnectionSettings): Promise<string> => {
  const dialect = getDialect('postgres')
  const db = await dialect.introspector.connect({ connectionString: databaseUrl(settings), dialect })
  try {
    return await generate({
      db,
      dialect,
      defaultSchemas: ['public'],
      excludePattern: '{pgboss.*,*schema_migrations}',
      outFile: null,
      postprocess: addClosedSets,
      // As the types of the driver are set in open.ts.
      typeMapping: { timestamptz: 'string', date: 'string', json: 'unknown', jsonb: 'unknown' },
    })
  } finally {
    await db.destroy()
  }
}

/** Gives columns the values that their check constraints list, as if their type were an enum. */
const addClosedSets = async ({
  db,
  metadata,
}: {
  db: Kysely<unknown>
  metadata: DatabaseMetadata
}): Promise<DatabaseMetadata> => {
  const { rows } = await sql<{ schema: string; table: string; column: string; definition: string }>`
    select n.nspname as schema, c.relname as table, a.attname as column, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
    where k.contype = 'c' and cardinality(k.conkey) = 1`.execute(db)
  for (const { schema, table, column, definition } of rows) {
    const list = CLOSED_SET.exec(definition)?.[1]
    const found = metadata.tables
      .find((each) => each.schema === schema && each.name === table)
      ?.columns.find(({ name }) => name === column)
    if (list === undefined || !found) continue
    const values = [...list.matchAll(/'((?:[^']|'')*)'::text/g)].map(([, value]) =>
      (value as string).replaceAll("''", "'"),
    )
    if (values.length > 0) found.enumValues = values
  }
  return metadata
}
