import { transaction } from '../../../platform/database/transaction.ts'
import type { Worker } from '../../../platform/feature.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { openSecrets } from '../secrets.ts'
import { type EndpointRow, findWebhookEndpoint, lockWebhookEndpoint } from '../webhook-endpoints.queries.ts'
import { attemptDelivery } from './attempt.ts'
import type { ClaimedDelivery } from './claims.queries.ts'
import { findIsWanted, lockDelivery, updateDelivery } from './deliveries.queries.ts'
import { lockMaker, MakerGone, mayLearn } from './maker.service.ts'
import { disableEndpoint, recordAttempt } from './record-attempt.service.ts'

const UNREADABLE_SECRET = 'Its secret was stored under another SESSION_SECRET: replace the secret, then enable it.'

/**
 * Attempts one delivery, with the rights that the maker of its endpoint has when the request is sent.
 *
 * @returns the status of the receiver's answer; undefined if it was not sent, null without an answer
 * @throws NotWanted if it was cancelled meanwhile
 */
export const deliver = async (
  worker: Worker,
  outbound: Outbound,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<number | null | undefined> => {
  const { id: deliveryId, organization_id: organizationId, endpoint_id: endpointId, body } = delivery
  const receiver = await authorize(worker, delivery)
  if (!receiver) return undefined
  const outcome = await attemptDelivery(
    { outbound, clock: worker.clock },
    {
      id: deliveryId,
      body,
      ...receiver,
      // Resolving and connecting can take seconds, in which a right can end and the address can change.
      isWanted: async ({ isOpen }) =>
        isOpen
          ? (await authorize(worker, delivery))?.url === receiver.url
          : findIsWanted(worker.scopedTo(organizationId), organizationId, deliveryId),
      signal,
    },
  )
  await recordAttempt(worker, { organizationId, endpointId, deliveryId }, outcome)
  return outcome.status
}

/** Where it goes, and what signs it; undefined if it must not be sent, which is then recorded. */
const authorize = (
  worker: Worker,
  { id: deliveryId, organization_id: organizationId, ...delivery }: ClaimedDelivery,
): Promise<{ url: string; secrets: string[] } | undefined> =>
  transaction(worker.scopedTo(organizationId), async (tx) => {
    const { keys, clock } = worker
    const cancel = () =>
      updateDelivery(tx, organizationId, deliveryId, { state: 'cancelled', next_attempt_at: null, claimed_until: null })
    const found = await findWebhookEndpoint(tx, organizationId, delivery.endpoint_id)
    if (!found) return undefined
    // As in every change, the right is locked before the object.
    const maker = await lockMaker(tx, worker, found).catch((error) => {
      if (error instanceof MakerGone) return error
      throw error
    })
    const endpoint = await lockWebhookEndpoint(tx, organizationId, delivery.endpoint_id)
    const current = await lockDelivery(tx, organizationId, deliveryId)
    if (!endpoint?.is_enabled || current?.state !== 'pending') return undefined
    if (maker instanceof MakerGone) {
      await disableEndpoint(tx, worker, endpoint, maker.message, true)
      return undefined
    }
    const about = { event: delivery.event, engagementId: delivery.about_engagement_id }
    const isOutdated = await worker.safeMode.isOutdated(delivery.created_at)
    if (isOutdated || !isChosen(endpoint, about) || !(await mayLearn(tx, worker, endpoint, maker, about))) {
      await cancel()
      return undefined
    }
    const secrets = openSecrets(keys, endpoint, clock.now())
    if (secrets.length > 0) return { url: endpoint.url, secrets }
    await disableEndpoint(tx, worker, endpoint, UNREADABLE_SECRET)
    return undefined
  })

/**
 * Reports whether the endpoint, which may have changed since the event, still receives it. A deleted engagement is in
 * no list any more.
 */
const isChosen = (
  { events, engagement_access: access, engagement_ids: listed }: EndpointRow,
  { event, engagementId }: { event: string; engagementId: string | null },
): boolean => {
  if (event === 'ping') return true
  if (!events.includes(event)) return false
  return (
    access !== 'listed' || event === 'engagement.deleted' || (engagementId !== null && listed.includes(engagementId))
  )
}
