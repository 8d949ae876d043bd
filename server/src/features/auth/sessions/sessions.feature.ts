import { isoTime } from '../../../platform/clock.ts'
import type { Feature } from '../../../platform/feature.ts'
import { deleteEndedSessions } from './sessions.queries.ts'
import { sessionRoutes } from './sessions.routes.ts'
import { SESSION_IDLE_MS } from './sessions.service.ts'

export const sessions: Feature = {
  name: 'sessions',
  routes: () => sessionRoutes,
  cleanUp: ({ db, clock }) => deleteEndedSessions(db, isoTime(clock.now()), isoTime(clock.now() - SESSION_IDLE_MS)),
}
