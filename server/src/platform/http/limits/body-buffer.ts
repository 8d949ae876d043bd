/** Initial size for each body, in bytes. */
const FIRST_BYTES = 16_384

/**
 * Collects a body in a few blocks, each as large as all blocks before it together. A list of received chunks would cost
 * hundreds of bytes per chunk, and a client may send chunks of one byte (S34).
 */
export class BodyBuffer {
  /** Bytes so far. */
  length = 0
  readonly #expected: number
  #blocks: Buffer[] = []
  /** Bytes of all blocks. */
  #size = 0

  /** @param expectedBytes the maximum; memory is allocated only as bytes arrive */
  constructor(expectedBytes: number) {
    this.#expected = expectedBytes
  }

  /** Bytes of memory in use once this chunk is appended. */
  sizeWith({ length }: Buffer): number {
    const needed = this.length + length
    if (needed <= this.#size) return this.#size
    return Math.max(needed, Math.min(Math.max(FIRST_BYTES, 2 * this.#size), this.#expected))
  }

  append(chunk: Buffer): void {
    const size = this.sizeWith(chunk)
    const begun = this.#blocks.at(-1)
    const copied = begun ? chunk.copy(begun, begun.length - (this.#size - this.length)) : 0
    if (size > this.#size) {
      const block = Buffer.allocUnsafe(size - this.#size)
      chunk.copy(block, 0, copied)
      this.#blocks.push(block)
      this.#size = size
    }
    this.length += chunk.length
  }

  /** The whole body in one piece. */
  get bytes(): Buffer {
    if (this.#blocks.length > 1) this.#blocks = [Buffer.concat(this.#blocks, this.length)]
    return this.#blocks[0]?.subarray(0, this.length) ?? Buffer.alloc(0)
  }
}
