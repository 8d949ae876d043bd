import { existsSync } from 'node:fs'
import path from 'node:path'
import { EmbeddedPostgresError } from '../errors.ts'

/** Exists in the directory from the start of a restore until all its steps are complete. */
export const RESTORE_MARK = 'restore.unfinished'

/**
 * Keeps servers off a directory with an incomplete restore: the last step decides what happens to its keys and
 * sessions. A directory that was copied out of a backup by hand counts as one.
 *
 * @param cluster the Postgres directory in it
 * @throws EmbeddedPostgresError
 */
export const requireNoRestore = (directory: string, cluster: string): void => {
  if (existsSync(path.join(directory, RESTORE_MARK))) {
    throw new EmbeddedPostgresError(
      'directory',
      `a restore into ${directory} is under way or was interrupted`,
      'restore again',
    )
  }
  // Postgres removes it from a copy that it has recovered, and a directory that was never copied has none.
  if (existsSync(path.join(cluster, 'backup_label'))) {
    throw new EmbeddedPostgresError('directory', `${cluster} was taken out of a backup by hand`, 'restore it')
  }
}
