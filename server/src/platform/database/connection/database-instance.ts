import { type Selectable, sql } from 'kysely'
import pg from 'pg'
import { ConfigurationError } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import type { Transaction } from '../transaction.ts'
import type { DatabaseIdentity } from '../types.gen.ts'
import type { Database } from './open.ts'

/** The values that identify a database. */
export type Identity = Omit<Selectable<DatabaseIdentity>, 'id'>

/** @returns undefined if Postgres, or its provider, does not report it: then copies go unnoticed */
export const readIdentity = async (db: Database, log: Logger): Promise<Identity | undefined> => {
  try {
    const { rows } = await sql<Identity>`select
        (select system_identifier::text from pg_control_system()) as system_identifier,
        (select oid::text from pg_database where datname = current_database()) as database_oid,
        concat_ws(' ', 'organizations'::regclass::oid, 'users'::regclass::oid, 'api_keys'::regclass::oid) as table_oids,
        current_setting('server_version_num')::int / 10000 as postgres_major`.execute(db)
    return rows[0]
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error
    log.info({ err: error }, 'Postgres does not tell its system identifier: a restored database is not noticed')
    return undefined
  }
}

/**
 * Stores the database's identity at the first start, and compares it at every later one.
 *
 * A promoted standby and a database that pg_upgrade moved count as the same database: the standby does not differ at all; after
 * pg_upgrade the system identifier differs, but database and tables keep their numbers. After pg_restore the tables have other
 * numbers, and `create database ... template` makes another database.
 *
 * @throws ConfigurationError for a copy: rights that were revoked since the copy was made would work again
 */
export const requireSameDatabase = async (db: Database, log: Logger): Promise<void> => {
  const found = await readIdentity(db, log)
  if (!found) return
  const remembered = await db.selectFrom('database_identity').selectAll().executeTakeFirst()
  const hasSamePlace = remembered?.database_oid === found.database_oid && remembered.table_oids === found.table_oids
  if (remembered && hasSamePlace && remembered.system_identifier === found.system_identifier) return
  if (remembered && !(hasSamePlace && found.postgres_major > remembered.postgres_major)) {
    throw new ConfigurationError([
      'the database was restored from a dump, or copied: keys and sessions that were withdrawn since then would work again. Run "npm run sortie -- rekey" to end all of them, or "npm run sortie -- rekey --keep-keys"; see "Backup and restore" in docs/operating.md',
    ])
  }
  await rememberDatabase(db, found)
}

export const rememberDatabase = async (db: Database | Transaction, identity: Identity): Promise<void> => {
  await db
    .insertInto('database_identity')
    .values({ id: true, ...identity })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(identity))
    .execute()
}
