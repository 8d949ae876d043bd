import type { Server, Socket } from 'node:net'

/** A reader for whom bytes wait takes at least so many in each span, or is let go. */
const LEAST_BYTES = 65_536
const SPAN_MS = 12_000
const SWEEP_MS = 250
/** Who took nothing for this long stalls. */
const STALLED_AFTER_MS = 1_000
/** What waits for those that stall takes memory: so many of them, or of bytes, are borne for the whole of the span. */
const MAX_STALLED = 256
const MAX_STALLED_BYTES = 67_108_864

/** A connection for which bytes wait. */
interface Reader {
  /** Of writes that have been taken as a whole, and the rest of the one that is being taken. */
  finished: number
  rest: number
  takenInSpan: number
  spanSince: number
  movedAt: number
}

/**
 * Closes connections whose clients do not take their answers, or only drop by drop: what waits for them takes memory. While
 * too many do so, those that have taken nothing for the longest time go first, without being waited for.
 *
 * @returns a function that stops watching
 */
export const closeSlowReaders = (server: Server): (() => void) => {
  const connections = new Map<Socket, Reader | undefined>()
  server.on('connection', (socket: Socket) => {
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
  })
  const sweep = () => {
    const now = performance.now()
    const stalled: { socket: Socket; movedAt: number; bytes: number }[] = []
    let bytesStalled = 0
    for (const [socket, reader] of connections) {
      const bytes = socket.writableLength
      if (bytes === 0) {
        if (reader) connections.set(socket, undefined)
        continue
      }
      if (!reader) {
        connections.set(socket, { finished: socket.bytesWritten - bytes, rest: restOf(socket), takenInSpan: 0, spanSince: now, movedAt: now })
        continue
      }
      note(reader, socket, now)
      if (now - reader.spanSince >= SPAN_MS) socket.destroy()
      else if (now - reader.movedAt >= STALLED_AFTER_MS) {
        stalled.push({ socket, movedAt: reader.movedAt, bytes })
        bytesStalled += bytes
      }
    }
    if (stalled.length <= MAX_STALLED && bytesStalled <= MAX_STALLED_BYTES) return
    stalled.sort((a, b) => a.movedAt - b.movedAt)
    for (const [i, { socket, bytes }] of stalled.entries()) {
      if (stalled.length - i <= MAX_STALLED && bytesStalled <= MAX_STALLED_BYTES) break
      bytesStalled -= bytes
      socket.destroy()
    }
  }
  const timer = setInterval(sweep, SWEEP_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** Adds what was taken since the last look. */
const note = (reader: Reader, socket: Socket, now: number): void => {
  const finished = socket.bytesWritten - socket.writableLength
  const rest = restOf(socket)
  const taken = finished > reader.finished ? finished - reader.finished : Math.max(0, reader.rest - rest)
  reader.finished = finished
  reader.rest = rest
  if (taken > 0) reader.movedAt = now
  reader.takenInSpan += taken
  if (reader.takenInSpan < LEAST_BYTES) return
  reader.takenInSpan = 0
  reader.spanSince = now
}

/**
 * Bytes of the write under way that the system has not taken yet. An answer is one write, however large, and counts as
 * written only when all of it is; Node's own timeouts go by this number for the same reason.
 */
const restOf = (socket: Socket): number => (socket as unknown as { _handle: { writeQueueSize: number } | null })._handle?.writeQueueSize ?? 0
