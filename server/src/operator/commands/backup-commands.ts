import { existsSync } from 'node:fs'
import path from 'node:path'
import { makeBackup } from '@sortie/embedded-postgres/backup/backup.ts'
import { writeLastBackup } from '../../features/instance/last-backup.queries.ts'
import { type Config, readConfig } from '../../platform/config.ts'
import { embeddedLimits, namingSettings, startEmbedded } from '../../platform/database/connection/embedded.ts'
import { type ConnectionSettings, openDatabase } from '../../platform/database/connection/open.ts'
import { ConfigurationError } from '../../platform/errors.ts'
import { createStorage } from '../../platform/files/open-storage.ts'
import type { Storage } from '../../platform/files/storage.ts'
import { createLogger } from '../../platform/log.ts'
import { VERSION } from '../../platform/version.ts'
import { listAppliedMigrations, readSeries } from '../backup/dump/catalog.ts'
import { makePortableBackup } from '../backup/dump/portable-backup.ts'
import { sizeOf } from '../backup/manifest.ts'
import { megabytes, reporter, untilInterrupted } from '../backup/progress.ts'
import { nameOfBackup, removeOldBackups } from '../backup/rotation.ts'
import { withSession } from '../backup/session.ts'
import { type Command, type CommandLine, exactly, print, tell, UsageError } from '../command-line.ts'

/** For `--keep`. */
const MAX_KEPT = 10_000

interface MadeBackup {
  /** The database is restored to its state at this moment. */
  takenAt: string
  bytes: number
  series: string
  summary: string
  /** Sentences about problems of a backup that is nevertheless complete. */
  problems: string[]
}

export const backup: Command = async (line) => {
  const [named] = exactly(line.operands, 1)
  const keep = parseKeep(line)
  const config = readConfig()
  const target = keep === undefined ? named : path.join(named, nameOfBackup(Date.now()))
  if (keep !== undefined && !existsSync(named)) throw new ConfigurationError([`${named} is not there: make it first`])
  const made = await untilInterrupted('the incomplete backup was removed', (signal) =>
    withRunningDatabase(config, async (settings) => {
      const storage = await createStorage(config)
      // A copy of the directories is one of directories only.
      const isPortable = config.DATABASE_URL !== undefined || line.portable || storage.kind === 'bucket'
      const copied = await (isPortable ? portable : ofDirectory)(settings, storage, target, signal)
      await recordBackup(settings, copied)
      return copied
    }),
  )
  print(`${target}: ${made.summary}; the database as of ${made.takenAt}.`)
  print(
    'SESSION_SECRET is not in it. Store it elsewhere: without it, emailed links and second factors of this backup are lost.',
  )
  if (keep !== undefined) {
    const deleted = await untilInterrupted('the backup is complete', async () =>
      removeOldBackups(named, made.series, keep, path.basename(target)),
    )
    for (const name of deleted) print(`Deleted: ${path.join(named, name)}`)
  }
  if (made.problems.length > 0) {
    for (const problem of made.problems) tell(`sortie: ${problem}`)
    process.exitCode = 1
  }
}

const parseKeep = ({ keep }: CommandLine): number | undefined => {
  if (keep === undefined) return undefined
  if (!/^[1-9]\d*$/.test(keep) || Number(keep) > MAX_KEPT)
    throw new UsageError(`--keep needs the number of backups to keep, from 1 to ${MAX_KEPT}`)
  return Number(keep)
}

const withRunningDatabase = async <T>(
  config: Config,
  work: (settings: ConnectionSettings) => Promise<T>,
): Promise<T> => {
  if (config.DATABASE_URL) return work({ connectionString: config.DATABASE_URL })
  if (!existsSync(path.join(config.DATA_DIR, 'postgres')))
    throw new ConfigurationError([`DATA_DIR: ${config.DATA_DIR} holds no database`])
  const embedded = await startEmbedded(config.DATA_DIR, ownLog(), { ...embeddedLimits(config), mayPrepare: false })
  try {
    return await work(embedded.settings)
  } finally {
    await embedded.stop()
  }
}

const portable = async (
  settings: ConnectionSettings,
  storage: Storage,
  target: string,
  signal: AbortSignal,
): Promise<MadeBackup> => {
  const options = { settings, storage, target, report: reporter('copied'), signal }
  const contents = await namingSettings(() => makePortableBackup(options))
  const { tables, files, takenAt, series } = contents
  const rows = tables.reduce((sum, { lines }) => sum + lines, 0)
  const bytes = sizeOf(contents)
  const lost = files.missing + files.damaged
  return {
    takenAt,
    bytes,
    series,
    summary: `${tables.length} tables with ${rows} rows, ${files.lines} files, ${megabytes(bytes)}`,
    problems:
      lost === 0
        ? []
        : [
            `the backup is complete, but ${storage.setting} is not: of the files that the database names ${files.missing} are missing and ${files.damaged} damaged; ${target}/files.jsonl.gz marks them with "problem"`,
          ],
  }
}

/** A copy of the embedded database's own directory. */
const ofDirectory = async (
  settings: ConnectionSettings,
  storage: Storage,
  target: string,
  signal: AbortSignal,
): Promise<MadeBackup> => {
  if ('connectionString' in settings) throw new Error('a database of the operator has no directory')
  const readFacts = () =>
    withSession(settings, 'sortie-backup', signal, async (client) => {
      const schema = (await listAppliedMigrations(client)).at(-1)?.version ?? 0
      return { sortie: VERSION, schema, series: await readSeries(client), name: path.basename(path.resolve(target)) }
    })
  const options = { settings, files: storage.name, target, facts: readFacts, report: reporter('copied'), signal }
  const { files, finishedAt, facts } = await namingSettings(() => makeBackup(options))
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  return {
    takenAt: finishedAt,
    bytes,
    series: String(facts['series']),
    summary: `${files.length} files, ${megabytes(bytes)}`,
    problems: [],
  }
}

/** For the metric and the instance page. A failure here does not invalidate the backup. */
const recordBackup = async (settings: ConnectionSettings, { takenAt, bytes }: MadeBackup): Promise<void> => {
  const database = openDatabase(settings, () => undefined)
  try {
    await writeLastBackup(database.db, { taken_at: takenAt, bytes })
  } catch (error) {
    tell(
      `the age of this backup will not be shown, since it could not be noted in the database: ${(error as Error).message}`,
    )
  } finally {
    await database.close()
  }
}

const ownLog = () => createLogger('warn', { write: (line) => void process.stderr.write(line) })
