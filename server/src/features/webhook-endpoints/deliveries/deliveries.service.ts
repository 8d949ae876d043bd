import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { messageOf } from '../messages/message.ts'
import { findOrganizationSlug, lockWebhookEndpoint } from '../webhook-endpoints.queries.ts'
import * as query from './deliveries.queries.ts'

/** Sends the event `ping`. @throws ApiError NOT_FOUND, CONFLICT for a disabled endpoint and in safe mode */
export const testWebhookEndpoint = async (
  { change, clock, config, safeMode }: Writer,
  actor: Actor,
  endpointId: string,
): Promise<query.DeliveryRow> => {
  await safeMode.requireLive()
  return change(async (tx) => {
    const { organizationId } = actor
    const endpoint = await lockEnabled(tx, organizationId, endpointId)
    const now = clock.now()
    const id = newId('whd', now)
    const organization = `${config.FRONTEND_URL}/o/${await findOrganizationSlug(tx, organizationId)}`
    await query.insertDelivery(tx, {
      id,
      organization_id: organizationId,
      endpoint_id: endpointId,
      event: 'ping',
      object_id: id,
      body: messageOf(endpoint, {
        type: 'ping',
        timestamp: isoTime(now),
        data: { id: endpointId, url: `${organization}/settings/webhooks` },
      }),
      next_attempt_at: isoTime(now),
      created_at: isoTime(now),
    })
    await recordAudit(tx, actor, clock, {
      action: 'webhook-endpoint.tested',
      object: { type: 'webhook-endpoint', id: endpointId },
      after: { name: endpoint.name },
    })
    return requireDelivery(tx, organizationId, id)
  })
}

/**
 * Starts the attempts again, with the same id and body.
 *
 * @throws ApiError NOT_FOUND, CONFLICT for a disabled endpoint and in safe mode
 */
export const resendWebhookDelivery = async (
  { change, clock, safeMode }: Writer,
  actor: Actor,
  deliveryId: string,
): Promise<query.DeliveryRow> => {
  await safeMode.requireLive()
  return change(async (tx) => {
    const { organizationId } = actor
    const found = await requireDelivery(tx, organizationId, deliveryId)
    const endpoint = await lockEnabled(tx, organizationId, found.endpoint_id)
    await query.lockDelivery(tx, organizationId, deliveryId)
    await query.updateDelivery(tx, organizationId, deliveryId, {
      state: 'pending',
      tries: 0,
      next_attempt_at: isoTime(clock.now()),
    })
    await recordAudit(tx, actor, clock, {
      action: 'webhook-delivery.resent',
      object: { type: 'webhook-endpoint', id: found.endpoint_id },
      after: { name: endpoint.name, deliveryId, event: found.event },
    })
    return requireDelivery(tx, organizationId, deliveryId)
  })
}

const lockEnabled = async (tx: Transaction, organizationId: string, endpointId: string) => {
  const endpoint = await lockWebhookEndpoint(tx, organizationId, endpointId)
  if (!endpoint) throw notFound()
  if (!endpoint.is_enabled) throw conflict('This endpoint is disabled: enable it first.')
  return endpoint
}

const requireDelivery = async (
  tx: Transaction,
  organizationId: string,
  deliveryId: string,
): Promise<query.DeliveryRow> => {
  const row = await query.findShownDelivery(tx, organizationId, deliveryId)
  if (!row) throw notFound()
  return row
}
