import path from 'node:path'
import { readManifest } from '@sortie/embedded-postgres/backup/manifest.ts'
import { restoreBackup } from '@sortie/embedded-postgres/backup/restore.ts'
import { verifyBackup } from '@sortie/embedded-postgres/backup/verify.ts'
import { compareStorage } from '../../features/files/storage/compare-storage.ts'
import { type Ended, settleRestored } from '../../features/instance/restored.service.ts'
import { readConfig } from '../../platform/config.ts'
import { EMBEDDED_NAME, namingSettings } from '../../platform/database/connection/embedded.ts'
import { ConfigurationError } from '../../platform/errors.ts'
import { adoptStorage, rebindStorage } from '../../platform/files/binding.ts'
import { createStorage } from '../../platform/files/open-storage.ts'
import { createLogger } from '../../platform/log.ts'
import { restoreIntoDirectory, restoreIntoServer } from '../backup/load/portable-restore.ts'
import { migrationsOf, type PortableManifest, readPortable, requireKnownSchema } from '../backup/manifest.ts'
import { reporter, untilInterrupted } from '../backup/progress.ts'
import { verifyPortable } from '../backup/verify.ts'
import { type Command, exactly, OPERATOR, print, UsageError } from '../command-line.ts'
import { withPlatform } from '../operator-platform.ts'

export const restore: Command = async ({ operands, rekey, keepKeys }) => {
  if (rekey === keepKeys) {
    throw new UsageError(
      'choose: --rekey ends all API keys, sessions and mailed links, --keep-keys lets keys work that were revoked since the backup',
    )
  }
  const [source] = exactly(operands, 1)
  const manifest = await namingSettings(() => readPortable(source))
  let ended: Ended | undefined
  const complete = () =>
    withPlatform(async (opened) => {
      ended = await settleRestored(opened, OPERATOR, { rekey })
      await rebindStorage(opened)
    }, 'restore')
  const from = await (manifest ? restorePortable(source, manifest, complete) : restoreDirectory(source, complete))
  print(`${from.into} holds the database as of ${from.takenAt}, made by Sortie ${from.sortie}.`)
  if (from.missing > 0) print(`${from.missing} files were missing when the backup was made, and are missing now.`)
  describe(ended as Ended, rekey)
}

interface Restored {
  into: string
  takenAt: string
  sortie: string
  missing: number
}

const restorePortable = async (
  source: string,
  manifest: PortableManifest,
  complete: () => Promise<void>,
): Promise<Restored> => {
  const config = readConfig()
  const options = {
    backup: path.resolve(source),
    manifest,
    storage: await createStorage(config),
    report: reporter('read'),
    log: ownLog(),
    complete,
  }
  const { takenAt, sortie, files } = manifest
  if (config.DATABASE_URL) {
    const settings = { connectionString: config.DATABASE_URL }
    await untilInterrupted('run the same command again to go on', (signal) =>
      namingSettings(() => restoreIntoServer({ ...options, signal }, settings)),
    )
    return { into: 'The database of DATABASE_URL', takenAt, sortie, missing: files.missing }
  }
  await untilInterrupted('the incomplete backup was removed', (signal) =>
    namingSettings(() => restoreIntoDirectory({ ...options, signal }, config.DATA_DIR)),
  )
  return { into: config.DATA_DIR, takenAt, sortie, missing: files.missing }
}

const restoreDirectory = async (source: string, complete: () => Promise<void>): Promise<Restored> => {
  const config = readConfig()
  const { DATABASE_URL, DATA_DIR: directory } = config
  if (DATABASE_URL) {
    throw new ConfigurationError([
      `DATABASE_URL: ${source} is a copy of an embedded database's directory, which fits no other: restore it with DATABASE_URL unset, then move with "backup --portable", see "Backup and restore" in docs/operating/database/backup.md`,
    ])
  }
  const storage = await createStorage(config)
  if (storage.kind === 'bucket') {
    throw new ConfigurationError([
      `STORAGE_URL: ${source} is a copy of directories, which fits no bucket: restore it with STORAGE_URL unset, then run "npm run operator -- move-storage --to ${storage.name}...", see docs/operating/storage.md`,
    ])
  }
  const files = storage.name
  const manifest = await namingSettings(() => readManifest(source))
  requireKnownSchema(source, Number(manifest.facts['schema']), String(manifest.facts['sortie']))
  await untilInterrupted('the incomplete backup was removed', (signal) => {
    const options = {
      backup: source,
      manifest,
      directory,
      files,
      name: EMBEDDED_NAME,
      report: reporter('copied'),
      signal,
      log: ownLog(),
    }
    return namingSettings(() => restoreBackup(options, complete))
  })
  return { into: directory, takenAt: manifest.finishedAt, sortie: String(manifest.facts['sortie']), missing: 0 }
}

/** Needs no settings: it reads only the backup. */
export const verify: Command = async ({ operands }) => {
  const [source] = exactly(operands, 1)
  const portable = await namingSettings(() => readPortable(source))
  await untilInterrupted('nothing was changed', (signal) =>
    namingSettings(async () => {
      if (portable) await verifyPortable(source, portable, reporter('read'), signal)
      else await verifyBackup(source, readManifest(source), reporter('read'), signal)
    }),
  )
  if (!portable) {
    const { finishedAt, facts, files, postgres, platform } = readManifest(source)
    print(
      `${source} is whole: ${files.length} files. The database as of ${finishedAt}, made by Sortie ${facts['sortie']}.`,
    )
    print(`It restores into an embedded database of Postgres ${postgres} on ${platform}.`)
    return
  }
  const { tables, files, takenAt, sortie, postgres } = portable
  const rows = tables.reduce((sum, { lines }) => sum + lines, 0)
  print(
    `${source} is whole: ${tables.length} tables with ${rows} rows, ${files.lines} files. The database as of ${takenAt}, made by Sortie ${sortie}.`,
  )
  print(`It restores into any Postgres that Sortie runs on, embedded or not; it was made from Postgres ${postgres}.`)
  if (files.missing + files.damaged > 0) {
    print(`When it was made, ${files.missing} files were missing in the storage and ${files.damaged} damaged.`)
  }
  migrationsOf(source, portable)
}

export const rekeyCommand: Command = async ({ operands, rekey, keepKeys }) => {
  exactly(operands, 0)
  if (rekey) throw new UsageError('rekey is the command itself here')
  await withPlatform(async (opened) => {
    describe(await settleRestored(opened, OPERATOR, { rekey: !keepKeys }), !keepKeys)
    const problem = await adoptStorage(opened, compareStorage)
    if (problem !== undefined) print(`Before a server starts: ${problem}`)
  }, 'rekey')
}

const describe = (ended: Ended, rekey: boolean): void => {
  if (rekey) {
    print(
      `Ended: ${ended.apiKeys} API keys, ${ended.sessions} sessions, ${ended.devices} remembered devices, ${ended.invitations} invitations, ${ended.passwordLinks} links for a new password.`,
    )
    print('Everyone has to sign in again; create new keys and resend open invitations.')
  } else {
    print(
      'API keys, sessions and mailed links were kept: those that were deleted, ended or used since then WORK AGAIN.',
    )
  }
  print(
    'Passwords, memberships, roles and second factors are those of the backup: repeat the changes that were made since for a reason.',
  )
  print('The instance starts in safe mode: nothing leaves it until "npm run operator -- go-live".')
  if (ended.mails > 0)
    print(`${ended.mails} emails were waiting and are held: under Instance, Mail outbox, each can be sent again.`)
}

const ownLog = () => createLogger('warn', { write: (line) => void process.stderr.write(line) })
