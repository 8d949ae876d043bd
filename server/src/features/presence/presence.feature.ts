import { isoTime } from '../../platform/clock.ts'
import type { ProductFeature } from '../engagements/parts.ts'
import { deleteViewersBefore } from './presence.queries.ts'
import { viewerRoutes } from './presence.routes.ts'
import { VIEWER_LIFETIME_MS } from './presence.service.ts'

export const presence: ProductFeature = {
  name: 'presence',
  routes: () => viewerRoutes,
  cleanUp: ({ db, clock }) => deleteViewersBefore(db, isoTime(clock.now() - VIEWER_LIFETIME_MS)),
}
