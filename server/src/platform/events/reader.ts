import { Readable } from 'node:stream'

/**
 * Maximum of unread bytes per reader. Further events are dropped, and the reader gets a reset once it has caught up.
 */
export const MAX_UNREAD_BYTES = 65_536
const RESET = 'event: reset\ndata: {}\n\n'
/** A comment, which readers skip. */
const HEARTBEAT = ':\n\n'

/** The byte level of one open stream. */
export class EventReader {
  readonly readable: Readable
  #hasEnded = false
  #sentAt = performance.now()
  /** Time since which events are dropped. */
  #behindSince: number | undefined

  constructor(onClosed: () => void) {
    this.readable = new Readable({ read: () => this.#catchUp() })
    this.readable.once('close', onClosed)
    // Sent at once, so that proxies and clients see the start of the stream.
    this.send(HEARTBEAT)
  }

  send(text: string): void {
    if (this.#hasEnded || this.readable.destroyed || this.#behindSince !== undefined) return
    this.#sentAt = performance.now()
    if (this.readable.readableLength + text.length > MAX_UNREAD_BYTES) this.#behindSince = this.#sentAt
    else this.readable.push(text)
  }

  /** Reports that events may have been missed. */
  reset(): void {
    this.send(RESET)
  }

  /**
   * Shows the client and every proxy that the stream is alive; closes one that no one reads.
   *
   * @param silentMs sends a heartbeat after this long without an event
   * @param stuckMs closes the stream after the reader has been behind for this long
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

  /** Runs when the buffer has space again. */
  #catchUp(): void {
    if (this.#behindSince === undefined) return
    this.#behindSince = undefined
    this.readable.push(RESET)
  }
}
