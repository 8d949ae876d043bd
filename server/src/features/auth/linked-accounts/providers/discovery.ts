import { setTimeout as sleep } from 'node:timers/promises'
import { unavailable } from '../../../../platform/errors.ts'
import type { Logger } from '../../../../platform/log.ts'

/** How long a request waits for the provider if there is an older response. */
const PATIENCE_MS = 1_000
/** A response of this age is refreshed in the background. */
const LIFETIME_MS = 60 * 60 * 1000
/** Requests that wait for the provider at the same time (finding S33). */
const MAX_WAITING = 8
const RETRY_SECONDS = 5

/** The provider's metadata, such as its discovery document. */
export interface Discovery<T> {
  /**
   * For redirects to the provider, which must not go to one that is down: asks once for all concurrent callers. If the
   * provider does not respond within a second, the last response is used.
   *
   * @throws ApiError 503 if there is no response yet and too many wait for it, and what `ask` throws
   */
  current(): Promise<T>
  /** The last response; waits only if there is none. @throws as above */
  last(): Promise<T>
}

/**
 * @param name display name of the provider
 * @param ask must end by itself after some seconds
 */
export const createDiscovery = <T>(name: string, log: Logger, ask: () => Promise<T>): Discovery<T> => {
  let known: { answer: T; at: number } | undefined
  let asked: { answer: Promise<T>; at: number } | undefined
  let waiting = 0
  let isDown = false
  const refresh = (): { answer: Promise<T>; at: number } => {
    if (asked) return asked
    const question = { answer: ask(), at: performance.now() }
    asked = question
    const settle = (failure?: unknown) => {
      asked = undefined
      if (failure !== undefined && !isDown)
        log.warn({ err: failure, provider: name }, 'the identity provider does not answer')
      isDown = failure !== undefined
    }
    question.answer.then((answer) => {
      known = { answer, at: performance.now() }
      settle()
    }, settle)
    return question
  }
  const wait = async (answer: Promise<T>): Promise<T> => {
    waiting += 1
    try {
      return await answer
    } finally {
      waiting -= 1
    }
  }
  const first = async (): Promise<T> => {
    if (waiting >= MAX_WAITING)
      throw unavailable(
        `Too many sign-ins are waiting for ${name}. Try again in a few seconds.`,
        new Error('no answer yet'),
        RETRY_SECONDS,
      )
    return wait(refresh().answer)
  }
  return {
    current: async () => {
      if (!known) return first()
      const { answer: last } = known
      const { answer, at } = refresh()
      const leftMs = at + PATIENCE_MS - performance.now()
      if (leftMs <= 0 || waiting >= MAX_WAITING) return last
      return wait(Promise.race([answer, sleep(leftMs, last, { ref: false })]))
    },
    last: async () => {
      if (!known) return first()
      if (performance.now() - known.at > LIFETIME_MS) refresh()
      return known.answer
    },
  }
}
