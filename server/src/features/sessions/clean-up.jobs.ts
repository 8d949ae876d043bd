import { isoTime } from '../../platform/clock.ts'
import type { Platform } from '../../platform/http/context.ts'
import { JOB_EXPIRY_SECONDS, type JobType } from '../../platform/jobs/jobs.ts'
import { deleteStaleAttempts } from '../attempts/attempts.service.ts'
import { deleteEndedSessions } from './sessions.queries.ts'
import { SESSION_IDLE_MS } from './sessions.service.ts'

/** Once an hour: removes sessions that ended by time and counters of attempts that no longer matter. */
export const cleanUpJob: JobType<Record<string, never>> = {
  name: 'clean-up',
  options: { retryLimit: 2, expireInSeconds: JOB_EXPIRY_SECONDS },
}

export const cleanUp = async ({ db, clock }: Platform): Promise<void> => {
  const now = clock.now()
  await deleteEndedSessions(db, isoTime(now), isoTime(now - SESSION_IDLE_MS))
  await deleteStaleAttempts(db, clock)
}
