import { isoTime } from '../../../platform/clock.ts'
import type { Platform } from '../../../platform/context.ts'
import { isOwnStorage, noteLeftFiles } from '../../../platform/files/binding.ts'
import type { StoredFile } from '../../../platform/files/storage.ts'
import { deleteDeletedBefore, listDeletedIds, listNamedIds } from '../files.queries.ts'

/** No upload takes this long, so files that are still being stored are safe. */
const UNCLAIMED_AFTER_MS = 24 * 60 * 60 * 1000
/** After this time the cleaning has already removed the bytes of a deleted file. */
const REMEMBERED_MS = 2 * UNCLAIMED_AFTER_MS
const QUARANTINE_MS = 7 * 24 * 60 * 60 * 1000
const AT_ONCE = 1_000
/** If more files are unknown to this database, they stay: it may be the wrong database, or an older state. */
const MOST = 100
/** Also if they exceed this share of all files, unless they are so few that crashes explain them. */
const LARGEST_SHARE = 0.05
const FEW = 10
const EXAMPLES = 5

export interface Cleaned {
  /** All files of the storage. */
  files: number
  /** Removed: their rows were deleted, or they were never received completely. */
  expected: number
  /** Files that this database never knew. */
  unknown: number
  /** Paths of some of those. */
  examples: readonly string[]
  /** True if the unknown ones were left because there are too many. */
  isStopped: boolean
}

type Cleaner = Pick<Platform, 'storage' | 'db' | 'clock' | 'log'>

/**
 * Moves files without a row for 24 hours to the quarantine, and deletes those that have been there for 7 days. Leaves
 * files that this database never knew if they are more than a hundred, or than 5 % of all (and than ten).
 *
 * @param takes 'nothing' only counts; 'all' also moves the unknown ones, however many there are
 * @throws Error if the storage does not belong to this database
 */
export const cleanStorage = async (cleaner: Cleaner, takes: 'nothing' | 'few' | 'all'): Promise<Cleaned> => {
  const { storage, db, clock } = cleaner
  const startedAt = clock.now()
  const today = isoTime(startedAt).slice(0, 10)
  const counts = { files: 0, expected: 0, unknown: 0 }
  const examples: string[] = []
  const unsure: StoredFile[] = []
  const take = async (files: readonly StoredFile[]) => {
    if (files.length > 0) await requireOwn(cleaner)
    for (const file of files) await storage.quarantine(today, file)
  }
  await requireOwn(cleaner)
  for await (const files of storage.list(AT_ONCE)) {
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
  await storage.removeUnfinished(startedAt - UNCLAIMED_AFTER_MS)
  await keepQuarantine(cleaner, isoTime(startedAt - QUARANTINE_MS).slice(0, 10))
  await deleteDeletedBefore(db, isoTime(startedAt - REMEMBERED_MS))
  return { ...counts, examples, isStopped }
}

const isTooMuch = ({ files, unknown }: { files: number; unknown: number }): boolean =>
  unknown > MOST || (unknown > FEW && unknown > files * LARGEST_SHARE)

const sortOut = async ({ db, storage }: Cleaner, files: readonly StoredFile[], beforeMs: number) => {
  const ids = files.map(({ fileId }) => fileId)
  const named = await listNamedIds(db, ids)
  const deleted = await listDeletedIds(db, ids)
  const expected: StoredFile[] = []
  const unknown: StoredFile[] = []
  for (const file of files) {
    if ((!file.isPartial && named.has(file.fileId)) || !(await storage.isOlder(file, beforeMs))) continue
    if (file.isPartial || deleted.has(file.fileId)) expected.push(file)
    else unknown.push(file)
  }
  return { expected, unknown }
}

/**
 * Restores files that have a row again, such as after the restore of an older database; deletes those moved before this
 * day.
 */
const keepQuarantine = async (cleaner: Cleaner, before: string): Promise<void> => {
  const { storage, db } = cleaner
  for await (const files of storage.quarantined(AT_ONCE)) {
    const named = await listNamedIds(
      db,
      files.map(({ fileId }) => fileId),
    )
    for (const file of files) if (!file.isPartial && named.has(file.fileId)) await storage.putBack(file)
  }
  await requireOwn(cleaner)
  await storage.emptyQuarantine(before)
}

const requireOwn = async (cleaner: Cleaner): Promise<void> => {
  if (!(await isOwnStorage(cleaner))) {
    throw new Error(`${cleaner.storage.name} does not belong to this database: nothing is removed from it`)
  }
}
