import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** Every HTTP server of this process that listens: with `HOST=localhost` there is one per address family. */
export interface Listeners {
  /** Ends those connections, too, on which a request is under way. */
  closeAllConnections(): void
  /**
   * Takes no new connections and leaves the open ones open, so that no client meets a closed one with its next request:
   * they end with the answer to that (`Connection: close`), or unused after `timeoutMs`.
   */
  leave(timeoutMs: number): Promise<void>
}

export const watchListeners = (): Listeners => {
  const servers = new Set<Server>()
  subscribe('tracing:net.server.listen:asyncEnd', (message) => {
    const { server } = message as { server: unknown }
    if (server instanceof Server) servers.add(server)
  })
  return {
    closeAllConnections: () => {
      for (const server of servers) server.closeAllConnections()
    },
    leave: async (timeoutMs) => {
      const all = [...servers].filter((server) => server.listening)
      const closed = all.map((server) => once(server, 'close'))
      for (const server of all) {
        // Node's `close` ends idle connections at once: a request may be on its way through one of them.
        server.closeIdleConnections = () => undefined
        server.close()
      }
      await Promise.race([Promise.all(closed), sleep(timeoutMs, undefined, { ref: false })])
      for (const server of all) {
        Reflect.deleteProperty(server, 'closeIdleConnections')
        server.closeIdleConnections()
      }
    },
  }
}
