import { isoTime } from '../../../platform/clock.ts'
import type { Platform } from '../../../platform/context.ts'
import type { JobType } from '../../../platform/jobs/jobs.ts'
import { deleteSequencesBefore, failDeadSequences } from '../sequences/sequences.queries.ts'
import { deleteHandoffsBefore } from './handoffs/handoffs.queries.ts'
import { deleteRunsBefore, deleteStaleRuns, failDeadRuns } from './runs.queries.ts'

const HANDOFF_LEFT_MS = 10 * 60 * 1000

/** Every minute: stores the failure of runs whose process died, which reads already report. */
export const failDeadRunsJob: JobType<Record<string, never>> = {
  name: 'fail-dead-runs',
  options: { retryLimit: 0, expireInSeconds: 60 },
}

export const noteDeadRuns = async ({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> => {
  await failDeadRuns(db)
  await failDeadSequences(db)
  await deleteHandoffsBefore(db, isoTime(clock.now() - HANDOFF_LEFT_MS))
}

const KEPT_MS = 90 * 24 * 60 * 60 * 1000
const KEPT_OF_A_REQUEST = 1_000
const AT_ONCE = 1_000

/** Keeps runs for 90 days, and at most the newest 1,000 of a request; pinned runs stay. */
export const cleanRuns = async ({ db, clock }: Platform): Promise<void> => {
  const before = isoTime(clock.now() - KEPT_MS)
  while ((await deleteRunsBefore(db, before, AT_ONCE)) === AT_ONCE) continue
  while ((await deleteSequencesBefore(db, before, AT_ONCE)) === AT_ONCE) continue
  while ((await deleteStaleRuns(db, KEPT_OF_A_REQUEST, AT_ONCE)) === AT_ONCE) continue
}
