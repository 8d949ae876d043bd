import { ApiError } from './errors.ts'

export interface RetryPolicy {
  /** Tries after the first one. */
  retries: number
  /** Longest wait before the second try; doubles with every further one. */
  firstWaitMs: number
  /** No wait is longer. A `Retry-After` beyond it is not waited for: the error is thrown at once. */
  maxWaitMs: number
}

export const DEFAULT_RETRY: RetryPolicy = { retries: 4, firstWaitMs: 500, maxWaitMs: 30_000 }

/**
 * Tries again what the server put off: 429 and 503. Waits as long as `Retry-After` says, else a random part of a span
 * that doubles, so that many clients do not come back at once.
 */
export const withRetry = async <T>(policy: RetryPolicy, signal: AbortSignal | undefined, attempt: () => Promise<T>): Promise<T> => {
  for (let tried = 0; ; tried++) {
    try {
      return await attempt()
    } catch (error) {
      const wait = tried < policy.retries ? waitAfter(error, tried, policy) : undefined
      if (wait === undefined) throw error
      await sleep(wait, signal)
    }
  }
}

/** Milliseconds, or undefined where trying again is of no use. */
const waitAfter = (error: unknown, tried: number, policy: RetryPolicy): number | undefined => {
  if (!(error instanceof ApiError) || (error.statusCode !== 429 && error.statusCode !== 503)) return undefined
  const span = Math.min(policy.maxWaitMs, policy.firstWaitMs * 2 ** tried)
  if (error.retryAfterSeconds === undefined) return (span * (1 + Math.random())) / 2
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
