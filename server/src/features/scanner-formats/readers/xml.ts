import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { UnreadableFile } from '../registry/format.ts'

/** An element that was read whole. Names and attributes have no namespace prefix. */
export interface Element {
  name: string
  attributes: Record<string, string>
  /** Its own text, without that of its children. */
  text: string
  children: Element[]
  /** The line where it starts. */
  line: number
}

export type XmlEvent =
  | { type: 'open'; element: Element; path: string }
  | { type: 'element'; element: Element; path: string }
  /** The rest cannot be read. */
  | { type: 'error'; reason: string }

/**
 * Selects elements to read whole, by their path from the root (`nmaprun/host`); their ancestors are reported when they
 * open.
 */
export type IsWhole = (path: string) => boolean

const MAX_DEPTH = 100
/** Limit of an element that is read whole, and of the text before the root. */
const MAX_ELEMENT_CHARACTERS = 64 * 1024 * 1024
/** Memory of an element in addition to its text, in characters. */
const ELEMENT_WEIGHT = 200
const MAX_PROLOG_CHARACTERS = 1024 * 1024
/** Control characters that XML cannot represent, although tools write them. */
const IMPOSSIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const PIECE_CHARACTERS = 64 * 1024

/**
 * Streams XML element by element. Accepts a DOCTYPE without loading anything; entity declarations make the file
 * unreadable. Accepts comments before the declaration, unknown entities and control characters. Any other error, or an
 * unclosed root, ends reading with an `error`. Another document in the same file (`--append-output`) is read like the
 * first.
 *
 * @throws UnreadableFile for entity declarations, deep nesting and elements of more than 64 MiB
 */
export async function* readXml(text: AsyncIterable<string>, isWhole: IsWhole): AsyncGenerator<XmlEvent> {
  let reader = new DocumentReader(isWhole, 0)
  for await (const piece of pieces(withoutPreamble(text))) {
    for (const part of reader.splitAtEnd(piece)) {
      if (reader.isClosed && part.trimStart().startsWith('<') && !isAside(part)) {
        const rest = skipPreamble(part)
        reader = new DocumentReader(isWhole, reader.line - 1 + linesIn(part.slice(0, part.length - rest.length)))
        reader.write(rest)
      } else reader.write(part)
      yield* reader.events.splice(0)
      if (reader.failed !== undefined) break
    }
    if (reader.failed !== undefined) break
  }
  if (reader.failed === undefined && reader.isClosed) return
  yield { type: 'error', reason: reader.failed ?? 'the file ends before its last element is closed' }
}

const linesIn = (text: string): number => text.split('\n').length - 1

/** True if the text has only comments and instructions, which may follow the root of a document. */
const isAside = (text: string): boolean => {
  for (let at = 0; at < text.length;) {
    if (/\s/.test(text.charAt(at))) at++
    else {
      const isInstruction = text.startsWith('<?', at) && !text.startsWith('<?xml ', at)
      const end = text.startsWith('<!--', at) ? '-->' : isInstruction ? '?>' : undefined
      const close = end === undefined ? -1 : text.indexOf(end, at + 2)
      // An unclosed comment continues in the next piece.
      if (close < 0) return end !== undefined
      at = close + (end as string).length
    }
  }
  return true
}

/** Reads one document of a file. */
class DocumentReader {
  readonly events: XmlEvent[] = []
  failed: string | undefined
  /** True after the root has ended. */
  isClosed = false
  readonly #parser = new SaxesParser({ position: true })
  readonly #isWhole: IsWhole
  readonly #linesBefore: number
  readonly #open: { element: Element; path: string; isKept: boolean }[] = []
  /** Characters of elements that are read whole, and of text without any tag. */
  #weight = 0
  #quiet = 0
  #root: string | undefined

  constructor(isWhole: IsWhole, linesBefore: number) {
    this.#isWhole = isWhole
    this.#linesBefore = linesBefore
    this.#parser.on('error', ({ message }) => {
      if (!/entity/.test(message)) this.failed ??= message.replace(/^\d+:\d+: /, `line ${this.line}: `)
    })
    this.#parser.on('doctype', (doctype) => {
      if (/<!ENTITY/i.test(doctype)) throw new UnreadableFile('the XML declares entities, which are not read')
    })
    this.#parser.on('opentag', (tag) => this.#begin(tag as SaxesTagPlain))
    this.#parser.on('closetag', () => this.#end())
    this.#parser.on('text', (text) => this.#addText(text))
    this.#parser.on('cdata', (text) => this.#addText(text))
  }

  get line(): number {
    return this.#linesBefore + this.#parser.line
  }

  write(piece: string): void {
    this.#weight += piece.length
    this.#quiet += piece.length
    if (Math.max(this.#open.at(-1)?.isKept ? this.#weight : 0, this.#quiet) > MAX_ELEMENT_CHARACTERS)
      throw new UnreadableFile('an element of the XML is larger than 64 MiB')
    if (this.#root === undefined && this.#quiet > MAX_PROLOG_CHARACTERS)
      throw new UnreadableFile('the XML has no root element within its first million characters')
    this.#parser.write(piece)
  }

  /** Splits a piece where the root may end: the rest belongs to another document. */
  splitAtEnd(piece: string): string[] {
    const root = this.#root ?? /<([A-Za-z_][\w:.-]{0,200})/.exec(piece)?.[1]
    const parts: string[] = []
    let from = 0
    for (let at = 0; root !== undefined && at >= 0;) {
      at = piece.indexOf(`</${root}`, at)
      const end = at < 0 ? -1 : piece.indexOf('>', at) + 1
      if (end <= 0) break
      parts.push(piece.slice(from, end))
      from = end
      at = end
    }
    return from < piece.length ? [...parts, piece.slice(from)] : parts
  }

  #begin(tag: SaxesTagPlain): void {
    if (this.#open.length >= MAX_DEPTH) throw new UnreadableFile(`the XML is nested deeper than ${MAX_DEPTH} elements`)
    const parent = this.#open.at(-1)
    const name = localName(tag.name)
    const path = parent ? `${parent.path}/${name}` : name
    const element: Element = { name, attributes: localNames(tag.attributes), text: '', children: [], line: this.line }
    const isKept = (parent?.isKept ?? false) || this.#isWhole(path)
    if (isKept && parent?.isKept) parent.element.children.push(element)
    if (!isKept) this.events.push({ type: 'open', element, path })
    this.#weight = isKept ? this.#weight + ELEMENT_WEIGHT : 0
    this.#quiet = 0
    this.#root ??= tag.name
    this.#open.push({ element, path, isKept })
  }

  #end(): void {
    const closed = this.#open.pop()
    if (!closed) return
    if (closed.isKept && !this.#open.at(-1)?.isKept) {
      this.events.push({ type: 'element', element: closed.element, path: closed.path })
      this.#weight = 0
    }
    this.#quiet = 0
    this.isClosed = this.#open.length === 0
  }

  #addText(piece: string): void {
    const current = this.#open.at(-1)
    if (current?.isKept) current.element.text += piece
    this.#quiet = 0
  }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

const localNames = (attributes: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name.startsWith('xmlns') ? name : localName(name), value]),
  )

/** Longer than any tag that separates documents. */
const MAX_TAG = 1_000

/** Splits text into pieces that parse fast, without characters that XML forbids, and not inside a short tag. */
async function* pieces(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of text) {
    for (let at = 0; at < chunk.length; at += PIECE_CHARACTERS) {
      const piece = rest + chunk.slice(at, at + PIECE_CHARACTERS).replace(IMPOSSIBLE, '\ufffd')
      const begin = piece.lastIndexOf('<')
      const isCut = begin >= 0 && piece.length - begin < MAX_TAG && !piece.includes('>', begin)
      rest = isCut ? piece.slice(begin) : ''
      if (!isCut) yield piece
      else if (begin > 0) yield piece.slice(0, begin)
    }
  }
  if (rest !== '') yield rest
}

/** Removes what must not come before the declaration. The first chunk holds the whole head of the file. */
async function* withoutPreamble(text: AsyncIterable<string>): AsyncGenerator<string> {
  let isFirst = true
  for await (const chunk of text) {
    yield isFirst ? skipPreamble(chunk) : chunk
    isFirst = false
  }
}

/** Skips blanks and comments before a declaration. */
const skipPreamble = (text: string): string => {
  let at = 0
  while (at < text.length) {
    if (text.startsWith('<!--', at)) {
      const end = text.indexOf('-->', at + 4)
      if (end < 0) return text
      at = end + 3
    } else if (/\s/.test(text.charAt(at))) at++
    else break
  }
  return text.startsWith('<?xml', at) ? text.slice(at) : text
}

/** Returns the first child with this name. */
export const childOf = (element: Element | undefined, name: string): Element | undefined =>
  element?.children.find((child) => child.name === name)

export const childrenOf = (element: Element | undefined, name: string): Element[] =>
  element?.children.filter((child) => child.name === name) ?? []

/** The names of the children, as fields that are counted. */
export const fieldsIn = (element: Element): Record<string, true> =>
  Object.fromEntries(element.children.map(({ name }) => [name, true] as const))

/** Returns the trimmed text of the first child with this name; undefined if it is missing or empty. */
export const textOf = (element: Element | undefined, name: string): string | undefined =>
  childOf(element, name)?.text.trim() || undefined
