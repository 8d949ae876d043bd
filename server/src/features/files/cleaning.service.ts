import { isoTime } from '../../platform/clock.ts'
import { isOwnStorage, noteLeftFiles } from '../../platform/files/binding.ts'
import { emptyQuarantine, isOlder, putBack, quarantine, quarantinedFiles, type StoredFile, storedFiles } from '../../platform/files/stored-files.ts'
import type { Platform } from '../../platform/http/context.ts'
import { deleteDeletedBefore, listDeletedIds, listNamedIds } from './files.queries.ts'

/** No upload takes this long, so nothing that is still being stored is taken. */
const UNCLAIMED_AFTER_MS = 24 * 60 * 60 * 1000
/** Of a file that was deleted so long ago the bytes have been taken: the cleaning has looked at it by then. */
const REMEMBERED_MS = 2 * UNCLAIMED_AFTER_MS
const QUARANTINE_MS = 7 * 24 * 60 * 60 * 1000
const AT_ONCE = 1_000
/** More files that this database never knew are left where they are: then it may be the wrong one, or an older state. */
const MOST = 100
/** Also more than this share of all, unless there are so few that crashes alone can have left them. */
const LARGEST_SHARE = 0.05
const FEW = 10
const EXAMPLES = 5

export interface Cleaned {
  /** All files of the directory. */
  files: number
  /** Taken away: rows of this database were deleted, or they were never received whole. */
  expected: number
  /** Those that this database never knew. */
  unknown: number
  /** Where some of those lie. */
  examples: readonly string[]
  /** Whether the unknown ones were left, since there are too many. */
  isStopped: boolean
}

type Cleaner = Pick<Platform, 'config' | 'db' | 'clock' | 'log'>

/**
 * Takes away files that no row has named for 24 hours, into the quarantine, and deletes what has lain there for 7 days. Of
 * files that this database never knew, more than a hundred, or than 5 % of all (and than ten), are left where they are.
 *
 * @param takes 'nothing' only counts; 'all' takes the unknown ones, too, however many there are
 * @throws Error where STORAGE_PATH is not the directory of this database
 */
export const cleanStorage = async (cleaner: Cleaner, takes: 'nothing' | 'few' | 'all'): Promise<Cleaned> => {
  const { config, db, clock } = cleaner
  const { STORAGE_PATH: root } = config
  const startedAt = clock.now()
  const today = isoTime(startedAt).slice(0, 10)
  const counts = { files: 0, expected: 0, unknown: 0 }
  const examples: string[] = []
  const unsure: StoredFile[] = []
  const take = async (files: readonly StoredFile[]) => {
    if (files.length > 0) await requireOwn(cleaner)
    for (const file of files) await quarantine(root, today, file)
  }
  await requireOwn(cleaner)
  for await (const files of storedFiles(root, AT_ONCE)) {
    counts.files += files.length
    const { expected, unknown } = await sortOut(cleaner, files, startedAt - UNCLAIMED_AFTER_MS)
    counts.expected += expected.length
    counts.unknown += unknown.length
    examples.push(...unknown.slice(0, EXAMPLES - examples.length).map(({ path }) => path))
    if (takes !== 'nothing') await take(expected)
    if (takes === 'all') await take(unknown)
    else if (unsure.length <= MOST) unsure.push(...unknown)
  }
  const isStopped = takes !== 'all' && isTooMuch(counts)
  if (takes === 'nothing') return { ...counts, examples, isStopped }
  if (takes === 'few' && !isStopped) await take(unsure)
  await noteLeftFiles(db, isStopped ? counts.unknown : 0)
  await keepQuarantine(cleaner, isoTime(startedAt - QUARANTINE_MS).slice(0, 10))
  await deleteDeletedBefore(db, isoTime(startedAt - REMEMBERED_MS))
  return { ...counts, examples, isStopped }
}

const isTooMuch = ({ files, unknown }: { files: number; unknown: number }): boolean => unknown > MOST || (unknown > FEW && unknown > files * LARGEST_SHARE)

const sortOut = async ({ db }: Cleaner, files: readonly StoredFile[], beforeMs: number) => {
  const ids = files.map(({ fileId }) => fileId)
  const named = await listNamedIds(db, ids)
  const deleted = await listDeletedIds(db, ids)
  const expected: StoredFile[] = []
  const unknown: StoredFile[] = []
  for (const file of files) {
    if ((!file.isPartial && named.has(file.fileId)) || !(await isOlder(file, beforeMs))) continue
    if (file.isPartial || deleted.has(file.fileId)) expected.push(file)
    else unknown.push(file)
  }
  return { expected, unknown }
}

/** Puts back what a row names again, as after the restore of an older database, and deletes what was taken before this day. */
const keepQuarantine = async (cleaner: Cleaner, before: string): Promise<void> => {
  const { config, db } = cleaner
  const { STORAGE_PATH: root } = config
  for await (const files of quarantinedFiles(root, AT_ONCE)) {
    const named = await listNamedIds(
      db,
      files.map(({ fileId }) => fileId),
    )
    for (const file of files) if (!file.isPartial && named.has(file.fileId)) await putBack(root, file)
  }
  await requireOwn(cleaner)
  await emptyQuarantine(root, before)
}

const requireOwn = async (cleaner: Cleaner): Promise<void> => {
  if (!(await isOwnStorage(cleaner))) {
    throw new Error(`${cleaner.config.STORAGE_PATH} is not the directory of this database: nothing is removed from it`)
  }
}
