import * as contract from '@sortie/contract/events.ts'
import { internalError, notFound } from '../../platform/errors.ts'
import type { EventHub } from '../../platform/events/hub.ts'
import { type Route, route } from '../../platform/http/context.ts'
import { findEngagement } from '../engagements/engagements.queries.ts'

export const eventRoutes = ({ hub }: { hub: EventHub }): Route[] => [
  route(contract.streamEvents, async ({ db, actor, person, query }) => {
    const { engagementId } = query
    const { organizationId } = actor
    if (!person) throw internalError(new Error('this endpoint has the session door alone'))
    // Listening comes first: what changes after this look is told.
    await hub.ready()
    if (engagementId !== undefined && !(await findEngagement(db, organizationId, engagementId))) throw notFound()
    return { open: () => hub.open({ sessionId: person.sessionId, userId: person.userId, organizationId, engagementId }) }
  }),
]
