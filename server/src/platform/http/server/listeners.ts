import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { perMinute } from '../../concurrency/per-minute.ts'

const LOOPBACK = ['127.0.0.1', '::1']
/** The machine has no such address, or none of that family. */
const NO_SUCH_ADDRESS = ['EADDRNOTAVAIL', 'EAFNOSUPPORT']

interface ListenOptions {
  /** `localhost` means both loopback addresses, as far as the machine has them. */
  host: string
  port: number
  backlog?: number
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Listens on a host. When called again after a failure, it continues with the missing addresses. */
    listenOn(options: ListenOptions): Promise<void>
  }
}

/** Interval at which a closing server looks for idle connections. */
const IDLE_CHECK_MS = 100

/**
 * Adds `listenOn`. For `localhost`, Fastify would create a second HTTP server without the timeouts, limits and handlers
 * of the first. Here the second listener hands its connections to the first server.
 */
export const addListenOn = (app: FastifyInstance): void => {
  // While no descriptor is free, every connection fails.
  const mayLog = perMinute(1, ({ accept }) =>
    app.log.warn({ connections: accept }, 'more connections could not be accepted in the last minute'),
  )
  const others = new Map<string, net.Server>()
  const listenAlsoOn = async (host: string, backlog: number | undefined) => {
    const listener = net.createServer(
      { allowHalfOpen: true, noDelay: true },
      (socket) => void app.server.emit('connection', socket),
    )
    listener.on('error', (error) => {
      if (listener.listening && mayLog('accept')) app.log.warn({ err: error }, 'a connection could not be accepted')
    })
    const { port } = app.server.address() as AddressInfo
    listener.listen({ host, port, ...(backlog !== undefined && { backlog }) })
    await once(listener, 'listening')
    others.set(host, listener)
    app.log.info(`Server listening at http://[${host}]:${port}`)
  }
  app.decorate('listenOn', async ({ host, ...options }) => {
    const addresses = host === 'localhost' ? LOOPBACK : [host]
    for (const address of addresses) {
      const isMissing = (error: NodeJS.ErrnoException) =>
        addresses.length > 1 && NO_SUCH_ADDRESS.includes(error.code ?? '')
      try {
        if (!app.server.listening) await app.listen({ host: address, ...options })
        else if (address !== (app.server.address() as AddressInfo).address && !others.has(address))
          await listenAlsoOn(address, options.backlog)
      } catch (error) {
        if (!isMissing(error as NodeJS.ErrnoException) || (address === addresses.at(-1) && !app.server.listening))
          throw error
      }
    }
  })
  const closed: Promise<unknown>[] = []
  app.addHook('preClose', async () => {
    // An answer that had already started announced keep-alive: its connection would stay open and wait for the next
    // request.
    const closeIdle = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS)
    app.server.once('close', () => clearInterval(closeIdle))
    for (const listener of others.values()) {
      closed.push(once(listener, 'close'))
      listener.close()
    }
  })
  app.addHook('onClose', async () => void (await Promise.all(closed)))
}
