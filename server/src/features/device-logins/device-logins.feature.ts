import { isoTime } from '../../platform/clock.ts'
import type { Platform } from '../../platform/context.ts'
import type { Feature } from '../../platform/feature.ts'
import { deleteEndedAuthorizations } from './device-logins.queries.ts'
import { deviceLoginRoutes } from './device-logins.routes.ts'

/** A used code is remembered for this long: using it again ends its key. */
const KEPT_MS = 24 * 60 * 60 * 1000

export const deviceLogins: Feature<{ platform: Platform }> = {
  name: 'device-logins',
  routes: deviceLoginRoutes,
  cleanUp: ({ db, clock }) => deleteEndedAuthorizations(db, isoTime(clock.now() - KEPT_MS)),
}
