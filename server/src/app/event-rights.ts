import { watchedKeys } from '../features/api-keys/watched-keys.ts'
import { watchedSessions } from '../features/auth/sessions/watched-sessions.ts'
import { findRightsOf } from '../features/events/watchers.ts'
import type { Clock } from '../platform/clock.ts'
import type { PreparedReader } from '../platform/database/connection/prepared.ts'

/** What sessions and keys that listen to events may see now. */
export const eventRights = (prepared: PreparedReader, clock: Clock) =>
  findRightsOf({ session: watchedSessions(prepared, clock), key: watchedKeys(prepared, clock) })
