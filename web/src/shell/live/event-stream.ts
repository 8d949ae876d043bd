import { toApiError } from '@sortie/client/request.ts'
import { createParser } from 'eventsource-parser'
import { addressOfCall } from '../../api/api.ts'
import { type LiveEvent, type LiveMessage, SILENCE_MS } from './live-message.ts'

/**
 * Reads the stream of an organization until either side ends it.
 * @throws ApiError if the server refuses it; what `fetch` throws on a broken connection; the signal's reason
 */
export const readEvents = async (
  organizationId: string,
  tell: (message: LiveMessage) => void,
  signal: AbortSignal,
): Promise<void> => {
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
      onEvent: ({ event, data }) =>
        tell(event === 'reset' ? { kind: 'reset' } : { kind: 'event', event: JSON.parse(data) as LiveEvent }),
    })
    // Changes before the stream opened were not received.
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
