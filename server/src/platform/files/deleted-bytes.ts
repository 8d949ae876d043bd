import { sql } from 'kysely'
import type { Platform } from '../context.ts'
import type { Database } from '../database/connection/open.ts'
import { isId } from '../ids.ts'
import { isOwnStorage } from './binding.ts'

type Remover = Pick<Platform, 'storage' | 'db' | 'safeMode' | 'log'>

const AT_ONCE = 500

/**
 * Removes the bytes of files whose rows were deleted. Every deletion of a row leaves a note in the same transaction,
 * whatever deletes it, and the note stays until the bytes are gone: after a crash the next call goes on. In safe mode,
 * and from a directory that is not the database's, nothing is removed, since the original may be using it.
 *
 * @param organizationId only of this one; of all where it is left out
 * @throws the reason of `signal`, between two groups of files
 */
export const removeDeletedBytes = async (
  remover: Remover,
  signal: AbortSignal,
  organizationId?: string,
): Promise<void> => {
  const { storage, db, safeMode, log } = remover
  let after = ''
  for (let found = AT_ONCE; found === AT_ONCE;) {
    signal.throwIfAborted()
    const deleted = await listDeletedWithBytes(db, after, AT_ONCE, organizationId)
    found = deleted.length
    if (found === 0 || !(await safeMode.isLive()) || !(await isOwnStorage(remover))) return
    after = deleted.at(-1)?.id ?? after
    const named = await listNamed(
      db,
      deleted.map(({ id }) => id),
    )
    const removed: string[] = []
    for (const { id, directory } of deleted) {
      // A row names it again after the restore of an older state. Paths are made of ids only.
      if (named.has(id) || !isId('org', directory ?? '') || !isId('fil', id)) continue
      try {
        await storage.discard({ organizationId: directory as string, fileId: id })
        removed.push(id)
      } catch (error) {
        log.warn({ err: error, file: id }, 'the bytes of a deleted file could not be removed yet: retrying')
      }
    }
    if (removed.length > 0) await noteBytesRemoved(db, removed)
  }
}

/**
 * Of files whose bytes may still be on the disk, those after an id, in the order of ids. Of all organizations, or of
 * one.
 */
const listDeletedWithBytes = (db: Database, after: string, limit: number, organizationId?: string) =>
  db
    .selectFrom('deleted_files')
    .select(['id', 'directory'])
    .where('has_bytes', '=', true)
    .where('id', '>', after)
    .$if(organizationId !== undefined, (query) => query.where('directory', '=', organizationId as string))
    .orderBy('id')
    .limit(limit)
    .execute()

/** Those of these ids that a row names. */
const listNamed = async (db: Database, ids: readonly string[]): Promise<Set<string>> => {
  const rows = await db.selectFrom('files').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Their bytes are gone. */
const noteBytesRemoved = async (db: Database, ids: readonly string[]): Promise<void> => {
  await db
    .updateTable('deleted_files')
    .set({ has_bytes: false })
    .where(sql<boolean>`id = any(${ids})`)
    .execute()
}
