import { existsSync } from 'node:fs'
import path from 'node:path'
import { EmbeddedPostgresError } from './errors.ts'

/** Lies in the directory from the first moment of a restore until everything that belongs to it has been done. */
export const RESTORE_MARK = 'restore.unfinished'

/**
 * Nobody serves a directory into which a restore was begun and not completed: what becomes of keys and sessions of then
 * is decided by its last step. Nor one that was copied out of a backup by hand, which is the same.
 *
 * @param cluster the Postgres directory in it
 * @throws EmbeddedPostgresError
 */
export const requireNoRestore = (directory: string, cluster: string): void => {
  if (existsSync(path.join(directory, RESTORE_MARK))) {
    throw new EmbeddedPostgresError('directory', `a restore into ${directory} is under way or was interrupted`, 'restore again')
  }
  // Postgres removes it from a copy that it has recovered, and a directory that was never copied has none.
  if (existsSync(path.join(cluster, 'backup_label'))) {
    throw new EmbeddedPostgresError('directory', `${cluster} was taken out of a backup by hand`, 'restore it')
  }
}
