import { isoTime } from '../../platform/clock.ts'
import type { Platform } from '../../platform/context.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { notFound } from '../../platform/errors.ts'
import { announce } from '../../platform/events/announce.ts'
import type { Viewers, Viewing } from '../../platform/events/event-access.ts'
import { newId } from '../../platform/ids.ts'
import { deleteViewer, findViewed, insertViewer, renewViewers, type Viewed } from './presence.queries.ts'

const RENEW_INTERVAL_MS = 10_000
/** A stream that was not renewed for this long ended with its process. */
export const VIEWER_LIFETIME_MS = 3 * RENEW_INTERVAL_MS

const viewedOf = (id: string): Viewed => ({ type: id.startsWith('fnd_') ? 'finding' : 'page', id })

type Needed = Pick<Platform, 'clock' | 'db' | 'log' | 'scopedTo'>

/**
 * Tracks who has which page or finding open, across all processes: a row per stream, renewed while the stream is open.
 */
export const createViewers = (platform: Needed): Viewers => {
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
    requireObject: async (db, { organizationId, objectId }) => {
      if (!(await findViewed(db, organizationId, viewedOf(objectId)))) throw notFound()
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
 * Records the start or the end of a stream, so that other viewers reload the list. No caller waits for it: after a
 * failure the list is updated a little later, or not at all.
 */
const tell = async (
  platform: Needed,
  { organizationId, userId, objectId, isEditing }: Viewing,
  id: string,
  how: 'begins' | 'ends',
): Promise<void> => {
  try {
    await transaction(platform.scopedTo(organizationId), async (tx) => {
      const viewed = viewedOf(objectId)
      const found = await findViewed(tx, organizationId, viewed)
      if (!found) return
      const { engagement_id: engagementId } = found
      const row = {
        id,
        organization_id: organizationId,
        engagement_id: engagementId,
        [`${viewed.type}_id`]: objectId,
        user_id: userId,
        is_editing: isEditing,
      }
      if (how === 'begins') await insertViewer(tx, { ...row, seen_at: isoTime(platform.clock.now()) })
      else await deleteViewer(tx, organizationId, id)
      await announce(tx, { type: viewed.type, engagementId, ids: [objectId], change: 'updated' })
    })
  } catch (error) {
    warn(platform, error)
  }
}

const warn = ({ log }: Needed, error: unknown): void => log.warn({ err: error }, 'presence could not be recorded')
