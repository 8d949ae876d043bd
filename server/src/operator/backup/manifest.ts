import { readFileSync } from 'node:fs'
import path from 'node:path'
import { damaged, MANIFEST, readSealed } from '@sortie/embedded-postgres/backup/manifest.ts'
import { seal } from '@sortie/embedded-postgres/backup/sealed.ts'
import { EmbeddedPostgresError } from '@sortie/embedded-postgres/errors.ts'
import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import { isFromDevelopment } from '../../platform/database/history.ts'
import { type Migration, readMigrations } from '../../platform/database/migrate.ts'
import { ConfigurationError } from '../../platform/errors.ts'

/** Format 1 is a copy of the embedded database's own directory. */
const PORTABLE_FORMAT = 2
/** Below a backup. */
export const TABLES = 'tables'
export const FILES = 'files'
export const FILE_LIST = 'files.jsonl.gz'

const Count = Type.Integer({ minimum: 0 })
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** A compressed file of the backup. */
const content = {
  /** From the backup's directory. */
  path: Type.String({ pattern: '^(?:tables/[\\w.-]+\\.copy\\.gz|files\\.jsonl\\.gz)$' }),
  /** Size and hash of the compressed file. */
  bytes: Count,
  sha256: Hash,
  /** Size and hash of the uncompressed content. */
  contentBytes: Count,
  contentSha256: Hash,
  /** Rows of a table, or files of the list. */
  lines: Count,
}
const StoredContent = Type.Object(content)
export type StoredContent = Static<typeof StoredContent>

const TableContent = Type.Object({
  ...content,
  /** Tables of the job queue carry its schema: `pgboss.job`. */
  name: Type.String(),
  /** In the order of the copied text, without generated columns. */
  columns: Type.Array(Type.String()),
})
export type TableContent = Static<typeof TableContent>

const Sequence = Type.Object({
  name: Type.String(),
  /** A text, since it may exceed the range of a number. */
  value: Type.String({ pattern: '^-?\\d+$' }),
  isCalled: Type.Boolean(),
})
export type Sequence = Static<typeof Sequence>

const AppliedMigration = Type.Object({ version: Count, name: Type.String(), checksum: Type.String() })
export type AppliedMigration = Static<typeof AppliedMigration>

/** A backup that restores into any supported Postgres: rows as text, and the files that they name. */
const PortableManifest = Type.Object({
  format: Type.Literal(PORTABLE_FORMAT),
  /** Version of Sortie. */
  sortie: Type.String(),
  /** Newest migration. */
  schema: Count,
  migrations: Type.Array(AppliedMigration),
  /** Version of Postgres, for information. */
  postgres: Type.String(),
  /** The database that this is of, and the directory's name: `backup --keep` recognises its own backups by these. */
  series: Type.String(),
  name: Type.String(),
  startedAt: Type.String(),
  /** The database is restored to its state at this moment. */
  takenAt: Type.String(),
  finishedAt: Type.String(),
  tables: Type.Array(TableContent),
  sequences: Type.Array(Sequence),
  files: Type.Object({
    ...content,
    /** For all files together. */
    totalBytes: Count,
    /** Files that were missing in the storage, or differed from their rows, when the backup was made. */
    missing: Count,
    damaged: Count,
  }),
})
export type PortableManifest = Static<typeof PortableManifest>

/** One line of the list of files. */
export const ListedFile = Type.Object({
  /** Below `files` of the backup, and below STORAGE_PATH: an uploaded file, or one directly in STORAGE_PATH. */
  path: Type.String({ pattern: '^(?:org_[0-9a-z]{26}/[0-9a-f]{2}/fil_[0-9a-z]{26}|(?!\\.\\.?$)[\\w.-]+)$' }),
  bytes: Count,
  sha256: Hash,
  /** Missing: the backup does not have it. Damaged: it differs from its row; size and hash are those of the copy. */
  problem: Type.Optional(Type.Union([Type.Literal('missing'), Type.Literal('damaged')])),
})
export type ListedFile = Static<typeof ListedFile>

export const formatPortable = (manifest: Omit<PortableManifest, 'format'>): string =>
  seal({ format: PORTABLE_FORMAT, ...manifest })

/** Bytes of the whole backup. */
export const sizeOf = ({ tables, files }: Pick<PortableManifest, 'tables' | 'files'>): number =>
  tables.reduce((sum, { bytes }) => sum + bytes, files.bytes + files.totalBytes)

/**
 * @returns undefined for a copy of the embedded database's directory
 * @throws EmbeddedPostgresError for an incomplete backup, or a format that this build does not know
 */
export const readPortable = (backup: string): PortableManifest | undefined => {
  const contents = readSealed(backup)
  if (contents['format'] === 1) return undefined
  if (contents['format'] !== PORTABLE_FORMAT) {
    throw new EmbeddedPostgresError(
      'backup',
      `${backup} has the format ${String(contents['format'])}, this build reads 1 and ${PORTABLE_FORMAT}: use a newer Sortie`,
    )
  }
  if (!Check(PortableManifest, contents)) throw damaged(backup)
  return contents
}

/** Identifies a backup: a restore that was interrupted continues with the same one only. */
export const checksumOfManifest = (backup: string): string =>
  String(JSON.parse(readFileSync(path.join(backup, MANIFEST), 'utf8')).checksum)

/**
 * The migrations of a backup, as this build has them.
 *
 * @throws ConfigurationError for a backup of a newer build, of a development version before 0.2.0, and for one whose
 *   migrations are not those of this build
 */
export const migrationsOf = (backup: string, { migrations, schema, sortie }: PortableManifest): Migration[] => {
  if (isFromDevelopment(migrations)) {
    throw new ConfigurationError([
      `${backup} was made by a development version before Sortie 0.2.0, and this build cannot restore it: restore it with the version that made it`,
    ])
  }
  requireKnownSchema(backup, schema, sortie)
  const known = readMigrations()
  return migrations.map(({ version, name, checksum }) => {
    const own = known.find((migration) => migration.version === version)
    if (own?.checksum === checksum) return own
    throw new ConfigurationError([
      `${backup} has the migration ${version} (${name}), which this build does not have: restore it with Sortie ${sortie}`,
    ])
  })
}

/** @throws ConfigurationError for a schema of a newer build */
export const requireKnownSchema = (backup: string, schema: number, sortie: string): void => {
  const newest = newestMigration()
  if (schema > newest) {
    throw new ConfigurationError([
      `${backup} has schema version ${schema}, this build knows versions up to ${newest}: restore it with Sortie ${sortie} or newer`,
    ])
  }
}

export const newestMigration = (): number => readMigrations().at(-1)?.version ?? 0
