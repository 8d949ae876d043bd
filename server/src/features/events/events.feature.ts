import type { PageViewers } from '../../platform/events/event-access.ts'
import type { EventHub } from '../../platform/events/hub.ts'
import type { Feature } from '../../platform/feature.ts'
import { eventRoutes } from './events.routes.ts'

export const events: Feature<{ hub: EventHub; pageViewers: PageViewers }> = { name: 'events', routes: eventRoutes }
