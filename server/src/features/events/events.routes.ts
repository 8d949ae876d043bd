import * as contract from '@sortie/contract/core/events.ts'
import { internalError, notFound } from '../../platform/errors.ts'
import type { Viewers } from '../../platform/events/event-access.ts'
import type { EventHub } from '../../platform/events/hub.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { findEngagement } from '../engagements/engagements.queries.ts'

export const eventRoutes = ({ hub, viewers }: { hub: EventHub; viewers: Viewers }): Route[] => [
  route(contract.streamEvents, async ({ db, actor, person, query }) => {
    const { engagementId, viewing: objectId, editing: isEditing = false } = query
    const { organizationId } = actor
    if (!person) throw internalError(new Error('this endpoint has only the session door'))
    // Subscribe first, so that changes after this check are announced.
    await hub.ready()
    if (engagementId !== undefined && !(await findEngagement(db, organizationId, engagementId))) throw notFound()
    const viewing = objectId === undefined ? undefined : { organizationId, userId: person.userId, objectId, isEditing }
    if (viewing) await viewers.requireObject(db, viewing)
    return {
      open: () => {
        const stream = hub.open({ sessionId: person.sessionId, userId: person.userId, organizationId, engagementId })
        if (viewing) stream.once('close', viewers.begin(viewing))
        return stream
      },
    }
  }),
]
