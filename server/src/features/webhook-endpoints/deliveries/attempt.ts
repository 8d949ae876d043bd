import type { Clock } from '../../../platform/clock.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { exchange, noProgress } from '../../requests/sending/exchange.ts'
import { outcomeOf } from '../../requests/sending/failures.ts'
import { signatureOf } from '../secrets.ts'
import type { Attempt } from './deliveries.queries.ts'

const TIMEOUT_MS = 15_000
const KEPT_BYTES = 4_096
const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1000

/** The delivery was cancelled, or its endpoint disabled, before anything was sent. */
export class NotWanted extends Error {}

interface Sending {
  id: string
  url: string
  body: string
  secrets: readonly string[]
  /** Asked before connecting, and again once the connection is open, before anything is sent. */
  isWanted(connecting: { isOpen: boolean }): Promise<boolean>
  /** Aborted when the process stops. */
  signal: AbortSignal
}

export interface AttemptOutcome extends Attempt {
  isDelivered: boolean
  /** The receiver answered 410: it wants nothing more. */
  isGone: boolean
  /** How long the receiver asked to wait. */
  retryAfterMs: number
}

/**
 * Sends a delivery once; redirects are failures.
 *
 * @throws NotWanted, the reason of the aborted signal, and faults of this server
 */
export const attemptDelivery = async (
  { outbound, clock }: { outbound: Outbound; clock: Clock },
  { id, url: address, body, secrets, isWanted, signal }: Sending,
): Promise<AttemptOutcome> => {
  const startedAt = clock.now()
  const since = clock.monotonic()
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const url = new URL(address)
  const bytes = Buffer.from(body)
  const timestamp = Math.floor(startedAt / 1000)
  const failed = (error: string): AttemptOutcome => ({
    at: isoTime(startedAt),
    status: null,
    durationMs: Math.round(clock.monotonic() - since),
    answer: null,
    error,
    isDelivered: false,
    isGone: false,
    retryAfterMs: 0,
  })
  const judged = (status: number): Pick<AttemptOutcome, 'status' | 'error' | 'isDelivered' | 'isGone'> => {
    const isDelivered = status >= 200 && status < 300
    const isRedirect = status >= 300 && status < 400
    const error = `answered ${status}${isRedirect ? ', and redirects are not followed' : ''}`
    return { status, error: isDelivered ? null : error, isDelivered, isGone: status === 410 }
  }
  const progress = noProgress()
  // Of this server: without it, a database that refuses connections would look like a receiver that does.
  let ownFault: unknown
  try {
    const answer = await exchange(
      outbound,
      clock,
      {
        method: 'POST',
        url,
        path: url.pathname,
        headers: [
          ['content-type', 'application/json'],
          ['user-agent', 'Sortie-Webhooks'],
          ['webhook-id', id],
          ['webhook-timestamp', String(timestamp)],
          ['webhook-signature', signatureOf(secrets, { id, timestamp, body })],
        ],
        body: {
          mediaType: 'application/json',
          length: bytes.length,
          text: body,
          read: async function* () {
            yield bytes
          },
        },
        check: async ({ isOpen }) => {
          try {
            if (!(await isWanted({ isOpen }))) throw new NotWanted()
          } catch (error) {
            ownFault = error
            throw error
          }
        },
        verifyTls: true,
        allowH2: false,
        proxy: undefined,
        signal: AbortSignal.any([signal, timeout]),
        timeoutMs: TIMEOUT_MS,
        keptBytes: KEPT_BYTES,
        stopsAtKept: true,
        isFollowed: () => false,
      },
      progress,
    )
    const retryAfter = answer.headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1]
    return {
      ...failed(''),
      ...judged(answer.status),
      answer: answer.body.kept.toString('utf8').replaceAll('\0', ''),
      retryAfterMs: waitOf(retryAfter, clock.now()),
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (ownFault !== undefined) throw ownFault
    // The status decides, even if the rest of the answer never comes.
    if (progress.status !== null) return { ...failed(''), ...judged(progress.status) }
    if (timeout.aborted) return failed(`no answer within ${TIMEOUT_MS / 1000} seconds`)
    const outcome = outcomeOf(error)
    if (!outcome) throw error
    return failed(outcome.reason)
  }
}

/** Reads `Retry-After`: seconds, or a date. */
const waitOf = (text: string | undefined, now: number): number => {
  if (text === undefined) return 0
  const until = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(until) ? 0 : Math.min(Math.max(until, 0), MAX_RETRY_AFTER_MS)
}
