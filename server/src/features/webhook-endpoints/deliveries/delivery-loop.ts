import { setTimeout as sleep } from 'node:timers/promises'
import { isoTime } from '../../../platform/clock.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import type { Loop, Worker } from '../../../platform/feature.ts'
import { createOutbound, type Outbound } from '../../../platform/outbound/outbound.ts'
import type { TitleSources } from '../../../platform/text/titles.ts'
import { BATCH_MS, BATCHED, fanOut } from '../events/fan-out.service.ts'
import { NotWanted } from './attempt.ts'
import { cancelOfDisabled, claimDue, type ClaimedDelivery, findDue, type Shares } from './claims.queries.ts'
import { deliver } from './deliver.service.ts'

const PAUSE_MS = 500
/** Deliveries at the same time: of this process; in all processes of one endpoint, and of one organization. */
const AT_ONCE = 64
const OF_ENDPOINT = 8
const OF_ORGANIZATION = 24
/** Of an endpoint without a success for this long. */
const OF_FAILING = 1
const FAILING_MS = 60_000
/** Places of this process that only organizations with fewer deliveries than this use. */
const RESERVED = 24
const FIRST_OF_ORGANIZATION = 2
/** After an error, the events of an organization wait for this long, those of others do not. */
const TROUBLED_MS = 10_000
/** Longer than an attempt can last: a delivery whose process died is sent again after this. */
const CLAIM_MS = 60_000
const CANCELLED_AT_ONCE = 1_000

/**
 * Sends outgoing webhooks: turns events into deliveries, and attempts those that are due. All processes share the work.
 */
export const deliveryLoop = (sources: () => TitleSources): Loop => ({
  name: 'webhooks',
  open: (worker) => {
    const outbound = createOutbound(worker.config, worker.safeMode)
    const running = new Set<Promise<void>>()
    /** Organizations whose events could not be turned into deliveries, until when they wait. */
    const troubled = new Map<string, number>()
    return {
      pauseMs: PAUSE_MS,
      turn: async (signal) => {
        if (!(await worker.safeMode.isLive())) return false
        const now = worker.clock.now()
        const work = await findDue(worker.db, isoTime(now), BATCHED, isoTime(now - BATCH_MS))
        const hasMore = work.events && (await fanOut(worker, sources(), troubled, TROUBLED_MS))
        if (work.deliveries) await cancelOfDisabled(worker.db, CANCELLED_AT_ONCE)
        const claimed = work.deliveries || work.events ? await claim(worker, { free: AT_ONCE - running.size }) : []
        for (const delivery of claimed) start(worker, outbound, running, delivery, signal)
        if (claimed.length > 0 || hasMore) return true
        if (running.size === 0) return false
        // A free place is filled at once.
        await Promise.race([...running, sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined)])
        return true
      },
      end: async () => {
        await Promise.all(running)
      },
    }
  },
})

const claim = async ({ db, clock }: Worker, { free }: { free: number }): Promise<ClaimedDelivery[]> => {
  if (free <= 0) return []
  const now = clock.now()
  const shares: Shares = {
    ofEndpoint: OF_ENDPOINT,
    ofOrganization: OF_ORGANIZATION,
    ofFailing: OF_FAILING,
    failingBefore: isoTime(now - FAILING_MS),
    free,
    reserved: RESERVED,
    firstOfOrganization: FIRST_OF_ORGANIZATION,
  }
  return transaction(db, (tx) => claimDue(tx, isoTime(now), isoTime(now + CLAIM_MS), shares))
}

const start = (
  worker: Worker,
  outbound: Outbound,
  running: Set<Promise<void>>,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): void => {
  const about = { 'sortie.organization_id': delivery.organization_id, 'sortie.delivery_id': delivery.id }
  const sent = worker.traces
    .run({ name: 'webhook delivery', kind: 'client', attributes: about }, async (note) => {
      const status = await deliver(worker, outbound, delivery, signal)
      note({ 'http.response.status_code': status ?? undefined })
    })
    .catch((error) => {
      // It stays claimed, and is sent once the claim is over.
      if (!signal.aborted && !(error instanceof NotWanted))
        worker.log.error({ err: error, delivery: delivery.id }, 'a webhook could not be sent')
    })
    .finally(() => running.delete(sent))
  running.add(sent)
}
