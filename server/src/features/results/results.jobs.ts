import { isoTime } from '../../platform/clock.ts'
import type { Worker } from '../../platform/feature.ts'
import type { JobType } from '../../platform/jobs/jobs.ts'
import { deleteUnchangedBefore } from './prune.queries.ts'

export const pruneObservationsJob: JobType<Record<string, never>> = {
  name: 'prune-observations',
  options: { retryLimit: 1, expireInSeconds: 60 * 60 },
}

const UNCHANGED_KEPT_MS = 90 * 24 * 60 * 60 * 1000
const BATCH_SIZE = 5_000

/**
 * Nightly: deletes unchanged observations older than 90 days, except the first and last of a result and every change.
 */
export const pruneObservations = async ({ db, clock }: Pick<Worker, 'db' | 'clock'>): Promise<void> => {
  const before = isoTime(clock.now() - UNCHANGED_KEPT_MS)
  for (let after: string | undefined = '0'; after !== undefined;)
    after = await deleteUnchangedBefore(db, before, after, BATCH_SIZE)
}
