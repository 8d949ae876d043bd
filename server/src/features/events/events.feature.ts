import type { Viewers } from '../../platform/events/event-access.ts'
import type { EventHub } from '../../platform/events/hub.ts'
import type { Feature } from '../../platform/feature.ts'
import { eventRoutes } from './events.routes.ts'

export const events: Feature<{ hub: EventHub; viewers: Viewers }> = { name: 'events', routes: eventRoutes }
