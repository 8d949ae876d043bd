import { isoTime } from '../../../platform/clock.ts'
import type { Platform } from '../../../platform/http/context.ts'
import { JOB_EXPIRY_SECONDS, type JobType } from '../../../platform/jobs/jobs.ts'
import { deleteStaleAttempts } from '../attempts/attempts.service.ts'
import { forgetEndedPasswordResets } from '../password-resets/links.service.ts'
import { forgetEndedChallenges } from '../second-factor/proof.service.ts'
import { deleteStaleDevices } from './devices.queries.ts'
import { DEVICE_LIFETIME_MS } from './devices.service.ts'
import { deleteEndedSessions } from './sessions.queries.ts'
import { SESSION_IDLE_MS } from './sessions.service.ts'
import { deleteEndedTickets } from './tickets.queries.ts'

/** Once an hour: removes sessions, tickets and links that ended by time, and what no longer matters of attempts and devices. */
export const cleanUpJob: JobType<Record<string, never>> = {
  name: 'clean-up',
  options: { retryLimit: 2, expireInSeconds: JOB_EXPIRY_SECONDS },
}

export const cleanUp = async ({ db, clock }: Platform): Promise<void> => {
  const now = clock.now()
  await deleteEndedSessions(db, isoTime(now), isoTime(now - SESSION_IDLE_MS))
  await deleteEndedTickets(db, isoTime(now))
  await forgetEndedChallenges(db, clock)
  await forgetEndedPasswordResets(db, clock)
  await deleteStaleDevices(db, isoTime(now - DEVICE_LIFETIME_MS))
  await deleteStaleAttempts(db, clock)
}
