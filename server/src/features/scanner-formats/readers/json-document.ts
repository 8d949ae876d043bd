import { UnreadableFile } from '../registry/format.ts'

/**
 * A part of a large document at its path: keys joined by dots, `*` for entries of a list (`runs.*.results.*`). `close`
 * ends an entered list or object.
 */
export type DocumentEvent =
  | { type: 'value'; path: string; value: unknown; line: number }
  | { type: 'open' | 'close'; path: string; line: number }
  /** The rest cannot be read. */
  | { type: 'error'; reason: string; line: number }

/** Treatment of a value: read whole, entered, or skipped. */
export type Interest = 'whole' | 'enter' | 'skip'

const MAX_PART_CHARACTERS = 32 * 1024 * 1024
const MAX_DEPTH = 256

const CONTAINERS: Record<string, string> = { '{': '}', '[': ']' }
/** The end of a number, boolean or null. */
const ATOM_END = /[\s,\]}]/

interface Level {
  path: string
  closer: string
  /** For an object: the next token. */
  expects: 'key' | 'value'
  key: string
}

/** A value or key that is captured or skipped until its end. */
interface Followed {
  path: string
  line: number
  isKey: boolean
  isKept: boolean
  depth: number
  kind: 'container' | 'string' | 'atom'
}

/**
 * Streams large JSON documents in parts, in one pass and little memory. Skips what the caller does not request. A file
 * may hold several documents: in a list, one per line, or in a row. Each has the same paths, and opens the path ''. Lines
 * of a log before the first one are skipped. Handwritten, because streaming JSON parsers are not built for untrusted input.
 *
 * @param interestIn returns how to treat the value at a path; the root's path is ''
 * @param isList the root of a document is a list itself, with its entries at the path `*`
 * @throws UnreadableFile for a part of more than 32 MiB and for deep nesting
 */
export async function* readDocument(
  text: AsyncIterable<string>,
  interestIn: (path: string) => Interest,
  isList = false,
): AsyncGenerator<DocumentEvent> {
  const reader = new DocumentReader(interestIn, isList)
  for await (const chunk of text) {
    reader.push(chunk)
    yield* reader.events.splice(0)
    if (reader.hasFailed) return
  }
  reader.end()
  yield* reader.events.splice(0)
}

class DocumentReader {
  readonly events: DocumentEvent[] = []
  hasFailed = false
  readonly #interestIn: (path: string) => Interest
  readonly #levels: Level[] = []
  #line = 1
  #value: Followed | undefined
  #pieces: string[] = []
  #size = 0
  #inString = false
  #isEscaped = false
  #isDone = false
  readonly #isList: boolean
  #isLineOfLog = false

  constructor(interestIn: (path: string) => Interest, isList: boolean) {
    this.#interestIn = interestIn
    this.#isList = isList
  }

  push(chunk: string): void {
    let from = 0
    for (let at = 0; at < chunk.length && !this.hasFailed; at++) {
      const character = chunk.charAt(at)
      if (character === '\n') {
        this.#line++
        if (this.#inString) return this.#fail('a text is cut off at the end of a line')
      }
      if (this.#value === undefined) {
        if (this.#begin(character)) from = at
        continue
      }
      const ended = this.#follow(character)
      if (ended === undefined) continue
      this.#finish(chunk.slice(from, at + (ended === 'with' ? 1 : 0)))
      if (ended === 'before') this.#begin(character)
    }
    if (this.#value) this.#keep(chunk.slice(from))
  }

  end(): void {
    if (!this.hasFailed && !this.#isDone) this.#fail('the file ends before the document does')
  }

  /** @returns true if a value or key starts here that must be read to its end */
  #begin(character: string): boolean {
    const level = this.#levels.at(-1)
    if (!level && !this.#beginsDocument(character)) return false
    if (/\s/.test(character)) return false
    if (character === ',' || character === ':') return false
    if (level && character === level.closer) {
      this.#levels.pop()
      this.events.push({ type: 'close', path: level.path, line: this.#line })
      this.#endDocument()
      return false
    }
    if (level?.closer === '}' && level.expects === 'key') {
      if (character !== '"') {
        this.#fail('a key is missing')
        return false
      }
      return this.#start({ path: level.path, isKey: true, isKept: true }, character)
    }
    const path = !level
      ? ''
      : level.closer === '}'
        ? join(level.path, level.key)
        : // A list of documents has no path of its own.
          this.#levels.length === 1 && !this.#isList
          ? ''
          : join(level.path, '*')
    if (level?.closer === '}') level.expects = 'key'
    const interest = this.#interestIn(path)
    const closer = CONTAINERS[character]
    if (closer !== undefined && interest === 'enter') {
      if (this.#levels.length >= MAX_DEPTH)
        throw new UnreadableFile(`the document is nested deeper than ${MAX_DEPTH} levels`)
      this.#levels.push({ path, closer, expects: 'key', key: '' })
      this.events.push({ type: 'open', path, line: this.#line })
      return false
    }
    return this.#start({ path, isKey: false, isKept: interest !== 'skip' }, character)
  }

  #endDocument(): void {
    this.#isDone = this.#levels.length === 0
    this.#isLineOfLog = false
  }

  /** True if a document begins with this character. Before the first one, lines that begin otherwise are skipped. */
  #beginsDocument(character: string): boolean {
    if (character === '\n') this.#isLineOfLog = false
    if (this.#isLineOfLog || /[\s,]/.test(character)) return false
    if ('{['.includes(character)) {
      this.#isDone = false
      return true
    }
    if (this.#isDone) this.#fail('something follows the end of the document')
    this.#isLineOfLog = true
    return false
  }

  #start(value: { path: string; isKey: boolean; isKept: boolean }, character: string): boolean {
    const kind = CONTAINERS[character] !== undefined ? 'container' : character === '"' ? 'string' : 'atom'
    this.#value = { ...value, line: this.#line, depth: kind === 'container' ? 1 : 0, kind }
    this.#inString = kind === 'string'
    return true
  }

  /** @returns `with` if the value ends with this character, `before` if it ended before it */
  #follow(character: string): 'with' | 'before' | undefined {
    const value = this.#value as Followed
    if (this.#inString) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (character === '\\') this.#isEscaped = true
      else if (character === '"') {
        this.#inString = false
        if (value.kind === 'string') return 'with'
      }
      return undefined
    }
    if (value.kind === 'atom') return ATOM_END.test(character) ? 'before' : undefined
    if (character === '"') this.#inString = true
    else if (character === '{' || character === '[') {
      value.depth++
      if (value.depth + this.#levels.length > MAX_DEPTH)
        throw new UnreadableFile(`the document is nested deeper than ${MAX_DEPTH} levels`)
    } else if (character === '}' || character === ']') {
      value.depth--
      if (value.depth === 0) return 'with'
    }
    return undefined
  }

  #keep(piece: string): void {
    if (!this.#value?.isKept) return
    this.#pieces.push(piece)
    this.#size += piece.length
    if (this.#size > MAX_PART_CHARACTERS) throw new UnreadableFile('part of the document is larger than 32 MiB')
  }

  #finish(last: string): void {
    const { path, line, isKey, isKept } = this.#value as Followed
    const source = [...this.#pieces, last].join('')
    this.#value = undefined
    this.#pieces = []
    this.#size = 0
    const level = this.#levels.at(-1)
    this.#endDocument()
    if (!isKept) return
    let value: unknown
    try {
      value = JSON.parse(source)
    } catch {
      this.#fail('is not JSON')
      return
    }
    if (level && isKey) {
      level.key = value as string
      level.expects = 'value'
    } else this.events.push({ type: 'value', path, value, line })
  }

  #fail(reason: string): void {
    this.hasFailed = true
    this.events.push({ type: 'error', reason, line: this.#line })
  }
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`)
