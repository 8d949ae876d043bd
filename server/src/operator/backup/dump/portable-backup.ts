import { rmSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { MANIFEST } from '@sortie/embedded-postgres/backup/manifest.ts'
import { createFile, syncAll } from '@sortie/embedded-postgres/files.ts'
import { inNewDirectory } from '@sortie/embedded-postgres/new-directory.ts'
import type { Report } from '@sortie/embedded-postgres/types.ts'
import type pg from 'pg'
import type { ConnectionSettings } from '../../../platform/database/connection/open.ts'
import { requireNoRestore } from '../../../platform/database/connection/restore-mark.ts'
import { isFromDevelopment } from '../../../platform/database/history.ts'
import { ConfigurationError } from '../../../platform/errors.ts'
import type { Storage } from '../../../platform/files/storage.ts'
import { VERSION } from '../../../platform/version.ts'
import {
  FILE_LIST,
  formatPortable,
  newestMigration,
  type PortableManifest,
  type StoredContent,
  TABLES,
} from '../manifest.ts'
import { withSession } from '../session.ts'
import { listAppliedMigrations, listSequences, readSeries, type Table } from './catalog.ts'
import { writeContent } from './content.ts'
import { createFileDump, type FileDump, requireStorage, VanishedFile } from './dump-files.ts'
import { beginSnapshot, dumpTables } from './dump-tables.ts'

export interface PortableBackupOptions {
  settings: ConnectionSettings
  storage: Storage
  /** A new directory. */
  target: string
  report: Report
  /** Ends the backup and removes what it has written. */
  signal: AbortSignal
}

type Contents = Omit<PortableManifest, 'format'>

/** Another snapshot is needed only if someone uploads and deletes a file within the same second. */
const MAX_SNAPSHOTS = 5

/**
 * Copies one snapshot of the database as text, and the files that its rows name, into a new directory. The directory
 * gets its name when everything is on the disk; the manifest is written last.
 *
 * @throws ConfigurationError, EmbeddedPostgresError for what the operator can change
 */
export const makePortableBackup = (options: PortableBackupOptions): Promise<Contents> => {
  const { settings, storage, target, report, signal } = options
  return inNewDirectory(
    { target, outside: storage.kind === 'directory' ? storage.name : target, report },
    (directory) =>
      withSession(settings, 'sortie-backup', signal, (snapshot) =>
        withSession(settings, 'sortie-backup-files', signal, async (now) => {
          await requireDatabase(now)
          const contents = await fill(directory, options, snapshot, now)
          await writeManifest(directory, contents)
          return contents
        }),
      ),
  )
}

/** @throws ConfigurationError */
const requireDatabase = async (client: pg.Client): Promise<void> => {
  await requireNoRestore(client)
  const applied = await listAppliedMigrations(client)
  const newest = applied.at(-1)
  if (!newest) throw new ConfigurationError(['the database holds nothing of Sortie: no server has ever run on it'])
  if (isFromDevelopment(applied)) {
    throw new ConfigurationError([
      'the database was made by a development version before Sortie 0.2.0: back it up with the version that made it',
    ])
  }
  const known = newestMigration()
  if (newest.version > known) {
    throw new ConfigurationError([
      `the database has schema version ${newest.version}, this build knows versions up to ${known}: use the newer build`,
    ])
  }
}

const fill = async (
  directory: string,
  options: PortableBackupOptions,
  snapshot: pg.Client,
  now: pg.Client,
): Promise<Contents> => {
  const { storage, target, report, signal } = options
  const startedAt = new Date().toISOString()
  const files = createFileDump(storage, directory, report, signal)
  await files.copyNew(now)
  const { tables: found, takenAt, list } = await readSnapshot(directory, snapshot, now, files, signal)
  await requireStorage(storage, files.totals)
  await files.prune(snapshot)
  const migrations = await listAppliedMigrations(snapshot)
  const { rows } = await snapshot.query<{ version: string }>(
    `select split_part(current_setting('server_version'), ' ', 1) as version`,
  )
  const tables = await dumpTables(snapshot, found, directory, report, signal)
  // Sequences are not part of a snapshot. Read last, each is past every value in the tables.
  const sequences = await listSequences(snapshot)
  await snapshot.query('commit')
  await files.sync()
  const { bytes: totalBytes, missing, damaged } = files.totals
  return {
    sortie: VERSION,
    schema: migrations.at(-1)?.version ?? 0,
    migrations,
    postgres: rows[0]?.version ?? '',
    series: await readSeries(now),
    name: path.basename(path.resolve(target)),
    startedAt,
    takenAt,
    finishedAt: new Date().toISOString(),
    tables,
    sequences,
    files: { ...list, totalBytes, missing, damaged },
  }
}

interface Snapshot {
  tables: Table[]
  takenAt: string
  /** The files of the snapshot; the backup contains all of them. */
  list: StoredContent
}

const readSnapshot = async (
  directory: string,
  snapshot: pg.Client,
  now: pg.Client,
  files: FileDump,
  signal: AbortSignal,
): Promise<Snapshot> => {
  for (let attempt = 1; ; attempt++) {
    const begun = await beginSnapshot(snapshot)
    try {
      return {
        ...begun,
        list: await writeContent(Readable.from(lines(files, snapshot, now)), directory, FILE_LIST, signal),
      }
    } catch (error) {
      if (!(error instanceof VanishedFile) || attempt === MAX_SNAPSHOTS) throw error
      await snapshot.query('rollback')
      rmSync(path.join(directory, FILE_LIST))
    }
  }
}

async function* lines(files: FileDump, snapshot: pg.Client, now: pg.Client): AsyncGenerator<Buffer> {
  for await (const page of files.list(snapshot, now))
    yield Buffer.from(page.map((file) => `${JSON.stringify(file)}\n`).join(''))
}

/** The last step: a directory without a manifest is not a backup. */
const writeManifest = async (directory: string, contents: Contents): Promise<void> => {
  const file = createFile(path.join(directory, MANIFEST))
  file.write(Buffer.from(formatPortable(contents)))
  file.close()
  await syncAll([path.join(directory, MANIFEST)], [path.join(directory, TABLES), directory])
}
