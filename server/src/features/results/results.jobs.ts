import { isoTime } from '../../platform/clock.ts'
import type { Worker } from '../../platform/feature.ts'
import type { JobType } from '../../platform/jobs/jobs.ts'
import { deleteUnchangedBefore } from './prune.queries.ts'

export const pruneObservationsJob: JobType<Record<string, never>> = { name: 'prune-observations', options: { retryLimit: 1, expireInSeconds: 60 * 60 } }

const UNCHANGED_KEPT_MS = 90 * 24 * 60 * 60 * 1000
const LOOKED_AT_ONCE = 5_000

/**
 * Every night: forgets sightings that changed nothing once they are 90 days old. The first of a result, each that was a
 * change, and the last stay.
 */
export const pruneObservations = async ({ db, clock }: Pick<Worker, 'db' | 'clock'>): Promise<void> => {
  const before = isoTime(clock.now() - UNCHANGED_KEPT_MS)
  for (let after: string | undefined = '0'; after !== undefined;) after = await deleteUnchangedBefore(db, before, after, LOOKED_AT_ONCE)
}
