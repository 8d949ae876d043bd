import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { EmbeddedPostgresError } from '../errors.ts'
import { hashFile } from '../files.ts'
import type { Report } from '../types.ts'
import type { Manifest } from './manifest.ts'

/**
 * Reads every file of a backup, and restores nothing. @throws EmbeddedPostgresError for the first that is missing or
 * damaged
 */
export const verifyBackup = async (
  backup: string,
  { files }: Manifest,
  report: Report,
  signal: AbortSignal,
): Promise<void> => {
  let bytes = 0
  for (const [index, entry] of files.entries()) {
    requireSame(backup, entry, readFile(path.join(backup, entry.path)))
    report({ bytes: (bytes += entry.bytes), files: index + 1 })
    await nextTurn()
    signal.throwIfAborted()
  }
}

const readFile = (file: string) => {
  try {
    return hashFile(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** @param read size and hash found; undefined if the file is missing. @throws EmbeddedPostgresError */
export const requireSame = (
  backup: string,
  entry: Manifest['files'][number],
  read: { bytes: number; sha256: string } | undefined,
): void => {
  const name = path.join(backup, entry.path)
  if (!read) throw new EmbeddedPostgresError('backup', `the backup is damaged: ${name} is missing`)
  if (read.bytes !== entry.bytes || read.sha256 !== entry.sha256) {
    throw new EmbeddedPostgresError('backup', `the backup is damaged: ${name} has changed since it was written`)
  }
}
