import type { Server, Socket } from 'node:net'

/** A reader for whom bytes wait takes at least so many in each span, or is let go. */
const LEAST_BYTES = 65_536
const SPAN_MS = 12_000
const SWEEP_MS = 2_000

interface Stall {
  takenBefore: number
  since: number
}

/**
 * Closes connections whose clients do not take their answers, or only drop by drop: what waits for them takes memory.
 *
 * @returns a function that stops watching
 */
export const closeSlowReaders = (server: Server): (() => void) => {
  const connections = new Map<Socket, Stall | undefined>()
  server.on('connection', (socket: Socket) => {
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
  })
  const sweep = () => {
    const now = performance.now()
    for (const [socket, stall] of connections) {
      const taken = socket.bytesWritten - socket.writableLength
      if (socket.writableLength === 0) {
        if (stall) connections.set(socket, undefined)
      } else if (!stall || taken - stall.takenBefore >= LEAST_BYTES) connections.set(socket, { takenBefore: taken, since: now })
      else if (now - stall.since >= SPAN_MS) socket.destroy()
    }
  }
  const timer = setInterval(sweep, SWEEP_MS)
  timer.unref()
  return () => clearInterval(timer)
}
