import { type EventType, MAX_IDS, type Payload } from './announce.ts'
import type { EventReader } from './reader.ts'

/** The engagements that a session or a key may see in an organization, queried for all streams together. */
export interface Rights {
  /** The visible ones of the requested engagements. */
  visible: Set<string>
  /** The owner and admins, and keys without a limit. */
  seesAll: boolean
}

/** A session or a key that listens. */
export interface Watcher {
  kind: 'session' | 'key'
  /** Id of the session or the key. */
  id: string
  /** The person; for a key its own id. Limits count by it. */
  userId: string
  organizationId: string
  /** Of the person within whose rights a key acts, when it opened the stream; absent without one. */
  ownerRole?: string
  /**
   * Whether a key may hear of objects of this type, and of the organization's own with `engagementId: null`; absent for
   * people, who may hear of all.
   */
  mayHear?(type: EventType, engagementId: string | null): boolean
  /**
   * Whether it hears that an engagement was hidden from everyone: not a key with a list, which may never have seen it.
   */
  sawOpenEngagements: boolean
}

/** Identifies a session or a key whose rights to check, and the engagements to check. */
export interface RightsQuestion {
  kind: Watcher['kind']
  /** Id of the session or the key. */
  id: string
  ownerRole?: string
  organizationId: string
  engagementIds: readonly string[]
}

interface Reading {
  reader: EventReader
  /** Limits the stream to one engagement; undefined for the whole organization. */
  engagementId: string | undefined
}

/** Events that wait for a check of the rights; more become a reset. */
const MAX_WAITING = 500
/** Engagements whose visibility stays fresh, because they had an event within the last minute. */
const MAX_RECENT = 100
const RECENT_MS = 60_000

/** The streams of one session or key in one organization, which have equal rights. */
export class Audience {
  readonly watcher: Watcher
  readonly #readings = new Set<Reading>()
  readonly #recent = new Map<string, number>()
  #visible = new Set<string>()
  #waiting: Payload[] = []
  #asked: Payload[] = []

  constructor(watcher: Watcher) {
    this.watcher = watcher
  }

  get size(): number {
    return this.#readings.size
  }

  /** @returns a function that removes it */
  add(reading: Reading): () => void {
    this.#readings.add(reading)
    return () => void this.#readings.delete(reading)
  }

  /** Sends an event at once if it is certainly visible; otherwise it waits for the next check. */
  hear(payload: Payload, now: number): void {
    const { e: engagementId, t: type } = payload
    if (this.watcher.mayHear?.(type, engagementId) === false) return
    if (![...this.#readings].some((reading) => concerns(reading, engagementId))) return
    if (engagementId === null) return this.#tell(payload)
    this.#noteRecent(engagementId, now)
    // It may hide the engagement, and with it the events that follow.
    if (payload.seen !== undefined) this.#visible.delete(engagementId)
    if (this.#visible.has(engagementId)) return this.#tell(payload)
    if (this.#waiting.length < MAX_WAITING) this.#waiting.push(payload)
    else this.reset()
  }

  /** The question for the next check. Events received from now on wait for the check after it. */
  ask(now: number): RightsQuestion {
    for (const [recent, at] of this.#recent) if (now - at > RECENT_MS) this.#recent.delete(recent)
    this.#asked = [...this.#asked, ...this.#waiting]
    this.#waiting = []
    const { kind, id, organizationId, ownerRole } = this.watcher
    const ids = [...this.#readings].flatMap(({ engagementId }) => engagementId ?? [])
    return {
      kind,
      id,
      organizationId,
      ...(ownerRole !== undefined && { ownerRole }),
      engagementIds: [...new Set([...ids, ...this.#recent.keys(), ...this.#asked.flatMap(({ e }) => e ?? [])])],
    }
  }

  /** Sends the waiting events, as far as they are visible, and ends streams that no longer have a right. */
  learn(rights: Rights | undefined): void {
    const asked = this.#asked
    this.#asked = []
    if (!rights) return this.end()
    this.#visible = rights.visible
    // Events that arrived since are newer than this check, and are sent before those that follow.
    for (const { e } of this.#waiting) if (e !== null) this.#visible.delete(e)
    for (const payload of asked) {
      if (rights.visible.has(payload.e as string)) this.#tell(payload)
      else if (this.#sawBefore(payload, rights)) this.#tell({ ...payload, c: 'deleted' })
    }
    for (const { reader, engagementId } of this.#readings)
      if (engagementId !== undefined && !rights.visible.has(engagementId)) reader.end()
  }

  beat(silentMs: number, stuckMs: number): void {
    for (const { reader } of this.#readings) reader.beat(silentMs, stuckMs)
  }

  reset(): void {
    this.#waiting = []
    this.#asked = []
    for (const { reader } of this.#readings) reader.reset()
  }

  end(): void {
    for (const { reader } of this.#readings) reader.end()
  }

  #sawBefore({ seen }: Payload, { seesAll }: Rights): boolean {
    const { userId, sawOpenEngagements } = this.watcher
    if (seen === undefined) return false
    return seesAll || (seen === 'everyone' ? sawOpenEngagements : seen.includes(userId))
  }

  #noteRecent(engagementId: string, now: number): void {
    this.#recent.delete(engagementId)
    this.#recent.set(engagementId, now)
    const [oldest] = this.#recent.keys()
    if (this.#recent.size > MAX_RECENT && oldest !== undefined) this.#recent.delete(oldest)
  }

  #tell(payload: Payload): void {
    const text = textOf(payload)
    for (const reading of this.#readings) if (concerns(reading, payload.e)) reading.reader.send(text)
  }
}

const concerns = (reading: Reading, engagementId: string | null): boolean =>
  reading.engagementId === undefined || reading.engagementId === engagementId

/** One event for each id; "many" is one event without an id. */
const textOf = ({ t: type, e: engagementId, c: change, ids }: Payload): string =>
  (ids?.slice(0, MAX_IDS) ?? [null])
    .map((id) => `data: ${JSON.stringify({ type, id, engagementId, change })}\n\n`)
    .join('')
