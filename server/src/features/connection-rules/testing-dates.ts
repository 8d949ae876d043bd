import type { Database } from '../../platform/database/connection/open.ts'
import { outsideTestingHours } from '../engagements/details/testing-hours.ts'
import { listRunningRetests } from './retest-dates.queries.ts'

interface Times {
  status: string
  starts_on: string | null
  ends_on: string | null
  testing_hours: unknown
}

interface SendingTimes {
  /** Whether the status of the engagement allows sending. */
  isActive: boolean
  /** Why nothing may be sent now. */
  outsideHours: string | null
}

/**
 * Decides when something may be sent: in an active engagement on its dates and those of its running retests; in a
 * completed one only what a running retest sends, on its dates. The testing hours of the day always apply.
 *
 * @param retestId the retest that sends
 */
export const readSendingTimes = async (
  db: Database,
  organizationId: string,
  engagementId: string,
  times: Times,
  now: number,
  retestId: string | undefined,
): Promise<SendingTimes> => {
  const usual = outsideTestingHours(times, now)
  const isActive = times.status === 'active'
  if (isActive && usual === null) return { isActive, outsideHours: null }
  if (!isActive && (times.status !== 'completed' || retestId === undefined))
    return { isActive: false, outsideHours: usual }
  const running = await listRunningRetests(db, organizationId, engagementId)
  const counted = isActive ? running : running.filter(({ id }) => id === retestId)
  if (!isActive && counted.length === 0) return { isActive: false, outsideHours: usual }
  const reasons = counted.map(({ starts_on, ends_on }) =>
    outsideTestingHours({ starts_on, ends_on, testing_hours: times.testing_hours }, now),
  )
  return { isActive: true, outsideHours: reasons.includes(null) ? null : isActive ? usual : (reasons[0] ?? usual) }
}
