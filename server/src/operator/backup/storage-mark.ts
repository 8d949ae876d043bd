import { ConfigurationError } from '../../platform/errors.ts'
import type { Storage } from '../../platform/files/storage.ts'

/**
 * A file in the storage while a restore fills it. It holds the token of that restore, to which all other files there
 * belong.
 */
export const STORAGE_MARK = 'restore.unfinished'
/**
 * May be in a storage that counts as empty: a directory of the file system, and the mark of a restore that was killed
 * early.
 */
const IGNORED = ['lost+found', STORAGE_MARK]

/**
 * Marks an empty storage as taken by a restore. Does nothing when the same restore has marked it before.
 *
 * @throws ConfigurationError when the storage holds anything else
 */
export const claimStorage = async (storage: Storage, token: string): Promise<void> => {
  if ((await storage.readNote(STORAGE_MARK)) === token) return
  await requireEmptyStorage(storage)
  // Perhaps in place of one that was left by a restore that was killed early.
  await storage.writeNote(STORAGE_MARK, token)
}

/** Does nothing when another restore has taken the storage since. */
export const releaseStorage = async (storage: Storage, token: string): Promise<void> => {
  if ((await storage.readNote(STORAGE_MARK)) === token) await storage.removeNote(STORAGE_MARK)
}

/** @throws ConfigurationError */
const requireEmptyStorage = async (storage: Storage): Promise<void> => {
  const found = await storage.findAnything(IGNORED)
  if (found !== undefined)
    throw new ConfigurationError([
      `${storage.setting}: ${storage.name} is not empty, it holds ${found}; a restore needs an empty ${storage.kind === 'directory' ? 'directory' : 'prefix of a bucket'}`,
    ])
}
