import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { syncAll } from '@sortie/embedded-postgres/files.ts'
import { ConfigurationError } from '../../platform/errors.ts'

/** Lies in the storage while a restore fills it: what is in there belongs to the restore that the token names. */
export const STORAGE_MARK = 'restore.unfinished'
/** In a storage that counts as empty: what every file system has that is mounted there, and a mark with nothing beside it. */
const IGNORED = ['lost+found', STORAGE_MARK]

/**
 * Takes an empty storage for a restore, or finds it taken by the same one earlier.
 *
 * @throws ConfigurationError for one that holds anything else
 */
export const takeStorage = async (storage: string, token: string): Promise<void> => {
  mkdirSync(storage, { recursive: true, mode: 0o700 })
  if (readMark(storage) === token) return
  requireEmptyStorage(storage)
  const mark = path.join(storage, STORAGE_MARK)
  // Of a restore that was killed before it began.
  rmSync(mark, { force: true })
  writeFileSync(mark, token, { flag: 'wx', mode: 0o600 })
  await syncAll([mark], [storage])
}

/** Does nothing where another restore has taken it since. */
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
