import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

export interface Listener {
  address: string
  port: number
  /** Connections that it saw, in all and now. */
  accepted: number
  open: Set<Socket>
  stop(): Promise<void>
}

/** Listens on loopback, counts, and does with each connection what it is told. */
export const listen = (onConnection: (socket: Socket) => void = () => undefined, address = '127.0.0.1', port = 0): Promise<Listener> =>
  listenWith(createServer(onConnection), address, port)

/** The same for a server of any protocol. */
export const listenWith = async (server: Server, address = '127.0.0.1', port = 0): Promise<Listener> => {
  const listener: Listener = {
    address,
    port: 0,
    accepted: 0,
    open: new Set(),
    stop: async () => {
      server.close()
      for (const socket of listener.open) socket.destroy()
      await once(server, 'close')
    },
  }
  server.on('connection', (socket: Socket) => {
    listener.accepted++
    listener.open.add(socket)
    socket.on('error', () => undefined).once('close', () => listener.open.delete(socket))
  })
  server.listen(port, address)
  await once(server, 'listening')
  listener.port = (server.address() as AddressInfo).port
  return listener
}

/** A port of loopback where nothing listens. */
export const closedPort = async (): Promise<number> => {
  const listener = await listen()
  await listener.stop()
  return listener.port
}
