import { Readable } from 'node:stream'

/** What a reader may leave unread. The rest is left out, and the reader told so once it has caught up. */
export const MAX_UNREAD_BYTES = 65_536
const RESET = 'event: reset\ndata: {}\n\n'
/** A comment, which readers skip. */
const HEARTBEAT = ':\n\n'

/** One open stream, as far as it is about bytes. */
export class EventReader {
  readonly readable: Readable
  #hasEnded = false
  #sentAt = performance.now()
  /** Since when something is left out. */
  #behindSince: number | undefined

  constructor(onClosed: () => void) {
    this.readable = new Readable({ read: () => this.#catchUp() })
    this.readable.once('close', onClosed)
    // At once, so that proxies and clients see that it has begun.
    this.send(HEARTBEAT)
  }

  send(text: string): void {
    if (this.#hasEnded || this.readable.destroyed || this.#behindSince !== undefined) return
    this.#sentAt = performance.now()
    if (this.readable.readableLength + text.length > MAX_UNREAD_BYTES) this.#behindSince = this.#sentAt
    else this.readable.push(text)
  }

  /** Something may have been missed. */
  reset(): void {
    this.send(RESET)
  }

  /**
   * Shows the client and every proxy that the stream lives; closes one that nobody reads.
   *
   * @param silentMs after so long without an event
   * @param stuckMs after so long in which the reader was behind
   */
  beat(silentMs: number, stuckMs: number): void {
    const now = performance.now()
    if (this.#behindSince !== undefined && now - this.#behindSince >= stuckMs) this.readable.destroy()
    else if (now - this.#sentAt >= silentMs) this.send(HEARTBEAT)
  }

  end(): void {
    this.#hasEnded = true
    if (!this.readable.destroyed) this.readable.push(null)
  }

  /** Runs when there is room again. */
  #catchUp(): void {
    if (this.#behindSince === undefined) return
    this.#behindSince = undefined
    this.readable.push(RESET)
  }
}
