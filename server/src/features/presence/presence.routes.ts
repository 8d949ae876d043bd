import { listFindingViewers } from '@sortie/contract/findings/finding-viewers.ts'
import { listWikiViewers } from '@sortie/contract/wiki/wiki-content.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import { notFound } from '../../platform/errors.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { findViewed, listViewers, type Viewed } from './presence.queries.ts'
import { VIEWER_LIFETIME_MS } from './presence.service.ts'

interface Reader {
  db: Database
  actor: Actor
  clock: Clock
}

const viewersOf = async ({ db, actor: { organizationId }, clock }: Reader, viewed: Viewed) => {
  if (!(await findViewed(db, organizationId, viewed))) throw notFound()
  return { data: await listViewers(db, organizationId, viewed, isoTime(clock.now() - VIEWER_LIFETIME_MS)) }
}

export const viewerRoutes: Route[] = [
  route(listWikiViewers, (context) => viewersOf(context, { type: 'page', id: context.params.pageId })),
  route(listFindingViewers, (context) => viewersOf(context, { type: 'finding', id: context.params.findingId })),
]
