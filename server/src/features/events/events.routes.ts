import * as contract from '@sortie/contract/core/events.ts'
import { internalError, notFound } from '../../platform/errors.ts'
import type { PageViewers } from '../../platform/events/event-access.ts'
import type { EventHub } from '../../platform/events/hub.ts'
import { type Route, route } from '../../platform/http/routes/context.ts'
import { findEngagement } from '../engagements/engagements.queries.ts'

export const eventRoutes = ({ hub, pageViewers }: { hub: EventHub; pageViewers: PageViewers }): Route[] => [
  route(contract.streamEvents, async ({ db, actor, person, query }) => {
    const { engagementId, viewing: pageId } = query
    const { organizationId } = actor
    if (!person) throw internalError(new Error('this endpoint has the session door alone'))
    // Subscribe first, so that changes after this check are announced.
    await hub.ready()
    if (engagementId !== undefined && !(await findEngagement(db, organizationId, engagementId))) throw notFound()
    const viewing = pageId === undefined ? undefined : { organizationId, userId: person.userId, pageId }
    if (viewing) await pageViewers.requirePage(db, viewing)
    return {
      open: () => {
        const stream = hub.open({ sessionId: person.sessionId, userId: person.userId, organizationId, engagementId })
        if (viewing) stream.once('close', pageViewers.begin(viewing))
        return stream
      },
    }
  }),
]
