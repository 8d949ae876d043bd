import { ApiError, ConnectionError } from './errors.ts'

export interface RetryPolicy {
  /** Attempts after the first one. */
  retries: number
  /** Longest wait before the second attempt; doubles with every further one. */
  firstWaitMs: number
  /** Maximum of every wait. A longer `Retry-After` is not waited for: the error is thrown at once. */
  maxWaitMs: number
}

export const DEFAULT_RETRY: RetryPolicy = { retries: 4, firstWaitMs: 500, maxWaitMs: 30_000 }

/** Methods that can be sent twice with the effect of one (RFC 9110, section 9.2.2). */
const IDEMPOTENT = new Set(['GET', 'PUT', 'DELETE'])

export interface Repeated {
  method: string
  /** Sent with the same `Idempotency-Key` each time: however often it is sent, it takes effect once. */
  hasKey: boolean
}

/**
 * Retries what the server put off. 429 means that nothing was done, so it retries every method. After 503 the work may
 * have been done, for example if a database connection broke during the commit: it retries only idempotent methods, and
 * requests with a key. After a broken connection it retries only requests with a key.
 *
 * Waits as long as `Retry-After` asks for, otherwise a random part of a span that doubles, so that many clients do not
 * return at the same moment.
 *
 * @throws what the last attempt threw, or the signal's reason when it was aborted
 */
export const withRetry = async <T>(
  policy: RetryPolicy,
  repeated: Repeated,
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
): Promise<T> => {
  for (let tried = 0; ; tried++) {
    try {
      return await attempt()
    } catch (error) {
      const wait = tried < policy.retries && mayRepeat(error, repeated) ? waitAfter(error, tried, policy) : undefined
      if (wait === undefined) throw error
      await sleep(wait, signal)
    }
  }
}

const mayRepeat = (error: unknown, { method, hasKey }: Repeated): boolean => {
  if (error instanceof ConnectionError) return hasKey
  return (
    error instanceof ApiError &&
    (error.statusCode === 429 || (error.statusCode === 503 && (hasKey || IDEMPOTENT.has(method))))
  )
}

/** Milliseconds, or undefined if the server asks for a longer wait than the policy allows. */
const waitAfter = (error: unknown, tried: number, policy: RetryPolicy): number | undefined => {
  const span = Math.min(policy.maxWaitMs, policy.firstWaitMs * 2 ** tried)
  if (!(error instanceof ApiError) || error.retryAfterSeconds === undefined) return (span * (1 + Math.random())) / 2
  const asked = error.retryAfterSeconds * 1000
  if (asked > policy.maxWaitMs) return undefined
  return Math.min(policy.maxWaitMs, asked + Math.random() * Math.min(span, 1000))
}

const sleep = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error)
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
