import path from 'node:path'
import { restoreInto } from '@sortie/embedded-postgres/backup/restore.ts'
import type { Report } from '@sortie/embedded-postgres/types.ts'
import type pg from 'pg'
import { EMBEDDED_NAME, startEmbedded } from '../../../platform/database/connection/embedded.ts'
import type { ConnectionSettings } from '../../../platform/database/connection/open.ts'
import { applyMigrations, type Migration } from '../../../platform/database/migrate.ts'
import type { Storage } from '../../../platform/files/storage.ts'
import { startJobs } from '../../../platform/jobs/jobs.ts'
import type { Logger } from '../../../platform/log.ts'
import { checksumOfManifest, migrationsOf, type PortableManifest } from '../manifest.ts'
import { withSession } from '../session.ts'
import { releaseStorage, claimStorage } from '../storage-mark.ts'
import { verifyPortable } from '../verify.ts'
import { loadFiles } from './load-files.ts'
import { analyzeTables, loadTables } from './load-tables.ts'
import { noteDone, releaseDatabase, claimDatabase } from './restore-target.ts'

export interface PortableRestoreOptions {
  backup: string
  manifest: PortableManifest
  /** Empty. */
  storage: Storage
  report: Report
  signal: AbortSignal
  log: Logger
  /** The last step: migrates to the schema of this build, and keeps or ends API keys and sessions. */
  complete(): Promise<void>
}

/**
 * Restores into the empty database of `DATABASE_URL`. Verifies the whole backup first. No server starts on the database
 * until the restore is complete. After a failure or a kill, the same command continues where the restore stopped.
 *
 * @throws ConfigurationError, EmbeddedPostgresError for what the operator can change
 */
export const restoreIntoServer = async (
  options: PortableRestoreOptions,
  settings: ConnectionSettings,
): Promise<void> => {
  const { backup, manifest, storage, report, signal } = options
  const migrations = migrationsOf(backup, manifest)
  await verifyPortable(backup, manifest, report, signal)
  await withSession(settings, 'sortie-restore', signal, async (client) => {
    const mark = await claimDatabase(client, backup, storage)
    try {
      if (!mark.files_done) {
        await claimStorage(storage, mark.token)
        await loadFiles(backup, manifest, storage, report, signal)
        await noteDone(client, 'files_done')
      }
      await releaseStorage(storage, mark.token)
      if (!mark.rows_done)
        await fillDatabase(options, settings, client, migrations, () => noteDone(client, 'rows_done'))
      await options.complete()
      await releaseDatabase(client)
    } catch (error) {
      report(
        'the restore is not complete, and no server starts on this database: run the same command again to continue',
      )
      throw error
    }
  })
}

/**
 * Restores into an empty `DATA_DIR`. Verifies the whole backup first. After a kill, no server starts on the directory,
 * and the next restore begins again. A failure leaves the directories empty.
 *
 * @throws ConfigurationError, EmbeddedPostgresError for what the operator can change
 */
export const restoreIntoDirectory = async (options: PortableRestoreOptions, directory: string): Promise<void> => {
  const { backup, manifest, storage, report, signal, log } = options
  const migrations = migrationsOf(backup, manifest)
  await verifyPortable(backup, manifest, report, signal)
  const files = storage.kind === 'directory' ? storage.name : path.join(directory, 'scratch')
  // In a bucket, the files of an interrupted restore stay, and the next restore of the same backup takes them.
  const token = checksumOfManifest(backup)
  await restoreInto({ directory, files, name: EMBEDDED_NAME, report, log }, async () => {
    if (storage.kind === 'bucket') await claimStorage(storage, token)
    await loadFiles(backup, manifest, storage, report, signal)
    await releaseStorage(storage, token)
    const embedded = await startEmbedded(directory, log, { restoring: true, mayPrepare: false })
    try {
      await withSession(embedded.settings, 'sortie-restore', signal, (client) =>
        fillDatabase(options, embedded.settings, client, migrations, async () => undefined),
      )
      await options.complete()
    } finally {
      await embedded.stop()
    }
  })
}

/** @param finish runs in the transaction that inserts the rows */
const fillDatabase = async (
  { backup, manifest, report, signal, log }: PortableRestoreOptions,
  settings: ConnectionSettings,
  client: pg.Client,
  migrations: Migration[],
  finish: () => Promise<void>,
): Promise<void> => {
  await applyMigrations(settings, log, migrations)
  // Creates the tables of the job queue. Their rows come from the backup.
  const jobs = await startJobs(settings, log, [], false)
  await jobs.stop(0)
  await loadTables(client, backup, manifest, finish, report, signal)
  await analyzeTables(client)
}
