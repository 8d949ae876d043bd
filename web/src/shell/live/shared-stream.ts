import { isRefused, reportFailure } from '../../api/api.ts'
import { loadPart } from '../../ui/load-part.ts'
import { firstPageShown } from '../../ui/overlays/overlays.ts'
import type { readEvents as ReadEvents } from './event-stream.ts'
import { type LiveMessage, SILENCE_MS } from './live-message.ts'

const FIRST_WAIT_MS = 1_000
const MAX_WAIT_MS = 30_000

/**
 * Receives the events of an organization. All tabs of this browser share one stream: the tab with the lock reads it and
 * forwards events; when that tab closes, the next takes over. Without locks (plain HTTP), each tab reads its own
 * stream.
 * @param userId owner of the session: tabs of different users share nothing
 */
export const hearEvents = (
  userId: string,
  organizationId: string,
  hear: (message: LiveMessage) => void,
  signal: AbortSignal,
): void => {
  const name = `sortie.events.${userId}.${organizationId}`
  const channel = new BroadcastChannel(name)
  channel.addEventListener('message', ({ data }: MessageEvent<LiveMessage>) => hear(data))
  signal.addEventListener('abort', () => channel.close())
  const tell = (message: LiveMessage) => {
    if (signal.aborted) return
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel reaches only its own origin
    channel.postMessage(message)
    hear(message)
  }
  const read = () => keepReading(organizationId, tell, signal)
  // Aborting the signal ends the wait for the lock, which then throws.
  void (navigator.locks ? navigator.locks.request(name, { signal }, read).catch(() => undefined) : read())
}

/**
 * Opens the stream after the first page, and again whenever it ends, with exponential backoff, so that many browsers do
 * not reconnect at once.
 */
const keepReading = async (
  organizationId: string,
  tell: (message: LiveMessage) => void,
  signal: AbortSignal,
): Promise<void> => {
  await firstPageShown
  for (let failures = 0; !signal.aborted; failures++) {
    const openedAt = performance.now()
    await openStream(organizationId, tell, signal).catch((error: unknown) => {
      // The session or membership has ended. Reads report other errors, because they repeat in the meantime.
      if (isRefused(error, 'UNAUTHORIZED', 'FORBIDDEN')) reportFailure(error)
    })
    if (performance.now() - openedAt > 2 * SILENCE_MS) failures = 0
    await sleep(Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** failures) * (0.5 + Math.random() / 2), signal)
  }
}

const openStream: typeof ReadEvents = async (...stream) => {
  const { readEvents } = await loadPart(() => import('./event-stream.ts'))
  return readEvents(...stream)
}

/** Ends immediately when the signal aborts. */
const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
