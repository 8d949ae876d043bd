import { isOwnStorage } from '../../platform/files/binding.ts'
import { discardFile } from '../../platform/files/storage.ts'
import type { Platform } from '../../platform/http/routes/context.ts'
import { isId } from '../../platform/ids.ts'
import type { JobType } from '../../platform/jobs/jobs.ts'
import { listDeletedWithBytes, listNamedIds, noteBytesRemoved } from './files.queries.ts'

type Remover = Pick<Platform, 'config' | 'db' | 'safeMode' | 'log'>

const AT_ONCE = 500

/**
 * Removes the bytes of files whose rows were deleted. Every deletion of a row leaves a note in the same transaction, whatever
 * deletes it, and the note stays until the bytes are gone: after a crash the next call goes on. In safe mode, and from a
 * directory that is not the database's, nothing is removed, since the original may be using it.
 *
 * @param organizationId only of this one; of all where it is left out
 * @throws the reason of `signal`, between two groups of files
 */
export const removeDeletedBytes = async (remover: Remover, signal: AbortSignal, organizationId?: string): Promise<void> => {
  const { config, db, safeMode, log } = remover
  let after = ''
  for (let found = AT_ONCE; found === AT_ONCE;) {
    signal.throwIfAborted()
    const deleted = await listDeletedWithBytes(db, after, AT_ONCE, organizationId)
    found = deleted.length
    if (found === 0 || !(await safeMode.isLive()) || !(await isOwnStorage(remover))) return
    after = deleted.at(-1)?.id ?? after
    const named = await listNamedIds(
      db,
      deleted.map(({ id }) => id),
    )
    const removed: string[] = []
    for (const { id, directory } of deleted) {
      // A row names it again after the restore of an older state. Paths are made of ids only.
      if (named.has(id) || !isId('org', directory ?? '') || !isId('fil', id)) continue
      try {
        await discardFile({ root: config.STORAGE_PATH, organizationId: directory as string, fileId: id })
        removed.push(id)
      } catch (error) {
        log.warn({ err: error, file: id }, 'the bytes of a deleted file could not be removed yet: they are tried again')
      }
    }
    if (removed.length > 0) await noteBytesRemoved(db, removed)
  }
}

/** Every minute, and after a deletion that is known to leave files. */
export const removeBytesJob: JobType<Record<string, never>> = {
  name: 'remove-bytes',
  options: { retryLimit: 2, expireInSeconds: 15 * 60 },
  perProcess: 1,
}
