import { isoTime } from '../../../platform/clock.ts'
import type { Feature } from '../../../platform/feature.ts'
import { deleteEndedTickets } from './pending-sign-ins.queries.ts'

export const tickets: Feature = {
  name: 'tickets',
  cleanUp: ({ db, clock }) => deleteEndedTickets(db, isoTime(clock.now())),
}
