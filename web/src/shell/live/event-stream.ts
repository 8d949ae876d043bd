import { toApiError } from '@sortie/client/request.ts'
import { createParser } from 'eventsource-parser'
import { addressOfCall } from '../../api.ts'
import type { EventType } from '../../feature.ts'

/** Something of this type changed; the contract's `StreamedEvent`. */
export interface LiveEvent {
  type: EventType
  id: string | null
  /** null for what belongs to the whole organization. */
  engagementId: string | null
}

/** `beat`: the stream lives. `reset`: something may have been missed. */
export type LiveMessage = { kind: 'beat' } | { kind: 'reset' } | { kind: 'event'; event: LiveEvent }

/** The server sends something at least every 10 seconds. After so long without, the stream is held back or dead. */
export const SILENCE_MS = 15_000

/**
 * Reads the stream of an organization until it ends, by either side.
 *
 * @throws ApiError where the server refuses it; what `fetch` throws where it is broken off, and the signal's reason
 */
export const readEvents = async (organizationId: string, tell: (message: LiveMessage) => void, signal: AbortSignal): Promise<void> => {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), SILENCE_MS)
  try {
    const response = await fetch(addressOfCall('streamEvents', {}), {
      headers: { accept: 'text/event-stream', 'x-organization': organizationId },
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.any([signal, silence.signal]),
    })
    if (!response.ok || !response.body) throw toApiError(response, await response.text())
    const parser = createParser({
      onEvent: ({ event, data }) => tell(event === 'reset' ? { kind: 'reset' } : { kind: 'event', event: JSON.parse(data) as LiveEvent }),
    })
    // What changed before it was open was told to nobody.
    tell({ kind: 'reset' })
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), SILENCE_MS)
      parser.feed(value)
      tell({ kind: 'beat' })
    }
  } finally {
    clearTimeout(timer)
  }
}
