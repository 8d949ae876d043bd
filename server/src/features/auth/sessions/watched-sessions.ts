import type { Clock } from '../../../platform/clock.ts'
import type { PreparedReader } from '../../../platform/database/connection/prepared.ts'
import type { Rights, RightsQuestion } from '../../../platform/events/audience.ts'
import { hasEnded, toSession } from './authenticate.ts'
import { findWatchedSessions } from './watched-sessions.queries.ts'

/**
 * Checks sessions again, as the door would, without counting it as a use: an open event stream does not extend a
 * session.
 */
export const watchedSessions =
  (prepared: PreparedReader, clock: Clock) =>
  async (questions: readonly RightsQuestion[]): Promise<(Rights | undefined)[]> => {
    const rows = await findWatchedSessions(prepared, questions)
    return questions.map(({ organizationId }, i) => {
      const row = rows[i]
      if (!row || hasEnded(row, clock.now())) return undefined
      const { actor, refusal } = toSession(row, organizationId, '')
      if (!actor || refusal !== undefined) return undefined
      return { visible: new Set(row.visible_engagements), seesAll: actor.role !== 'member' }
    })
  }
