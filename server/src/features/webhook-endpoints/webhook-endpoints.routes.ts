import * as contract from '@sortie/contract/organization/webhook-endpoints.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import { notFound } from '../../platform/errors.ts'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { webhookDeliveryList } from './deliveries/deliveries.queries.ts'
import { resendWebhookDelivery, testWebhookEndpoint } from './deliveries/deliveries.service.ts'
import { toDelivery, toEndpoint } from './show-endpoints.ts'
import {
  type EndpointRow,
  findWebhookEndpoint,
  listSeenEngagements,
  webhookEndpointList,
} from './webhook-endpoints.queries.ts'
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from './webhook-endpoints.service.ts'

interface Reader {
  db: Database
  actor: Pick<Actor, 'organizationId'>
}

/** Lists of engagements are shown without those that the reader does not see. */
const shown = async ({ db, actor }: Reader, rows: readonly EndpointRow[]) => {
  const listed = [...new Set(rows.flatMap(({ engagement_ids: ids }) => ids))]
  const seen = await listSeenEngagements(db, actor.organizationId, listed)
  return rows.map((row) => toEndpoint(row, seen))
}

const shownOne = async (reader: Reader, row: EndpointRow) => {
  const [only] = await shown(reader, [row])
  return only ?? toEndpoint(row, new Set())
}

export const webhookEndpointRoutes: Route[] = [
  route(contract.listWebhookEndpoints, async (context) => {
    const { rows, meta } = await webhookEndpointList.page(context, context.query)
    return { data: await shown(context, rows), meta }
  }),

  route(contract.createWebhookEndpoint, async (context) => {
    const { endpoint, secret } = await createWebhookEndpoint(context, context.actor, context.body)
    return { data: { ...(await shownOne(context, endpoint)), secret } }
  }),

  route(contract.getWebhookEndpoint, async (context) => {
    const row = await findWebhookEndpoint(context.db, context.actor.organizationId, context.params.endpointId)
    if (!row) throw notFound()
    return { data: await shownOne(context, row) }
  }),

  route(contract.updateWebhookEndpoint, async (context) => ({
    data: await shownOne(
      context,
      await updateWebhookEndpoint(context, context.actor, context.params.endpointId, context.body),
    ),
  })),

  route(contract.deleteWebhookEndpoint, async (context) => {
    await deleteWebhookEndpoint(context, context.actor, context.params.endpointId)
    return { data: { deleted: true, id: context.params.endpointId } }
  }),

  route(contract.rotateWebhookSecret, async (context) => {
    const { endpoint, secret } = await rotateWebhookSecret(context, context.actor, context.params.endpointId)
    return { data: { ...(await shownOne(context, endpoint)), secret } }
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
