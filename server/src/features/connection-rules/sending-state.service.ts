import type { SendingState } from '@sortie/contract/engagement/scope-rules.ts'
import type { Static } from 'typebox'
import type { Database } from '../../platform/database/connection/open.ts'
import { notFound } from '../../platform/errors.ts'
import { findDetails } from '../engagements/details/details.queries.ts'
import { nextTestingWindow } from '../engagements/details/testing-hours.ts'
import { readSendingTimes } from './testing-dates.ts'

/**
 * Whether something may be sent in an engagement now, for programs that ask before they send.
 *
 * @throws ApiError NOT_FOUND for an engagement that is hidden from the caller
 */
export const readSendingState = async (
  db: Database,
  organizationId: string,
  engagementId: string,
  now: number,
): Promise<Static<typeof SendingState>> => {
  const details = await findDetails(db, organizationId, engagementId)
  if (!details) throw notFound()
  const { status } = details
  const { isActive, outsideHours } = await readSendingTimes(db, organizationId, engagementId, details, now, undefined)
  if (!isActive)
    return { status, open: false, reason: `The engagement is ${status}: nothing is sent in it.`, nextWindow: null }
  if (outsideHours === null) return { status, open: true, reason: null, nextWindow: null }
  const next = nextTestingWindow(details, now)
  return {
    status,
    open: false,
    reason: outsideHours,
    nextWindow: next ? { day: next.day, time: next.time, timeZone: next.timeZone } : null,
  }
}
