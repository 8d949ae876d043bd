import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

export interface Listener {
  address: string
  port: number
  /** Connections that it saw, in total and currently. */
  accepted: number
  open: Set<Socket>
  stop(): Promise<void>
}

/** Listens on loopback, counts, and calls `onConnection` for each connection. */
export const listen = (
  onConnection: (socket: Socket) => void = () => undefined,
  address = '127.0.0.1',
  port = 0,
): Promise<Listener> => listenWith(createServer(onConnection), address, port)

/** Listens with a server of any protocol. */
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

const DEAF = `
const { createServer } = require('node:net')
const { parentPort } = require('node:worker_threads')
const server = createServer()
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  parentPort.postMessage(server.address().port)
  setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
})`

/** Listens and never accepts, with a full queue: connections to it get no response at all. */
export const listenDeaf = async (): Promise<{ port: number; stop(): Promise<void> }> => {
  const thread = new Worker(DEAF, { eval: true })
  const [port] = (await once(thread, 'message')) as [number]
  const waiting: Socket[] = []
  for (let isFull = false; !isFull;) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    waiting.push(socket)
    isFull = (await Promise.race([once(socket, 'connect'), sleep(500, 'silence')])) === 'silence'
  }
  return {
    port,
    stop: async () => {
      for (const socket of waiting) socket.destroy()
      await thread.terminate()
    },
  }
}
