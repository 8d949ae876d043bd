import { isoTime } from '../../../platform/clock.ts'
import type { Platform } from '../../../platform/context.ts'
import { JOB_EXPIRY_SECONDS, type JobType } from '../../../platform/jobs/jobs.ts'
import { openWorkos, workosIssuer } from '../../auth/linked-accounts/providers/workos.ts'
import { findCursor, saveCursor } from './directory.queries.ts'
import { receiveEvent } from './directory.service.ts'
import { EVENT_TYPES, readWorkosEvent } from './workos/workos-events.ts'

/** Every few minutes: reads events that the webhook missed from the provider's list. */
export const readDirectoryEventsJob: JobType<Record<string, never>> = {
  name: 'read-directory-events',
  options: { retryLimit: 2, expireInSeconds: JOB_EXPIRY_SECONDS },
}

/** How far back the first run reads: as far as the provider's list. */
const FIRST_READING_MS = 30 * 24 * 60 * 60 * 1000
const PAGE = 100
/** The next run reads the rest, so that a job ends. */
const MAX_PAGES = 20

/**
 * Continues after the last run; without WorkOS there is nothing to read. An event that already came through the webhook
 * changes nothing.
 */
export const readDirectoryEvents = async (platform: Platform): Promise<void> => {
  const { db, clock, config } = platform
  const workos = await openWorkos(config)
  if (!workos) return
  const issuer = workosIssuer(config)
  let after = (await findCursor(db, issuer))?.after_event_id ?? undefined
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const from = after === undefined ? { range_start: isoTime(clock.now() - FIRST_READING_MS) } : { after }
    // The library's own method returns other field names than the webhook, and one function reads both.
    const { data } = await workos.get<{ data: { id: string }[] }>('/events', {
      query: { events: [...EVENT_TYPES], limit: PAGE, order: 'asc', ...from },
    })
    for (const event of data.data) await receiveEvent(platform, readWorkosEvent(event))
    const last = data.data.at(-1)?.id
    if (last === undefined) return
    after = last
    await saveCursor(db, issuer, last, isoTime(clock.now()))
    if (data.data.length < PAGE) return
  }
}
