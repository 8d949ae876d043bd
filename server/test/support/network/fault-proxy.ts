import { createConnection, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net'
import { freePort } from '../app/server-process.ts'

/**
 * pass: bytes are forwarded. latency: each chunk is delayed by this number of milliseconds. cut: connections are ended
 * and new ones refused. reset: connections are reset, new ones as soon as they are open. black hole: connections open,
 * and every byte is dropped; a connection that lost bytes in this way never passes any again.
 */
export type Fault = 'pass' | 'cut' | 'reset' | 'black hole' | { latencyMs: number }

/** A connection that carried `mark` breaks at the next chunk of a client that contains these bytes. */
interface Trap {
  mark: string
  bytes: string
  /** True if the chunk is still forwarded; its answer never is. */
  passes: boolean
}

/** Time for the server to process the chunk before the connection to it breaks. */
const TRAP_GRACE_MS = 300

interface Pair {
  client: Socket
  upstream: Socket | undefined
  swallowed: boolean
  /** It carried the mark of the trap. */
  isMarked: boolean
}

/** A TCP proxy in front of a database or cache, with faults. */
export class FaultProxy {
  readonly port: number
  readonly #server: Server
  readonly #pairs = new Set<Pair>()
  #fault: Fault = 'pass'
  #trap: Trap | undefined
  /** The destination of new connections. */
  upstream: NetConnectOpts
  /** Number of connections that clients have opened. */
  accepted = 0

  private constructor(server: Server, port: number, upstream: NetConnectOpts) {
    this.#server = server
    this.port = port
    this.upstream = upstream
    server.on('connection', (client) => this.#accept(client))
  }

  static async start(upstream: NetConnectOpts): Promise<FaultProxy> {
    const server = createServer({ allowHalfOpen: true })
    const port = await freePort()
    await new Promise<void>((resolve) => {
      server.listen(port, '127.0.0.1', resolve)
    })
    return new FaultProxy(server, port, upstream)
  }

  /** Open connections that lost bytes. */
  get lost(): number {
    return [...this.#pairs].filter(({ swallowed }) => swallowed).length
  }

  async set(fault: Fault): Promise<void> {
    this.#fault = fault
    if (fault === 'cut' || fault === 'reset') this.dropConnections(fault === 'reset')
    if (fault === 'cut') await new Promise((resolve) => this.#server.close(resolve))
    else if (!this.#server.listening) {
      await new Promise<void>((resolve) => {
        this.#server.listen(this.port, '127.0.0.1', resolve)
      })
    }
  }

  /** Breaks the connection that sends these bytes after it has sent `mark`, before or after they are forwarded. */
  breakAt(mark: string, bytes: string, when: 'before' | 'after'): void {
    this.#trap = { mark, bytes, passes: when === 'after' }
  }

  /**
   * Open connections stay open and forward nothing any more, as behind a firewall that has forgotten them; new ones
   * work.
   */
  forgetConnections(): void {
    for (const pair of this.#pairs) pair.swallowed = true
  }

  /** Ends the open connections; new ones follow the current fault. */
  dropConnections(byReset = false): void {
    for (const { client, upstream } of this.#pairs) {
      if (byReset) client.resetAndDestroy()
      else client.destroy()
      upstream?.destroy()
    }
    this.#pairs.clear()
  }

  async close(): Promise<void> {
    this.dropConnections()
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve))
  }

  #accept(client: Socket): void {
    this.accepted++
    client.on('error', () => undefined)
    if (this.#fault === 'reset') {
      client.resetAndDestroy()
      return
    }
    const pair: Pair = { client, upstream: undefined, swallowed: this.#fault === 'black hole', isMarked: false }
    this.#pairs.add(pair)
    client.once('close', () => {
      this.#pairs.delete(pair)
      pair.upstream?.destroy()
    })
    if (pair.swallowed) {
      client.resume()
      return
    }
    const upstream = createConnection(this.upstream)
    pair.upstream = upstream
    upstream.on('error', () => client.destroy())
    upstream.once('close', () => {
      if (!pair.swallowed) client.destroy()
    })
    this.#pump(pair, client, upstream)
    this.#pump(pair, upstream, client)
  }

  #spring({ passes }: Trap, pair: Pair, to: Socket, chunk: Buffer): void {
    this.#trap = undefined
    pair.swallowed = true
    if (passes) to.write(chunk)
    const end = () => {
      pair.client.destroy()
      to.destroy()
    }
    setTimeout(end, passes ? TRAP_GRACE_MS : 0)
  }

  #pump(pair: Pair, from: Socket, to: Socket): void {
    from.on('data', (chunk: Buffer) => {
      if (this.#trap && from === pair.client && chunk.includes(this.#trap.mark)) pair.isMarked = true
      if (this.#trap && pair.isMarked && from === pair.client && chunk.includes(this.#trap.bytes)) {
        this.#spring(this.#trap, pair, to, chunk)
        return
      }
      if (this.#fault === 'black hole') pair.swallowed = true
      if (pair.swallowed) return
      if (typeof this.#fault === 'object') setTimeout(() => !pair.swallowed && to.write(chunk), this.#fault.latencyMs)
      else to.write(chunk)
    })
    from.on('end', () => {
      if (!pair.swallowed) to.end()
    })
  }
}
