import net from 'node:net'

/** Number of loopback addresses of a crowd, so that no limit per address ends it; 127.0.0.1 is left to others. */
const ADDRESSES = 9

export interface Crowd {
  readonly sockets: readonly net.Socket[]
  /** The number of open connections. */
  open(): number
  end(): void
}

/**
 * Opens connections to a server on loopback, each of which sends `bytes` and reads nothing unless `reads` is set.
 *
 * @param addresses number of client addresses: 127.0.0.2, 127.0.0.3 ...
 * @returns when each is connected or was refused
 */
export const openCrowd = async (
  port: number,
  count: number,
  { bytes = '', reads = false, addresses = ADDRESSES } = {},
): Promise<Crowd> => {
  const connecting: Promise<void>[] = []
  const sockets = Array.from({ length: count }, (_, i) => {
    const socket = net.connect({ host: '127.0.0.1', port, localAddress: `127.0.0.${2 + (i % addresses)}` })
    socket.on('error', () => undefined)
    connecting.push(
      new Promise((resolve) => {
        socket.once('connect', resolve)
        socket.once('close', () => resolve())
      }),
    )
    if (reads) socket.resume()
    if (bytes) socket.write(bytes)
    return socket
  })
  await Promise.all(connecting)
  return {
    sockets,
    open: () => sockets.filter(({ closed, destroyed }) => !closed && !destroyed).length,
    end: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}
