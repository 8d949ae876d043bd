import { Redis } from 'ioredis'
import type { Clock } from '../../clock.ts'
import { batched } from '../../database/connection/prepared.ts'
import type { Logger } from '../../log.ts'
import { type CountedWindow, LocalRateLimiter, type RateLimiter, type Window, windowOf } from './rate-limit.ts'

/** Time that a request may lose to a slow Redis. */
const ANSWER_TIMEOUT_MS = 40
/** Timeout for connecting, including the greeting. */
const CONNECT_TIMEOUT_MS = 2_000
/** Pause after a failure: Redis is not called, and the local counters decide. */
const PAUSE_MS = 1_000

/**
 * The windows of several buckets, in one step and by the time of Redis, so that processes agree. A window's reset time
 * is stored with its count, so every request of a window gets the same one. ARGV: window in ms, then how many to add
 * per key (0 reads). A key that is listed several times counts as often.
 */
const WINDOWS_SCRIPT = `
local now = redis.call('TIME')
local ms = now[1] * 1000 + math.floor(now[2] / 1000)
local windows = {}
for i, key in ipairs(KEYS) do
  local add = ARGV[i + 1]
  local used = 0
  local reset = tonumber(redis.call('HGET', key, 'r') or '0')
  local ended = reset * 1000 <= ms
  if ended then reset = math.ceil((ms + tonumber(ARGV[1])) / 1000) end
  if ended and add ~= '0' then
    redis.call('HSET', key, 'u', 0, 'r', reset)
    redis.call('PEXPIRE', key, reset * 1000 - ms)
  end
  if not ended or add ~= '0' then used = redis.call('HINCRBY', key, 'u', add) end
  windows[i] = {used, reset, reset * 1000 - ms}
end
return windows
`

type ScriptedRedis = Redis & {
  sortieWindows(keys: number, ...keysAndArguments: (string | number)[]): Promise<CountedWindow[]>
}

/** Number of requests to add to a bucket; 0 reads. */
type Addition = readonly [bucket: string, add: 0 | 1]

/**
 * Counters shared through Redis, with one call for all requests of one event loop iteration. While Redis is away, slow
 * or broken, each server continues with its own counters (open point 20): no request fails, and `onDegraded` is called.
 */
export class RedisRateLimiter implements RateLimiter {
  readonly #redis: ScriptedRedis
  /** Counts while Redis does not. */
  readonly #own: LocalRateLimiter
  readonly #count = batched((additions: readonly Addition[]) => this.#exchange(additions))
  readonly #windowMs: number
  readonly #clock: Clock
  readonly #onDegraded: (degraded: boolean, cause?: unknown) => void
  #resumeAt = 0
  #degraded = false

  get isDegraded(): boolean {
    return this.#degraded
  }

  constructor(url: string, clock: Clock, windowSeconds: number, log: Logger, onDegraded: (degraded: boolean) => void) {
    this.#clock = clock
    this.#windowMs = windowSeconds * 1000
    this.#own = new LocalRateLimiter(clock, windowSeconds)
    this.#onDegraded = (degraded, cause) => {
      if (degraded) log.warn({ err: cause }, 'Redis does not answer: rate limits are counted per process')
      else log.info('Redis answers again: rate limits are shared')
      onDegraded(degraded)
    }
    this.#redis = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      commandTimeout: CONNECT_TIMEOUT_MS,
      connectTimeout: CONNECT_TIMEOUT_MS,
      retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
    }) as ScriptedRedis
    this.#redis.defineCommand('sortieWindows', { lua: WINDOWS_SCRIPT })
    this.#redis.on('error', (error) => this.#fail(error))
    this.#redis.on('ready', () => {
      this.#resumeAt = 0
    })
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

  async close(): Promise<void> {
    this.#redis.disconnect()
    await this.#own.close()
  }

  async #run(bucket: string, limit: number, add: 0 | 1): Promise<Window> {
    if (this.#clock.monotonic() >= this.#resumeAt && !this.#isStarting()) {
      try {
        return windowOf(limit, ...((await this.#count([bucket, add])) as CountedWindow))
      } catch {
        // The failure is logged once for the whole batch; the local counters decide.
      }
    }
    return add === 0 ? this.#own.peek(bucket, limit) : this.#own.consume(bucket, limit)
  }

  async #exchange(additions: readonly Addition[]): Promise<CountedWindow[]> {
    // Queued during a call that failed: Redis is in its pause.
    if (this.#clock.monotonic() < this.#resumeAt) throw new NoAnswer('Redis is not tried again yet after a failure')
    try {
      const keys = additions.map(([bucket]) => `sortie:limit:${bucket}`)
      const windows = await inTime(
        this.#redis.sortieWindows(keys.length, ...keys, this.#windowMs, ...additions.map(([, add]) => add)),
      )
      // An answer to a call from before a failure does not prove that Redis works again.
      if (this.#degraded && this.#clock.monotonic() >= this.#resumeAt) {
        this.#degraded = false
        this.#onDegraded(false)
      }
      return windows
    } catch (error) {
      this.#fail(error)
      throw error
    }
  }

  /** The first moments of a process, before Redis can have failed. */
  #isStarting(): boolean {
    return !this.#degraded && (this.#redis.status === 'connecting' || this.#redis.status === 'connect')
  }

  #fail(error: unknown): void {
    const isFirstSincePause = this.#clock.monotonic() >= this.#resumeAt
    this.#resumeAt = this.#clock.monotonic() + PAUSE_MS
    // Two silent calls in a row: the connection may be dead without a notice of it.
    if (this.#degraded && isFirstSincePause && error instanceof NoAnswer && this.#redis.status === 'ready')
      this.#redis.disconnect(true)
    if (this.#degraded) return
    this.#degraded = true
    this.#onDegraded(true, error)
  }
}

class NoAnswer extends Error {}

/**
 * Rejects if no answer arrives in time. A process that was busy itself first reads what has arrived, before it counts
 * Redis as failed.
 */
const inTime = <T>(answer: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const late = () => setImmediate(() => reject(new NoAnswer(`Redis did not answer within ${ANSWER_TIMEOUT_MS} ms`)))
    const timer = setTimeout(() => setImmediate(late), ANSWER_TIMEOUT_MS)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
