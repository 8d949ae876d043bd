import { oldFiles, removeAll } from '../../platform/files/unclaimed.ts'
import type { Platform } from '../../platform/http/context.ts'
import type { JobType } from '../../platform/jobs/jobs.ts'
import { listNamedIds } from './files.queries.ts'

/** Every hour: removes what crashes and broken connections left on the disk. It may have to look at many files. */
export const cleanFilesJob: JobType<Record<string, never>> = {
  name: 'clean-files',
  options: { retryLimit: 2, expireInSeconds: 15 * 60 },
}

/** No upload takes this long, so nothing that is still being stored is taken. */
const UNCLAIMED_AFTER_MS = 24 * 60 * 60 * 1000
const AT_ONCE = 1_000

/** Removes files, whole or partial, that no row has named for 24 hours. */
export const cleanFiles = async ({ config, db, clock, log }: Pick<Platform, 'config' | 'db' | 'clock' | 'log'>): Promise<void> => {
  let removed = 0
  for await (const files of oldFiles(config.STORAGE_PATH, clock.now() - UNCLAIMED_AFTER_MS, AT_ONCE)) {
    const named = await listNamedIds(
      db,
      files.map(({ fileId }) => fileId),
    )
    const unclaimed = files.filter(({ fileId, isPartial }) => isPartial || !named.has(fileId))
    await removeAll(unclaimed)
    removed += unclaimed.length
  }
  if (removed > 0) log.info({ removed }, 'files without a row were removed')
}
