import { notFound } from '../../platform/errors.ts'
import type { Route } from '../../platform/http/routes/route.ts'
import { findEngagement } from '../engagements/engagements.queries.ts'
import { requireWritable, lockWritableEngagementForShare } from '../engagements/locks.service.ts'
import { fileRoutesOf, OF_ENGAGEMENTS } from './file-routes.ts'
import type { FileHolder } from './files.service.ts'

const ofEngagements: FileHolder = {
  type: 'engagement',
  find: async (db, organizationId, id) => {
    if (!(await findEngagement(db, organizationId, id))) throw notFound()
  },
  requireWritable: async (db, organizationId, id) => requireWritable(await findEngagement(db, organizationId, id)),
  hold: async (tx, actor, id) => {
    await lockWritableEngagementForShare(tx, actor, id)
    return { engagementId: id }
  },
}

export const fileRoutes: Route[] = fileRoutesOf(OF_ENGAGEMENTS, ofEngagements, 'engagementId')
