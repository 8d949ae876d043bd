import * as contract from '@sortie/contract/core/events.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import type { Viewers } from '../../platform/events/event-access.ts'
import type { EventHub } from '../../platform/events/hub.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { findEngagement } from '../engagements/engagements.queries.ts'
import { watcherOf } from './watchers.ts'

export const eventRoutes = ({ hub, viewers }: { hub: EventHub; viewers: Viewers }): Route[] => [
  route(contract.streamEvents, async ({ db, actor, person, config, query }) => {
    const { engagementId, viewing: objectId, editing: isEditing = false } = query
    const { organizationId } = actor
    if (!person && objectId !== undefined) throw invalid('viewing: only a person has a page open')
    // Subscribe first, so that changes after this check are announced.
    await hub.ready()
    if (engagementId !== undefined && !(await findEngagement(db, organizationId, engagementId))) throw notFound()
    const viewing =
      objectId === undefined || !person ? undefined : { organizationId, userId: person.userId, objectId, isEditing }
    if (viewing) await viewers.requireObject(db, viewing)
    return {
      open: () => {
        const stream = hub.open({ watcher: watcherOf(actor, person, config), engagementId })
        if (viewing) stream.once('close', viewers.begin(viewing))
        return stream
      },
    }
  }),
]
