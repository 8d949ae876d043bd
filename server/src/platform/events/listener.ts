import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type ConnectionSettings, connectionOptions } from '../database/connection/open.ts'
import { unavailable } from '../errors.ts'
import type { Logger } from '../log.ts'

/** A connection that swallows all bytes is noticed after the sum of these two. */
const CHECK_INTERVAL_MS = 5_000
const CHECK_TIMEOUT_MS = 3_000
const MAX_PAUSE_MS = 2_000
/** Time that a request waits for the connection of a process that has had no stream yet. */
const FIRST_TIMEOUT_MS = 2_000

export interface ListenerOptions {
  settings: ConnectionSettings
  log: Logger
  onNotification(payload: string): void
  /** Called when it listens again after a gap in which it may have missed events. */
  onGap(): void
}

/** The one connection of a process that receives the announcements of all processes; reconnects while it is open. */
export class Listener {
  readonly #options: ListenerOptions
  readonly #closing = new AbortController()
  readonly #running: Promise<void>
  readonly #first = Promise.withResolvers<void>()
  #isListening = false

  constructor(options: ListenerOptions) {
    this.#options = options
    this.#running = this.#run()
  }

  /** @throws ApiError 503 if it is not listening right now */
  async ready(): Promise<void> {
    if (this.#isListening) return
    await Promise.race([this.#first.promise, sleep(FIRST_TIMEOUT_MS, undefined, { ref: false })])
    if (!this.#isListening) throw unavailable('Live updates are unavailable right now. Try again shortly.')
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { log, onGap } = this.#options
    let hasListened = false
    for (let pause = 100; !this.#closing.signal.aborted; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      const client = this.#newClient()
      try {
        await client.connect()
        await client.query('listen sortie_events')
        if (hasListened) onGap()
        hasListened = true
        this.#isListening = true
        pause = 100
        this.#first.resolve()
        await this.#stayConnected(client)
      } catch (error) {
        if (!this.#closing.signal.aborted)
          log.warn({ err: error }, 'events of other processes are not received: reconnecting')
      }
      this.#isListening = false
      await Promise.race([client.end().catch(() => undefined), sleep(CHECK_TIMEOUT_MS, undefined, { ref: false })])
      await sleep(pause, undefined, { signal: this.#closing.signal, ref: false }).catch(() => undefined)
    }
  }

  #newClient(): pg.Client {
    const client = new pg.Client({
      ...connectionOptions(this.#options.settings, 'sortie-events'),
      query_timeout: CHECK_TIMEOUT_MS,
    })
    // The query or the signal reports the end of the connection.
    client.on('error', () => undefined)
    client.on('notification', ({ payload }) => this.#options.onNotification(payload ?? ''))
    return client
  }

  /** @throws once the connection is broken, or the listener closes */
  async #stayConnected(client: pg.Client): Promise<never> {
    const lost = new AbortController()
    client.on('error', (error) => lost.abort(error))
    client.on('end', () => lost.abort(new Error('the connection ended')))
    const signal = AbortSignal.any([lost.signal, this.#closing.signal])
    for (;;) {
      await sleep(CHECK_INTERVAL_MS, undefined, { signal, ref: false })
      await client.query('select 1')
    }
  }
}
