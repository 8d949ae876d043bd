import { randomInt } from 'node:crypto'
import { isoTime } from '../../../platform/clock.ts'
import { type Transaction, transaction } from '../../../platform/database/transaction.ts'
import type { Worker } from '../../../platform/feature.ts'
import { notifyMember, notifyOwner } from '../../account-emails/account-emails.service.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { type EndpointRow, lockWebhookEndpoint, updateWebhookEndpoint } from '../webhook-endpoints.queries.ts'
import type { AttemptOutcome } from './attempt.ts'
import { cancelPending, lockDelivery, updateDelivery } from './deliveries.queries.ts'

const HOUR_MS = 60 * 60 * 1000
/** Attempts that a delivery shows; sending it again can add any number. */
const MAX_ATTEMPTS = 50
/** Thousandths of a pause that chance adds to it, at most. */
const MAX_JITTER = 100

interface Place {
  organizationId: string
  endpointId: string
  deliveryId: string
}

/** Records how an attempt went, and plans the next one. After long failures, or a 410, it disables the endpoint. */
export const recordAttempt = (
  worker: Worker,
  { organizationId, endpointId, deliveryId }: Place,
  { isDelivered, isGone, retryAfterMs, ...attempt }: AttemptOutcome,
): Promise<void> =>
  transaction(worker.scopedTo(organizationId), async (tx) => {
    const { clock, config } = worker
    const endpoint = await lockWebhookEndpoint(tx, organizationId, endpointId)
    const delivery = await lockDelivery(tx, organizationId, deliveryId)
    if (!endpoint || !delivery) return
    const attempts = JSON.stringify([...delivery.attempts, attempt].slice(-MAX_ATTEMPTS))
    const now = clock.now()
    if (delivery.state !== 'pending') return updateDelivery(tx, organizationId, deliveryId, { attempts })
    const tries = delivery.tries + 1
    const pauseSeconds = config.WEBHOOK_RETRY_SECONDS[tries - 1]
    const isOver = isDelivered || pauseSeconds === undefined
    const pauseMs = Math.max((pauseSeconds ?? 0) * 1000 * (1 + randomInt(MAX_JITTER + 1) / 1000), retryAfterMs)
    await updateDelivery(tx, organizationId, deliveryId, {
      attempts,
      tries,
      state: isDelivered ? 'delivered' : isOver ? 'failed' : 'pending',
      next_attempt_at: isOver ? null : isoTime(now + pauseMs),
      claimed_until: null,
    })
    if (isDelivered) {
      if (endpoint.failing_since !== null)
        await updateWebhookEndpoint(tx, organizationId, endpointId, { failing_since: null })
      return
    }
    const since = endpoint.failing_since ?? isoTime(now)
    if (endpoint.failing_since === null)
      await updateWebhookEndpoint(tx, organizationId, endpointId, { failing_since: since })
    if (!endpoint.is_enabled) return
    const hours = config.WEBHOOK_DISABLE_AFTER_HOURS
    if (isGone) await disableEndpoint(tx, worker, endpoint, 'It answered 410: it wants nothing more.')
    else if (now - Date.parse(since) >= hours * HOUR_MS)
      await disableEndpoint(
        tx,
        worker,
        endpoint,
        `Every attempt of ${hours} hours failed, the last with: ${attempt.error}.`,
      )
  })

/** Disables an endpoint, drops what waits for it, and mails its creator, or the owner instead of one who is gone. */
export const disableEndpoint = async (
  tx: Transaction,
  { clock, jobs }: Worker,
  endpoint: EndpointRow,
  reason: string,
  isMakerGone = false,
): Promise<void> => {
  const { organization_id: organizationId, id, name } = endpoint
  await cancelPending(tx, organizationId, id)
  await updateWebhookEndpoint(tx, organizationId, id, {
    is_enabled: false,
    disabled_reason: reason,
    updated_at: isoTime(Math.max(clock.now(), Date.parse(endpoint.updated_at) + 1)),
  })
  await recordAudit(tx, { system: 'webhooks', organizationId }, clock, {
    action: 'webhook-endpoint.disabled',
    object: { type: 'webhook-endpoint', id },
    before: { name },
    after: { enabled: false, reason },
  })
  const notice = { kind: 'webhook-disabled' as const, endpoint: name, reason }
  if (endpoint.maker_kind === 'user' && !isMakerGone)
    await notifyMember(tx, jobs, clock, { userId: endpoint.maker_id, organizationId }, notice)
  else await notifyOwner(tx, jobs, clock, organizationId, notice)
}
