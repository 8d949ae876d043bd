import type { Clock } from '../clock.ts'
import { LocalRateLimiter, type RateLimiter, type Window, windowOf } from '../http/rate-limit.ts'
import { WindowBatch } from '../http/window-batch.ts'
import type { Logger } from '../log.ts'
import type { SupervisorLink } from './supervisor-link.ts'

/**
 * One limit for all processes of a server without Redis: the supervising process counts. Should it not answer, which
 * nothing short of a frozen machine brings about, this process counts for itself.
 */
export class SupervisedRateLimiter implements RateLimiter {
  readonly isDegraded = false
  readonly #batch: WindowBatch
  readonly #own: LocalRateLimiter
  readonly #log: Logger

  constructor(link: SupervisorLink, clock: Clock, windowSeconds: number, log: Logger) {
    this.#batch = new WindowBatch((additions) => link.count(additions))
    this.#own = new LocalRateLimiter(clock, windowSeconds)
    this.#log = log
  }

  consume(bucket: string, limit: number): Promise<Window> {
    return this.#run(bucket, limit, 1)
  }

  peek(bucket: string, limit: number): Promise<Window> {
    return this.#run(bucket, limit, 0)
  }

  known(bucket: string, limit: number): Window {
    return this.#own.known(bucket, limit)
  }

  close(): Promise<void> {
    return this.#own.close()
  }

  async #run(bucket: string, limit: number, add: 0 | 1): Promise<Window> {
    try {
      return windowOf(limit, ...(await this.#batch.count(bucket, add)))
    } catch (error) {
      this.#log.warn({ err: error }, 'a request is counted by its process alone')
      return add === 0 ? this.#own.peek(bucket, limit) : this.#own.consume(bucket, limit)
    }
  }
}
