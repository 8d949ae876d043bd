import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { syncAll } from '@sortie/embedded-postgres/files.ts'
import { ConfigurationError } from '../../platform/errors.ts'

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
export const claimStorage = async (storage: string, token: string): Promise<void> => {
  mkdirSync(storage, { recursive: true, mode: 0o700 })
  if (readMark(storage) === token) return
  requireEmptyStorage(storage)
  const mark = path.join(storage, STORAGE_MARK)
  // Left by a restore that was killed early.
  rmSync(mark, { force: true })
  writeFileSync(mark, token, { flag: 'wx', mode: 0o600 })
  await syncAll([mark], [storage])
}

/** Does nothing when another restore has taken the storage since. */
export const releaseStorage = async (storage: string, token: string): Promise<void> => {
  if (readMark(storage) !== token) return
  rmSync(path.join(storage, STORAGE_MARK))
  await syncAll([], [storage])
}

const readMark = (storage: string): string | undefined => {
  const mark = path.join(storage, STORAGE_MARK)
  return existsSync(mark) ? readFileSync(mark, 'utf8') : undefined
}

/** @throws ConfigurationError */
const requireEmptyStorage = (storage: string): void => {
  const found = existsSync(storage) ? readdirSync(storage).find((name) => !IGNORED.includes(name)) : undefined
  if (found !== undefined)
    throw new ConfigurationError([
      `STORAGE_PATH: ${storage} is not empty, it holds ${found}; a restore needs an empty directory`,
    ])
}
