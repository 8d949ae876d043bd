import type { Readable } from 'node:stream'
import { setImmediate as immediate } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { ConnectionSettings } from '../database/connection/open.ts'
import { rateLimited, unavailable } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { Payload } from './announce.ts'
import { Audience, type Rights, type RightsQuestion, type Watcher } from './audience.ts'
import { Listener } from './listener.ts'
import { EventReader } from './reader.ts'

/**
 * From the start of one check of the rights to the next: with the time of the check itself, a revocation takes effect
 * within a second.
 */
const LOOK_INTERVAL_MS = 850
/** Streams whose rights could not be checked for this long are ended. */
const MAX_UNSEEN_MS = 3_000
/** Plus the interval above, a heartbeat comes every 10 seconds. */
const SILENT_MS = 9_500
/** A reader that reads nothing for this long is closed, and reads everything again when it reconnects. */
const STUCK_MS = 15_000
/** Audiences that receive an event in one iteration of the event loop. */
const AUDIENCES_AT_ONCE = 50
const MAX_PER_PERSON = 6
const RETRY_SECONDS = 10

export interface HubOptions {
  settings: ConnectionSettings
  clock: Clock
  log: Logger
  /** Rights in the order of the questions; undefined if the session, membership or key has ended. */
  findRights(questions: readonly RightsQuestion[]): Promise<(Rights | undefined)[]>
}

export interface Subscription {
  watcher: Watcher
  /** Omit it for everything in the organization that the watcher sees. */
  engagementId: string | undefined
}

/**
 * The event streams of one process. All share one listening connection, and one query that checks their rights about
 * once a second; both start with the first stream.
 */
export class EventHub {
  readonly #options: HubOptions
  /** By organization, then by session or key. */
  readonly #audiences = new Map<string, Map<string, Audience>>()
  readonly #perPerson = new Map<string, number>()
  #listener: Listener | undefined
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #telling = Promise.resolve()
  #lookedAt = 0
  #isClosed = false

  constructor(options: HubOptions) {
    this.#options = options
  }

  /** Resolves once no event can be missed. @throws ApiError 503 */
  async ready(): Promise<void> {
    this.#requireOpen()
    const { settings, log } = this.#options
    this.#listener ??= new Listener({
      settings,
      log,
      onNotification: (text) => this.#hear(JSON.parse(text) as Payload),
      onGap: () =>
        this.#enqueue(
          () => this.#all(),
          (audience) => audience.reset(),
        ),
    })
    await this.#listener.ready()
  }

  /** @throws ApiError RATE_LIMITED for the seventh of a person or a key, 503 once the process stops */
  open({ watcher, engagementId }: Subscription): Readable {
    this.#requireOpen()
    const { userId } = watcher
    const own = this.#perPerson.get(userId) ?? 0
    if (own >= MAX_PER_PERSON)
      throw rateLimited(`Each user and each key can have at most ${MAX_PER_PERSON} event streams open.`, RETRY_SECONDS)
    this.#perPerson.set(userId, own + 1)
    const audience = this.#audienceOf(watcher)
    const reader = new EventReader(() => {
      remove()
      this.#release(audience)
    })
    const remove = audience.add({ reader, engagementId })
    this.#schedule()
    return reader.readable
  }

  /** Open streams of this process. */
  countStreams(): number {
    return [...this.#perPerson.values()].reduce((sum, count) => sum + count, 0)
  }

  /** Ends every stream; no new one starts. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    for (const audience of this.#all()) audience.end()
    await this.#looking
    await this.#listener?.close()
  }

  #requireOpen(): void {
    if (this.#isClosed) throw unavailable('The server is stopping.')
  }

  #audienceOf(watcher: Watcher): Audience {
    const { id, organizationId } = watcher
    const audiences = this.#audiences.get(organizationId) ?? new Map<string, Audience>()
    const audience = audiences.get(id) ?? new Audience(watcher)
    this.#audiences.set(organizationId, audiences.set(id, audience))
    return audience
  }

  /** After a stream has closed. */
  #release({ watcher: { id, organizationId, userId }, size }: Audience): void {
    const left = (this.#perPerson.get(userId) ?? 1) - 1
    if (left > 0) this.#perPerson.set(userId, left)
    else this.#perPerson.delete(userId)
    if (size > 0) return
    const audiences = this.#audiences.get(organizationId)
    audiences?.delete(id)
    if (audiences?.size === 0) this.#audiences.delete(organizationId)
  }

  #hear(payload: Payload): void {
    const now = this.#options.clock.monotonic()
    this.#enqueue(
      () => [...(this.#audiences.get(payload.o)?.values() ?? [])],
      (audience) => audience.hear(payload, now),
    )
  }

  #all(): Audience[] {
    return [...this.#audiences.values()].flatMap((ofOrganization) => [...ofOrganization.values()])
  }

  /** Sends events in the order of their arrival. */
  #enqueue(find: () => Audience[], act: (audience: Audience) => void): void {
    this.#telling = this.#telling.then(() => inSlices(find(), act))
  }

  #schedule(): void {
    if (this.#timer || this.#isClosed) return
    this.#lookedAt = performance.now()
    this.#timer = setTimeout(() => void this.#tick(), LOOK_INTERVAL_MS).unref()
  }

  async #tick(): Promise<void> {
    const startedAt = performance.now()
    this.#looking = this.#look(startedAt)
    await this.#looking
    await inSlices(this.#all(), (audience) => audience.beat(SILENT_MS, STUCK_MS))
    if (this.#audiences.size === 0 || this.#isClosed) this.#timer = undefined
    else
      this.#timer = setTimeout(
        () => void this.#tick(),
        Math.max(0, LOOK_INTERVAL_MS - (performance.now() - startedAt)),
      ).unref()
  }

  async #look(startedAt: number): Promise<void> {
    const audiences = this.#all()
    if (audiences.length === 0) return
    const now = this.#options.clock.monotonic()
    try {
      const rights = await this.#options.findRights(audiences.map((audience) => audience.ask(now)))
      this.#lookedAt = startedAt
      await inSlices(audiences, (audience, i) => audience.learn(rights[i]))
    } catch (error) {
      this.#options.log.warn({ err: error }, 'the permissions of event streams could not be checked')
      // Deny by default.
      if (performance.now() - this.#lookedAt > MAX_UNSEEN_MS) for (const audience of this.#all()) audience.end()
    }
  }
}

/** Lets other work run in between. */
const inSlices = async (
  audiences: readonly Audience[],
  act: (audience: Audience, index: number) => void,
): Promise<void> => {
  for (const [i, audience] of audiences.entries()) {
    act(audience, i)
    if (i % AUDIENCES_AT_ONCE === AUDIENCES_AT_ONCE - 1) await immediate()
  }
}
