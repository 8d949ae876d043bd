import { isRefused, reportFailure } from '../../api.ts'
import { type LiveMessage, readEvents, SILENCE_MS } from './event-stream.ts'

const FIRST_WAIT_MS = 1_000
const MAX_WAIT_MS = 30_000

/**
 * Hears what changes in an organization. All tabs of this browser share one stream: whoever holds the lock reads it, and
 * tells the others; when that tab closes, the next one takes over. Where the browser has no locks (a page that came over
 * plain HTTP), each tab reads a stream of its own.
 *
 * @param userId whose session it is: tabs of somebody else share nothing
 */
export const hearEvents = (userId: string, organizationId: string, hear: (message: LiveMessage) => void, signal: AbortSignal): void => {
  const name = `sortie.events.${userId}.${organizationId}`
  const channel = new BroadcastChannel(name)
  channel.addEventListener('message', ({ data }: MessageEvent<LiveMessage>) => hear(data))
  signal.addEventListener('abort', () => channel.close())
  const tell = (message: LiveMessage) => {
    if (signal.aborted) return
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel reaches its own origin alone
    channel.postMessage(message)
    hear(message)
  }
  const read = () => keepReading(organizationId, tell, signal)
  // Waiting for the lock ends with the signal, and throws then.
  void (navigator.locks ? navigator.locks.request(name, { signal }, read).catch(() => undefined) : read())
}

/** Opens the stream again whenever it ends, after waits that double, so that many browsers do not come back at once. */
const keepReading = async (organizationId: string, tell: (message: LiveMessage) => void, signal: AbortSignal): Promise<void> => {
  for (let failures = 0; !signal.aborted; failures++) {
    const openedAt = performance.now()
    await readEvents(organizationId, tell, signal).catch((error: unknown) => {
      // Ended with the session or the membership. Whatever else: the reads say it, which are asked again meanwhile.
      if (isRefused(error, 'UNAUTHORIZED', 'FORBIDDEN')) reportFailure(error)
    })
    if (performance.now() - openedAt > 2 * SILENCE_MS) failures = 0
    await sleep(Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** failures) * (0.5 + Math.random() / 2), signal)
  }
}

/** Ends at once with the signal. */
const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
