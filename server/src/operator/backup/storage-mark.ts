import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { syncAll } from '@sortie/embedded-postgres/files.ts'
import { ConfigurationError } from '../../platform/errors.ts'

/** Exists in the storage while a restore fills it: the contents belong to the restore that the token names. */
export const STORAGE_MARK = 'restore.unfinished'
/**
 * Ignored when a storage is checked to be empty: the directory that every mounted file system has, and a mark without other
 * files.
 */
const IGNORED = ['lost+found', STORAGE_MARK]

/**
 * Claims an empty storage for a restore, or finds it claimed by the same restore earlier.
 *
 * @throws ConfigurationError for one with other content
 */
export const takeStorage = async (storage: string, token: string): Promise<void> => {
  mkdirSync(storage, { recursive: true, mode: 0o700 })
  if (readMark(storage) === token) return
  requireEmptyStorage(storage)
  const mark = path.join(storage, STORAGE_MARK)
  // Left by a restore that was killed before it started.
  rmSync(mark, { force: true })
  writeFileSync(mark, token, { flag: 'wx', mode: 0o600 })
  await syncAll([mark], [storage])
}

/** Does nothing if another restore has claimed it since. */
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
  if (found !== undefined) throw new ConfigurationError([`STORAGE_PATH: ${storage} is not empty, it holds ${found}; a restore needs an empty directory`])
}
