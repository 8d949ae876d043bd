import { type Selectable, sql } from 'kysely'
import pg from 'pg'
import { ConfigurationError } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import type { Transaction } from '../transaction.ts'
import type { DatabaseIdentity } from '../types.gen.ts'
import type { Database } from './open.ts'

/** The values that identify a database. */
export type Identity = Omit<Selectable<DatabaseIdentity>, 'id'>

export const readIdentity = async (db: Database, log: Logger): Promise<Identity> => {
  const systemIdentifier = await readSystemIdentifier(db, log)
  const { rows } = await sql<Identity>`select
      ${systemIdentifier}::text as system_identifier,
      (select oid::text from pg_database where datname = current_database()) as database_oid,
      concat_ws(' ', 'organizations'::regclass::oid, 'users'::regclass::oid, 'api_keys'::regclass::oid) as table_oids,
      current_setting('server_version_num')::int / 10000 as postgres_major`.execute(db)
  return rows[0] as Identity
}

/** Stored for a system identifier that the provider of Postgres hides. */
const HIDDEN = ''
/** insufficient_privilege, undefined_function. Any other failure stops the start. */
const HIDING = ['42501', '42883']

const readSystemIdentifier = async (db: Database, log: Logger): Promise<string> => {
  try {
    const { rows } = await sql<{ id: string }>`select system_identifier::text as id from pg_control_system()`.execute(
      db,
    )
    return rows[0]?.id ?? HIDDEN
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || !HIDING.includes(error.code ?? '')) throw error
    log.warn(
      `Postgres hides its system identifier (${error.message}): a copy of the whole Postgres installation is not recognized as one; see "Backup and restore" in docs/operating/database/backup.md`,
    )
    return HIDDEN
  }
}

/**
 * Stores the database's identity at the first start, and compares it at every later one.
 *
 * A promoted standby and a database that pg_upgrade moved count as the same database: the standby does not differ at
 * all; after pg_upgrade the system identifier differs, but database and tables keep their numbers. After pg_restore the
 * tables have other numbers, and `create database ... template` makes another database. A hidden system identifier is
 * not compared.
 *
 * @throws ConfigurationError for a copy: rights that were revoked since the copy was made would work again
 */
export const requireSameDatabase = async (db: Database, log: Logger): Promise<void> => {
  const found = await readIdentity(db, log)
  const remembered = await db.selectFrom('database_identity').selectAll().executeTakeFirst()
  const hasSamePlace = remembered?.database_oid === found.database_oid && remembered.table_oids === found.table_oids
  if (
    remembered &&
    hasSamePlace &&
    (found.system_identifier === HIDDEN || remembered.system_identifier === found.system_identifier)
  )
    return
  const wasHidden = remembered?.system_identifier === HIDDEN
  if (remembered && !(hasSamePlace && (wasHidden || found.postgres_major > remembered.postgres_major))) {
    throw new ConfigurationError([
      'the database was restored from a dump, or copied: keys and sessions that were revoked since then would work again. Run "npm run operator -- rekey" to end all of them, or "npm run operator -- rekey --keep-keys"; see "Backup and restore" in docs/operating/database/backup.md',
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
