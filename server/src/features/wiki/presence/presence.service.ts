import { isoTime } from '../../../platform/clock.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { notFound } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import type { PageViewers, Viewing } from '../../../platform/events/event-access.ts'
import type { Platform } from '../../../platform/http/routes/context.ts'
import { newId } from '../../../platform/ids.ts'
import { findPageSummary } from '../pages/pages.queries.ts'
import { deleteViewer, insertViewer, renewViewers } from './presence.queries.ts'

const RENEW_INTERVAL_MS = 10_000
/** A stream that was not renewed for this long ended with its process. */
export const VIEWER_LIFETIME_MS = 3 * RENEW_INTERVAL_MS

type Needed = Pick<Platform, 'clock' | 'db' | 'log' | 'scopedTo'>

/** Tracks who has which page open, across all processes: a row per stream, renewed while the stream is open. */
export const createPageViewers = (platform: Needed): PageViewers => {
  const open = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const renew = () => {
    if (open.size === 0) {
      clearInterval(timer)
      timer = undefined
      return
    }
    renewViewers(platform.db, [...open], isoTime(platform.clock.now())).catch((error: unknown) => warn(platform, error))
  }
  return {
    requirePage: async (db, { organizationId, pageId }) => {
      if (!(await findPageSummary(db, organizationId, pageId))) throw notFound()
    },
    begin: (viewing) => {
      const id = newId('vwr')
      open.add(id)
      timer ??= setInterval(renew, RENEW_INTERVAL_MS).unref()
      const begun = tell(platform, viewing, id, 'begins')
      return () => {
        open.delete(id)
        void begun.then(() => tell(platform, viewing, id, 'ends'))
      }
    },
  }
}

/**
 * Records the start or the end of a stream, so that other viewers reload the list. No caller waits for it: after a failure the
 * list is updated a little later, or not at all.
 */
const tell = async (
  platform: Needed,
  { organizationId, userId, pageId }: Viewing,
  id: string,
  how: 'begins' | 'ends',
): Promise<void> => {
  try {
    await transaction(platform.scopedTo(organizationId), async (tx) => {
      const page = await findPageSummary(tx, organizationId, pageId)
      if (!page) return
      const row = {
        id,
        organization_id: organizationId,
        engagement_id: page.engagement_id,
        page_id: pageId,
        user_id: userId,
      }
      if (how === 'begins') await insertViewer(tx, { ...row, seen_at: isoTime(platform.clock.now()) })
      else await deleteViewer(tx, organizationId, id)
      await announce(tx, { type: 'page', engagementId: page.engagement_id, ids: [pageId], change: 'updated' })
    })
  } catch (error) {
    warn(platform, error)
  }
}

const warn = ({ log }: Needed, error: unknown): void => log.warn({ err: error }, 'presence could not be recorded')
