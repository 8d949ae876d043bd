import { cleanStorage } from '../../features/files/storage/cleaning.service.ts'
import { copyStorage, finishMove } from '../../features/files/storage/move-storage.service.ts'
import { compareBinding, rebind } from '../../features/files/storage/rebind.service.ts'
import { Wrong } from '../../platform/config/config-values.ts'
import { storageUrl } from '../../platform/config/storage-url.ts'
import { ApiError, ConfigurationError } from '../../platform/errors.ts'
import { storageAt } from '../../platform/files/open-storage.ts'
import { megabytes, reporter } from '../backup/progress.ts'
import { type Command, exactly, OPERATOR, print, tell, UsageError } from '../command-line.ts'
import { withPlatform } from '../operator-platform.ts'

/** Reports how the database and its files fit; with --confirm it joins them. */
export const bindStorage: Command = async ({ operands, confirm }) => {
  exactly(operands, 0)
  await withPlatform(async (platform) => {
    const root = platform.storage.name
    const { isBound, known, lookedFor, found, strange } = await compareBinding(platform)
    if (isBound) return print(`${root} belongs to this database.`)
    print(`The database knows ${known} files; ${found} of ${lookedFor} that were looked for are in ${root}.`)
    if (strange > 0)
      print(
        `${strange === 1_000 ? '1,000 or more' : strange} files there belong to organizations that the database does not know.`,
      )
    if (!confirm)
      return print(
        'Nothing was changed. To bind them anyway, run this again with --confirm; the instance starts in safe mode then.',
      )
    await rebind(platform, OPERATOR)
    print(
      `${root} belongs to this database now. The instance is in safe mode: end that with "npm run operator -- go-live".`,
    )
  })
}

/** Reports which files have no row; with --confirm it quarantines them, however many they are. */
export const cleanFiles: Command = async ({ operands, confirm }) => {
  exactly(operands, 0)
  await withPlatform(async (platform) => {
    if (confirm) await platform.safeMode.requireLive()
    const { files, expected, unknown, examples, isStopped } = await cleanStorage(platform, confirm ? 'all' : 'nothing')
    const root = platform.storage.name
    print(`${root} holds ${files} files. Without a row for 24 hours:`)
    print(`  ${expected} that were deleted, or never received whole`)
    print(`  ${unknown} that this database never knew${unknown > 0 ? ', such as' : ''}`)
    for (const example of examples) print(`    ${example}`)
    if (confirm) print(`${expected + unknown} files were moved to ${root}/.quarantine, and are deleted in 7 days.`)
    else if (isStopped)
      print(
        'The hourly cleaning leaves those that this database never knew, since there are too many. To move them anyway, run this again with --confirm.',
      )
    else print('The hourly cleaning moves them to quarantine.')
  })
}

const EXAMPLES = 5

/** Copies the files to another storage; the last call, without a server, binds the database to it. */
export const moveStorage: Command = async ({ operands, to, confirm }) => {
  exactly(operands, 0)
  const url = parseTo(to)
  await withPlatform(async (platform) => {
    const { config, storage: from } = platform
    const target = await storageAt(url, config)
    const trouble = await target.probe(true)
    if (trouble !== undefined) throw new ConfigurationError([trouble])
    const { files, bytes, copied, missing, damaged } = await copyStorage(platform, target, reporter('copied'))
    print(`${files} files, ${megabytes(bytes)}: ${copied} were copied to ${target.name}, the others were there.`)
    const lost = [...missing.map((id) => `missing: ${id}`), ...damaged.map((id) => `damaged: ${id}`)]
    for (const line of lost.slice(0, EXAMPLES)) tell(line)
    if (lost.length > 0) {
      tell(`sortie: ${from.name} lacks ${missing.length} of the files, and ${damaged.length} are damaged there.`)
      if (!confirm) {
        tell('Nothing else was changed. To move without those files, run this again with --confirm.')
        process.exitCode = 1
        return
      }
    }
    try {
      await finishMove(platform, target, OPERATOR)
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'CONFLICT')) throw error
      print(`A server used the files less than two minutes ago. Stop it, wait for two minutes, and run this again.`)
      process.exitCode = 1
      return
    }
    print(
      `All files are in ${target.name}, and their SHA-256 was compared. The server no longer starts with the former place.`,
    )
    print(`Set STORAGE_URL=${url} and start the server. Then ${from.name} can be deleted.`)
  })
}

/** @throws UsageError */
const parseTo = (to: string | undefined): string => {
  if (to === undefined) throw new UsageError('move-storage needs --to with a URL, as STORAGE_URL has it')
  try {
    return storageUrl(to)
  } catch (error) {
    if (error instanceof Wrong) throw new UsageError(`--to ${error.message}`)
    throw error
  }
}
