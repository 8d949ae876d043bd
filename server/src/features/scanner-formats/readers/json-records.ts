import { isNoise } from '../fields/noise.ts'

/** One object of a file of records, or a piece that is not one. */
export type RecordEvent =
  | { type: 'record'; value: Record<string, unknown>; line: number }
  | { type: 'broken'; excerpt: string; reason: string; line: number }

const MAX_RECORD_CHARACTERS = 32 * 1024 * 1024
const MAX_DEPTH = 256
const EXCERPT = 200

const NEWLINE = 10
const QUOTE = 34
const BACKSLASH = 92
const ESCAPE = 27

/**
 * Reads objects in any layout that tools write: an array, one object per line, a single one, or indented ones in
 * sequence. A damaged record is reported and reading continues at the next line that starts a record. Text between
 * records that is neither array punctuation nor noise is also reported as broken.
 *
 * Handwritten, because streaming JSON parsers stop at the first error.
 */
export async function* readRecords(text: AsyncIterable<string>): AsyncGenerator<RecordEvent> {
  const reader = new RecordReader()
  for await (const chunk of text) {
    reader.push(chunk)
    yield* reader.events.splice(0)
  }
  reader.end()
  yield* reader.events.splice(0)
}

class RecordReader {
  readonly events: RecordEvent[] = []
  #line = 1
  /** Zero: between records. */
  #depth = 0
  #inString = false
  #isEscaped = false
  #isLineStart = true
  /** Unexpected text between records, until the end of its line. */
  #stray = ''
  #isStray = false
  /** Inside an escape sequence for terminal colours. */
  #isEscape = false
  #isBeforeFirst = true
  #pieces: string[] = []
  #size = 0
  #begin = { line: 1, isLineStart: false }

  push(chunk: string): void {
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at)
      if (this.#depth === 0) {
        if (this.#between(chunk.charAt(at), code)) from = at
      } else if (this.#inString && code !== NEWLINE) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (code === BACKSLASH) this.#isEscaped = true
        else if (code === QUOTE) this.#inString = false
      } else if (this.#inString) {
        this.#break(chunk.slice(from, at), 'a text is cut off at the end of a line')
        from = at + 1
      } else if (code === QUOTE) this.#inString = true
      else if (code === 123 || code === 91) {
        if (this.#isLineStart && this.#begin.isLineStart && code === 123) {
          this.#break(chunk.slice(from, at), 'the record is cut off')
          this.#open()
          from = at
        } else this.#depth++
        if (this.#depth > MAX_DEPTH) {
          this.#break(chunk.slice(from, at), `nested deeper than ${MAX_DEPTH} levels`)
          this.#isStray = true
        }
      } else if (code === 125 || code === 93) {
        this.#depth--
        if (this.#depth === 0) this.#finish(chunk.slice(from, at + 1))
      }
      this.#isLineStart = code === NEWLINE
      if (code === NEWLINE) this.#line++
    }
    if (this.#depth > 0) this.#keep(chunk.slice(from))
  }

  end(): void {
    if (this.#depth > 0) this.#break('', 'the record is cut off')
    this.#endStray()
  }

  /** @returns true if a record starts here */
  #between(character: string, code: number): boolean {
    if (code === NEWLINE) this.#endStray()
    else if (this.#isEscape) this.#isEscape = !/[A-Za-z]/.test(character)
    else if (this.#isStray) {
      if (this.#stray.length < EXCERPT) this.#stray += character
    } else if (code === 123) {
      this.#open()
      return true
    } else if (code === ESCAPE) this.#isEscape = true
    else if (!/[\s[\],]/.test(character)) {
      this.#isStray = true
      this.#stray = character
    }
    return false
  }

  #open(): void {
    this.#isBeforeFirst = false
    this.#depth = 1
    this.#begin = { line: this.#line, isLineStart: this.#isLineStart }
  }

  #keep(piece: string): void {
    this.#pieces.push(piece)
    this.#size += piece.length
    if (this.#size <= MAX_RECORD_CHARACTERS) return
    this.#break('', 'larger than 32 MiB')
    this.#isStray = true
  }

  #finish(last: string): void {
    const source = this.#pieces.length === 0 ? last : [...this.#pieces, last].join('')
    this.#forget()
    try {
      this.events.push({ type: 'record', value: JSON.parse(source) as Record<string, unknown>, line: this.#begin.line })
    } catch {
      this.events.push({
        type: 'broken',
        excerpt: source.slice(0, EXCERPT),
        reason: 'is not JSON',
        line: this.#begin.line,
      })
    }
  }

  #break(last: string, reason: string): void {
    const excerpt = ((this.#pieces[0] ?? '') + last).slice(0, EXCERPT)
    this.#forget()
    this.events.push({ type: 'broken', excerpt, reason, line: this.#begin.line })
  }

  #forget(): void {
    this.#pieces = []
    this.#size = 0
    this.#depth = 0
    this.#inString = false
    this.#isEscaped = false
  }

  #endStray(): void {
    const stray = this.#stray
    this.#isEscape = false
    this.#isStray = false
    this.#stray = ''
    if (stray !== '' && !isNoise(stray, this.#isBeforeFirst))
      this.events.push({ type: 'broken', excerpt: stray, reason: 'is not JSON', line: this.#line })
  }
}
