import { existsSync } from 'node:fs'
import path from 'node:path'
import { ConfigurationError } from '../errors.ts'

/** Lies in a data directory from the first moment of a restore until everything that belongs to it has been done. */
export const RESTORE_MARK = 'restore.unfinished'

/**
 * Nobody serves a directory into which a restore was begun and not completed: whether keys and sessions of then come
 * back to life is decided by its last step. Nor one that was copied out of a backup by hand, which is the same.
 *
 * @param directory the Postgres directory
 * @throws ConfigurationError
 */
export const requireNoRestore = (dataDir: string, directory: string): void => {
  if (existsSync(path.join(dataDir, RESTORE_MARK))) {
    throw new ConfigurationError([`DATA_DIR: a restore into ${dataDir} is under way or was interrupted; run "npm run sortie -- restore" again, it begins anew`])
  }
  // Postgres removes it from a copy that it has recovered, and a directory that was never copied has none.
  if (existsSync(path.join(directory, 'backup_label'))) {
    throw new ConfigurationError([`DATA_DIR: ${directory} was taken out of a backup by hand; restore it with "npm run sortie -- restore"`])
  }
}
