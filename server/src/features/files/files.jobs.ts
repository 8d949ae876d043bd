import type { Platform } from '../../platform/context.ts'
import type { JobType } from '../../platform/jobs/jobs.ts'
import { cleanStorage } from './storage/cleaning.service.ts'

/**
 * Every hour, but not in safe mode: a copy may share its directory with the original. It may have to examine many
 * files.
 */
export const cleanFilesJob: JobType<Record<string, never>> = {
  name: 'clean-files',
  options: { retryLimit: 2, expireInSeconds: 15 * 60 },
}

const ALARM = 'files without a row were kept, since there are too many: see "npm run operator -- clean-storage"'

export const cleanFiles = async (platform: Pick<Platform, 'storage' | 'db' | 'clock' | 'log'>): Promise<void> => {
  const { log } = platform
  const { isStopped, ...counts } = await cleanStorage(platform, 'few')
  if (isStopped) log.error(counts, ALARM)
  else if (counts.expected + counts.unknown > 0) log.info(counts, 'files without a row were moved to quarantine')
}

/** Every minute, and after a deletion that is known to leave files. */
export const removeBytesJob: JobType<Record<string, never>> = {
  name: 'remove-bytes',
  options: { retryLimit: 2, expireInSeconds: 15 * 60 },
  perProcess: 1,
}
