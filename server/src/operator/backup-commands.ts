import { existsSync } from 'node:fs'
import path from 'node:path'
import { makeBackup } from '@sortie/embedded-postgres/backup.ts'
import { type Manifest, readManifest } from '@sortie/embedded-postgres/manifest.ts'
import { restoreBackup } from '@sortie/embedded-postgres/restore.ts'
import type { SocketSettings } from '@sortie/embedded-postgres/types.ts'
import { currentUser } from '@sortie/embedded-postgres/users.ts'
import pg from 'pg'
import { type Ended, settleRestored } from '../features/instance/restored.service.ts'
import { type Config, readConfig } from '../platform/config.ts'
import { EMBEDDED_NAME, namingSettings, startEmbedded } from '../platform/database/embedded.ts'
import { readMigrations } from '../platform/database/migrate.ts'
import { ConfigurationError } from '../platform/errors.ts'
import { createLogger } from '../platform/log.ts'
import { VERSION } from '../platform/version.ts'
import { type Command, exactly, OPERATOR, print, tell, UsageError } from './command-line.ts'
import { withPlatform } from './operator-platform.ts'

const PROGRESS_INTERVAL_MS = 5_000
const INTERRUPTS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** What a file system refuses, and what that means here. */
const FILE_SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  ENOSPC: 'there is no room',
  EDQUOT: 'there is no room',
  EACCES: `user ${currentUser()} may not do that`,
  EPERM: `user ${currentUser()} may not do that`,
  EROFS: 'this file system cannot be written to',
}

export const backup: Command = async ({ operands }) => {
  const [target] = exactly(operands, 1)
  const config = readConfig()
  requireEmbedded(config, 'pg_dump')
  if (!existsSync(path.join(config.DATA_DIR, 'postgres'))) throw new ConfigurationError([`DATA_DIR: ${config.DATA_DIR} holds no database`])
  await untilInterrupted(async (signal) => {
    const embedded = await startEmbedded(config.DATA_DIR, ownLog())
    try {
      const { settings } = embedded
      const facts = async () => ({ sortie: VERSION, schema: await readSchemaVersion(settings) })
      const options = { settings, files: config.STORAGE_PATH, target, facts, report: reporter('copied'), signal }
      const { files, finishedAt } = await namingSettings(() => makeBackup(options))
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
      print(`${target}: ${files.length} files, ${megabytes(bytes)}; the database as of ${finishedAt}.`)
      print('SESSION_SECRET is not in it. Keep that in another place: without it mailed links and second factors of this backup are lost.')
    } finally {
      await embedded.stop()
    }
  })
}

export const restore: Command = async ({ operands, rekey, keepKeys }) => {
  if (rekey === keepKeys) {
    throw new UsageError('choose: --rekey ends all API keys, sessions and mailed links, --keep-keys lets those work that were withdrawn since the backup')
  }
  const [source] = exactly(operands, 1)
  const config = readConfig()
  requireEmbedded(config, 'pg_restore')
  const manifest = await namingSettings(() => readManifest(source))
  requireKnownSchema(source, manifest)
  const { DATA_DIR: directory, STORAGE_PATH: files } = config
  let ended: Ended | undefined
  const settle = () =>
    withPlatform(async (opened) => {
      ended = await settleRestored(opened, OPERATOR, { rekey })
    }, 'embedded')
  await untilInterrupted((signal) => {
    const options = { backup: source, manifest, directory, files, name: EMBEDDED_NAME, report: reporter('copied'), signal, log: ownLog() }
    return namingSettings(() => restoreBackup(options, settle))
  })
  print(`${directory} holds the database as of ${manifest.finishedAt}, made by Sortie ${manifest.facts.sortie}.`)
  describe(ended as Ended, rekey)
}

export const rekeyCommand: Command = async ({ operands, rekey, keepKeys }) => {
  exactly(operands, 0)
  if (rekey) throw new UsageError('rekey is the command itself here')
  await withPlatform(async (opened) => describe(await settleRestored(opened, OPERATOR, { rekey: !keepKeys }), !keepKeys), 'any')
}

const describe = (ended: Ended, rekey: boolean): void => {
  if (rekey) {
    print(
      `Ended: ${ended.apiKeys} API keys, ${ended.sessions} sessions, ${ended.devices} remembered devices, ${ended.invitations} invitations, ${ended.passwordLinks} links for a new password.`,
    )
    print('Everybody signs in anew; keys are made anew, open invitations are sent anew.')
  } else {
    print('API keys, sessions and mailed links were kept: those that were deleted, ended or used since then WORK AGAIN.')
  }
  print('Passwords, memberships, roles and second factors are those of then: take back what was changed since for a reason.')
  if (ended.mails > 0) print(`${ended.mails} mails waited then and are held: under Instance, Mails, each can be sent again.`)
}

/** Newest migration that the database has. */
const readSchemaVersion = async (settings: SocketSettings): Promise<number> => {
  const client = new pg.Client({ ...settings, application_name: 'sortie-backup' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<{ known: boolean }>(`select to_regclass('schema_migrations') is not null as known`)
    const newest = rows[0]?.known ? await client.query<{ version: number }>('select coalesce(max(version), 0) as version from schema_migrations') : undefined
    return newest?.rows[0]?.version ?? 0
  } finally {
    await client.end()
  }
}

/** @throws ConfigurationError for a backup of a newer build */
const requireKnownSchema = (backup: string, { facts: { schema, sortie } }: Manifest): void => {
  const newest = readMigrations().at(-1)?.version ?? 0
  if (Number(schema) > newest) {
    throw new ConfigurationError([
      `${backup} has schema version ${schema}, this build knows versions up to ${newest}: restore it with Sortie ${sortie} or newer`,
    ])
  }
}

const requireEmbedded = (config: Config, tool: string): void => {
  if (config.DATABASE_URL) {
    throw new ConfigurationError([
      `DATABASE_URL: this command is for the embedded database; with a Postgres of your own use ${tool}, see "Backup and restore" in docs/operating.md`,
    ])
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
const ownLog = () => createLogger('warn', { write: (line) => void process.stderr.write(line) })

/** Sentences at once, figures every few seconds. */
const reporter = (verb: string) => {
  let next = performance.now() + PROGRESS_INTERVAL_MS
  return (progress: { bytes: number; files: number } | string): void => {
    if (typeof progress === 'string') tell(progress)
    else if (performance.now() >= next) {
      next = performance.now() + PROGRESS_INTERVAL_MS
      tell(`${verb} ${megabytes(progress.bytes)} in ${progress.files} files`)
    }
  }
}

/** The first signal lets `work` clean up; a second one ends the process. */
const untilInterrupted = async (work: (signal: AbortSignal) => Promise<void>): Promise<void> => {
  const controller = new AbortController()
  const interrupt = () => controller.abort(new ConfigurationError(['interrupted; what was begun has been removed']))
  for (const signal of INTERRUPTS) process.once(signal, interrupt)
  try {
    await work(controller.signal)
  } catch (error) {
    const meaning = FILE_SYSTEM_ERRORS[(error as NodeJS.ErrnoException).code ?? '']
    throw meaning ? new ConfigurationError([`${meaning}: ${(error as Error).message}`]) : error
  } finally {
    for (const signal of INTERRUPTS) process.off(signal, interrupt)
  }
}
