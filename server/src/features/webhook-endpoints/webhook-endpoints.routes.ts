import * as contract from '@sortie/contract/organization/webhook-endpoints.ts'
import { notFound } from '../../platform/errors.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { webhookDeliveryList } from './deliveries/deliveries.queries.ts'
import { resendWebhookDelivery, testWebhookEndpoint } from './deliveries/deliveries.service.ts'
import { toDelivery, toEndpoint } from './show-endpoints.ts'
import { findWebhookEndpoint, webhookEndpointList } from './webhook-endpoints.queries.ts'
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from './webhook-endpoints.service.ts'

export const webhookEndpointRoutes: Route[] = [
  route(contract.listWebhookEndpoints, async (context) => {
    const { rows, meta } = await webhookEndpointList.page(context, context.query)
    return { data: rows.map(toEndpoint), meta }
  }),

  route(contract.createWebhookEndpoint, async (context) => {
    const { endpoint, secret } = await createWebhookEndpoint(context, context.actor, context.body)
    return { data: { ...toEndpoint(endpoint), secret } }
  }),

  route(contract.getWebhookEndpoint, async ({ db, actor, params }) => {
    const row = await findWebhookEndpoint(db, actor.organizationId, params.endpointId)
    if (!row) throw notFound()
    return { data: toEndpoint(row) }
  }),

  route(contract.updateWebhookEndpoint, async (context) => ({
    data: toEndpoint(await updateWebhookEndpoint(context, context.actor, context.params.endpointId, context.body)),
  })),

  route(contract.deleteWebhookEndpoint, async (context) => {
    await deleteWebhookEndpoint(context, context.actor, context.params.endpointId)
    return { data: { deleted: true, id: context.params.endpointId } }
  }),

  route(contract.rotateWebhookSecret, async (context) => {
    const { endpoint, secret } = await rotateWebhookSecret(context, context.actor, context.params.endpointId)
    return { data: { ...toEndpoint(endpoint), secret } }
  }),

  route(contract.testWebhookEndpoint, async (context) => ({
    data: toDelivery(await testWebhookEndpoint(context, context.actor, context.params.endpointId)),
  })),

  route(contract.listWebhookDeliveries, async (context) => {
    const { rows, meta } = await webhookDeliveryList.page(context, context.query)
    return { data: rows.map(toDelivery), meta }
  }),

  route(contract.resendWebhookDelivery, async (context) => ({
    data: toDelivery(await resendWebhookDelivery(context, context.actor, context.params.deliveryId)),
  })),
]
