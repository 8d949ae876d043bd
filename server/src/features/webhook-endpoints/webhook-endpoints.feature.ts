import type { Feature } from '../../platform/feature.ts'
import type { TitleSources } from '../../platform/text/titles.ts'
import { deliveryLoop } from './deliveries/delivery-loop.ts'
import { deleteOldDeliveries } from './deliveries/old-deliveries.service.ts'
/** @param sources the types of objects that tasks can link to */ import { resealEndpoints } from './reseal.service.ts'
import { webhookEndpointRoutes } from './webhook-endpoints.routes.ts'

export const webhookEndpoints = (sources: () => TitleSources): Feature => ({
  name: 'webhook-endpoints',
  routes: () => webhookEndpointRoutes,
  loops: [deliveryLoop(sources)],
  reseal: resealEndpoints,
  cleanUp: deleteOldDeliveries,
})
