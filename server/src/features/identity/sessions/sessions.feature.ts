import { isoTime } from '../../../platform/clock.ts'
import type { Feature } from '../../../platform/feature.ts'
import { deleteStaleDevices } from './devices.queries.ts'
import { DEVICE_LIFETIME_MS } from './devices.service.ts'
import { deleteEndedSessions } from './sessions.queries.ts'
import { type SessionParts, sessionRoutes } from './sessions.routes.ts'
import { SESSION_IDLE_MS } from './sessions.service.ts'
import { deleteEndedTickets } from './tickets.queries.ts'

export const sessions: Feature<SessionParts> = {
  name: 'sessions',
  routes: sessionRoutes,
  cleanUp: async ({ db, clock }) => {
    const now = clock.now()
    await deleteEndedSessions(db, isoTime(now), isoTime(now - SESSION_IDLE_MS))
    await deleteEndedTickets(db, isoTime(now))
    await deleteStaleDevices(db, isoTime(now - DEVICE_LIFETIME_MS))
  },
}
