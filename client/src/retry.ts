import { ApiError, ConnectionError } from './errors.ts'

export interface RetryPolicy {
  /** Tries after the first one. */
  retries: number
  /** Longest wait before the second try; doubles with every further one. */
  firstWaitMs: number
  /** No wait is longer. A `Retry-After` beyond it is not waited for: the error is thrown at once. */
  maxWaitMs: number
}

export const DEFAULT_RETRY: RetryPolicy = { retries: 4, firstWaitMs: 500, maxWaitMs: 30_000 }

/** Methods that may be sent twice to the same effect as once (RFC 9110, section 9.2.2). */
const IDEMPOTENT = new Set(['GET', 'PUT', 'DELETE'])

export interface Repeated {
  method: string
  /** Sent with an `Idempotency-Key`, the same each time: however often it is sent, it takes effect once. */
  hasKey: boolean
}

/**
 * Tries again what the server put off. 429 says that nothing was done: every method is sent again. After 503 the work may
 * have been done all the same, for instance when a connection to the database broke while it was confirmed: only an
 * idempotent method is sent again, or a request with a key. A connection that broke is tried again with a key alone.
 *
 * Waits as long as `Retry-After` says, else a random part of a span that doubles, so that many clients do not come back
 * at once.
 *
 * @throws what the last attempt threw, or the signal's reason when it was aborted
 */
export const withRetry = async <T>(policy: RetryPolicy, repeated: Repeated, signal: AbortSignal | undefined, attempt: () => Promise<T>): Promise<T> => {
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
  return error instanceof ApiError && (error.statusCode === 429 || (error.statusCode === 503 && (hasKey || IDEMPOTENT.has(method))))
}

/** Milliseconds, or undefined where the server asks for a longer wait than the policy allows. */
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
