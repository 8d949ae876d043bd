import { sql } from 'kysely'
import { ConfigurationError } from '../errors.ts'
import type { ConnectionSettings, Database } from './connection/open.ts'

export interface AppliedMigration {
  version: number
  name: string
  checksum: string
}

/** Migrations that only development versions before 0.2.0 have, by number: their schemas cannot be upgraded. */
const OF_DEVELOPMENT: ReadonlyMap<number, string> = new Map([
  [1, 'foundation'],
  [3, 'audit_mails_and_instance'],
])

/** @returns whether these are the migrations of a development version before 0.2.0 */
export const isFromDevelopment = (applied: readonly Pick<AppliedMigration, 'version' | 'name'>[]): boolean =>
  applied.some(({ version, name }) => OF_DEVELOPMENT.get(version) === name)

/**
 * Checks that a database has applied the migrations of this build, or the first of them, before any other is applied.
 *
 * @throws ConfigurationError for the database of a development version before 0.2.0, of a newer build, or of a build with
 *   other migrations
 */
export const requireOwnHistory = (
  settings: ConnectionSettings,
  applied: readonly AppliedMigration[],
  migrations: readonly AppliedMigration[],
): void => {
  const isEmbedded = !('connectionString' in settings)
  const startOver = `start with an empty ${isEmbedded ? 'DATA_DIR' : 'database'} and an empty STORAGE_PATH`
  if (isFromDevelopment(applied)) {
    throw new ConfigurationError([
      `${isEmbedded ? 'DATA_DIR: this data directory' : 'DATABASE_URL: this database'} was made by a development version before Sortie 0.2.0 and cannot be upgraded: ${startOver}`,
    ])
  }
  const newest = migrations.at(-1)?.version ?? 0
  const newestApplied = applied.at(-1)?.version ?? 0
  if (newestApplied > newest) {
    throw new ConfigurationError([
      `the database has schema version ${newestApplied}, this build knows versions up to ${newest}: start the newer build, or restore a backup of before the upgrade`,
    ])
  }
  const other = applied.find(
    ({ version, checksum }) => migrations.find((own) => own.version === version)?.checksum !== checksum,
  )
  if (other) {
    throw new ConfigurationError([
      `the database has applied another migration ${other.version} (${other.name}) than this build has: start the build that made the database, or ${startOver}`,
    ])
  }
}

/** The number of the last migration that a database has applied. */
export const readSchemaVersion = async (db: Database): Promise<number> => {
  const { rows } = await sql<{ version: number }>`select max(version) as version from schema_migrations`.execute(db)
  return rows[0]?.version ?? 0
}
