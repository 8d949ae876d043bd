import { cleanStorage } from '../../features/files/storage/cleaning.service.ts'
import { compareBinding, rebind } from '../../features/files/storage/rebind.service.ts'
import { type Command, exactly, OPERATOR, print } from '../command-line.ts'
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
