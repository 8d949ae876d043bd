import type { EVENT_CHANGES, EVENT_TYPES } from '@sortie/contract/core/events.ts'

/** Object types of server events. */
export type EventType = (typeof EVENT_TYPES)[number]

/** An object of this type changed; the contract's `StreamedEvent`. */
export interface LiveEvent {
  type: EventType
  id: string | null
  /** null for an object of the whole organization. */
  engagementId: string | null
  change: (typeof EVENT_CHANGES)[number]
}

/** `beat`: keep-alive. `reset`: events may have been missed. */
export type LiveMessage = { kind: 'beat' } | { kind: 'reset' } | { kind: 'event'; event: LiveEvent }

/** The server sends something at least every 10 seconds. After this much silence the stream is buffered or dead. */
export const SILENCE_MS = 15_000
