import { Redis } from 'ioredis'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { LocalRateLimiter, type RateLimiter, type Window, windowOf } from './rate-limit.ts'

/** Time that a request may lose to an unwell Redis. */
const ANSWER_TIMEOUT_MS = 40
/** After this a connection that is being made, or its greeting, has failed. */
const CONNECT_TIMEOUT_MS = 2_000
/** After a failure, time in which Redis is left alone and the local counters decide. */
const PAUSE_MS = 1_000

/**
 * The window of a bucket, in one step and by the time of Redis, so that processes agree. Its reset time is stored with
 * the count: every request of a window hears the same. ARGV: window in ms, how many to add (0 looks).
 */
const WINDOW_SCRIPT = `
local now = redis.call('TIME')
local ms = now[1] * 1000 + math.floor(now[2] / 1000)
local reset = tonumber(redis.call('HGET', KEYS[1], 'r') or '0')
if reset * 1000 <= ms then
  reset = math.ceil((ms + tonumber(ARGV[1])) / 1000)
  if ARGV[2] == '0' then return {0, reset, reset * 1000 - ms} end
  redis.call('HSET', KEYS[1], 'u', 0, 'r', reset)
  redis.call('PEXPIRE', KEYS[1], reset * 1000 - ms)
end
local used = redis.call('HINCRBY', KEYS[1], 'u', ARGV[2])
return {used, reset, reset * 1000 - ms}
`

type ScriptedRedis = Redis & { sortieWindow(key: string, windowMs: number, add: number): Promise<[number, number, number]> }

/**
 * Counters shared through Redis. While Redis is away, slow or broken, each process goes on with counters of its own
 * (open point 20): no request fails for it, and `onDegraded` is told.
 */
export class RedisRateLimiter implements RateLimiter {
  readonly #redis: ScriptedRedis
  readonly #local: LocalRateLimiter
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
    this.#local = new LocalRateLimiter(clock, windowSeconds)
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
    this.#redis.defineCommand('sortieWindow', { numberOfKeys: 1, lua: WINDOW_SCRIPT })
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

  async close(): Promise<void> {
    this.#redis.disconnect()
    await this.#local.close()
  }

  async #run(bucket: string, limit: number, add: 0 | 1): Promise<Window> {
    if (this.#clock.monotonic() >= this.#resumeAt && !this.#isStarting()) {
      try {
        const [used, resetSeconds, leftMs] = await inTime(this.#redis.sortieWindow(`sortie:limit:${bucket}`, this.#windowMs, add))
        if (this.#degraded) {
          this.#degraded = false
          this.#onDegraded(false)
        }
        return windowOf(limit, used, resetSeconds, leftMs)
      } catch (error) {
        this.#fail(error)
      }
    }
    return add === 0 ? this.#local.peek(bucket, limit) : this.#local.consume(bucket, limit)
  }

  /** The first moments of a process, before anybody could say that Redis is away. */
  #isStarting(): boolean {
    return !this.#degraded && (this.#redis.status === 'connecting' || this.#redis.status === 'connect')
  }

  #fail(error: unknown): void {
    const isFirstSincePause = this.#clock.monotonic() >= this.#resumeAt
    this.#resumeAt = this.#clock.monotonic() + PAUSE_MS
    // Silent twice in a row: the connection may be dead without anybody having said so.
    if (this.#degraded && isFirstSincePause && error instanceof NoAnswer && this.#redis.status === 'ready') this.#redis.disconnect(true)
    if (this.#degraded) return
    this.#degraded = true
    this.#onDegraded(true, error)
  }
}

class NoAnswer extends Error {}

/**
 * Rejects when no answer has come in time. A process that was busy itself looks once more into what has arrived meanwhile
 * before it blames Redis.
 */
const inTime = <T>(answer: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const late = () => setImmediate(() => reject(new NoAnswer(`Redis did not answer within ${ANSWER_TIMEOUT_MS} ms`)))
    const timer = setTimeout(() => setImmediate(late), ANSWER_TIMEOUT_MS)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
