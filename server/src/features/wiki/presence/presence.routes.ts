import { listWikiViewers } from '@sortie/contract/wiki/wiki-content.ts'
import { isoTime } from '../../../platform/clock.ts'
import { notFound } from '../../../platform/errors.ts'
import { type Route, route } from '../../../platform/http/routes/context.ts'
import { findPageSummary } from '../pages/pages.queries.ts'
import { listViewers } from './presence.queries.ts'
import { VIEWER_LIFETIME_MS } from './presence.service.ts'

export const viewerRoutes: Route[] = [
  route(listWikiViewers, async ({ db, actor, clock, params }) => {
    if (!(await findPageSummary(db, actor.organizationId, params.pageId))) throw notFound()
    return {
      data: await listViewers(db, actor.organizationId, params.pageId, isoTime(clock.now() - VIEWER_LIFETIME_MS)),
    }
  }),
]
