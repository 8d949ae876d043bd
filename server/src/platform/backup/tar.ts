/** Receives the entries of a tar archive in their order; the bytes of a file follow its beginning. */
export interface TarSink {
  directory(name: string): void
  begin(name: string, bytes: number): void
  data(bytes: Buffer): void
  end(): void
}

const BLOCK = 512
const NAME = { from: 0, to: 100 }
const SIZE = { from: 124, to: 136 }
const TYPE = 156

/** Reads a tar archive as Postgres writes it (ustar, files and directories alone), in pieces of any length. */
export class TarReader {
  readonly #sink: TarSink
  #header = Buffer.alloc(0)
  /** Bytes of the current file, and of the padding behind it, that have not come yet. */
  #expected = 0
  #padding = 0

  constructor(sink: TarSink) {
    this.#sink = sink
  }

  /** @throws Error for an entry of another kind */
  push(bytes: Buffer): void {
    for (let rest = bytes; rest.length > 0; ) {
      if (this.#expected > 0) {
        const piece = rest.subarray(0, this.#expected)
        rest = rest.subarray(piece.length)
        this.#expected -= piece.length
        this.#sink.data(piece)
        if (this.#expected === 0) this.#sink.end()
      } else if (this.#padding > 0) {
        const skipped = Math.min(this.#padding, rest.length)
        rest = rest.subarray(skipped)
        this.#padding -= skipped
      } else {
        const piece = rest.subarray(0, BLOCK - this.#header.length)
        rest = rest.subarray(piece.length)
        this.#header = Buffer.concat([this.#header, piece])
        if (this.#header.length === BLOCK) this.#open(this.#header)
      }
    }
  }

  /** Whether everything that was announced has come. */
  get isComplete(): boolean {
    return this.#expected === 0 && this.#padding === 0 && this.#header.length === 0
  }

  #open(header: Buffer): void {
    this.#header = Buffer.alloc(0)
    // The archive ends with blocks of zeros.
    if (header.every((byte) => byte === 0)) return
    const name = textOf(header, NAME)
    const type = String.fromCharCode(header[TYPE] as number)
    if (type === '5') return this.#sink.directory(name.replace(/\/$/, ''))
    const bytes = Number.parseInt(textOf(header, SIZE), 8)
    if ((type !== '0' && type !== '\0') || !Number.isSafeInteger(bytes)) throw new Error(`an entry of a kind that is not known: ${name} (${type})`)
    this.#sink.begin(name, bytes)
    this.#expected = bytes
    this.#padding = (BLOCK - (bytes % BLOCK)) % BLOCK
    if (bytes === 0) this.#sink.end()
  }
}

const textOf = (header: Buffer, { from, to }: { from: number; to: number }): string => {
  const field = header.subarray(from, to)
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end === -1 ? field.length : end).trim()
}
