import { type Feature, job } from '../../platform/feature.ts'
import { applyEvent } from './apply-event.service.ts'
import { billingRoutes, billingWebhooks } from './billing.routes.ts'
import { applyBillingEvent, deleteOldEvents } from './billing.service.ts'

export const billing: Feature = {
  name: 'billing',
  routes: () => billingRoutes,
  webhooks: billingWebhooks,
  jobs: [job(applyBillingEvent, (worker, { eventId }) => applyEvent(worker, eventId))],
  cleanUp: ({ db, clock }) => deleteOldEvents(db, clock),
}
