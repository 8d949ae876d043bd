import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { UnreadableFile } from './format.ts'

/** An element that was read whole. Names and attributes are without the prefix of their namespace. */
export interface Element {
  name: string
  attributes: Record<string, string>
  /** Its own text, without that of its children. */
  text: string
  children: Element[]
  /** Where it begins. */
  line: number
}

export type XmlEvent =
  | { type: 'open'; element: Element; path: string }
  | { type: 'element'; element: Element; path: string }
  /** Nothing after it can be read. */
  | { type: 'error'; reason: string }

/** What is read whole, by its path from the root (`nmaprun/host`); elements above are told as they open. */
export type IsWhole = (path: string) => boolean

const MAX_DEPTH = 100
/** An element that is read whole, and what stands before the root. */
const MAX_ELEMENT_CHARACTERS = 64 * 1024 * 1024
/** Beside its text, an element takes about as much memory as this many characters. */
const ELEMENT_WEIGHT = 200
const MAX_PROLOG_CHARACTERS = 1024 * 1024
/** Control characters that XML knows no way of writing: tools write them all the same. */
const IMPOSSIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const PIECE_CHARACTERS = 64 * 1024

/**
 * Reads XML as a stream, element by element. A DOCTYPE is accepted and loads nothing; one that declares entities makes the
 * file unreadable. Comments before the declaration, unknown entities and control characters are borne; any other mistake
 * ends the reading with an `error`, as a file does that ends before its root is closed.
 *
 * @throws UnreadableFile for entity declarations, deep nesting and elements of more than 64 MiB
 */
export async function* readXml(text: AsyncIterable<string>, isWhole: IsWhole): AsyncGenerator<XmlEvent> {
  const parser = new SaxesParser({ position: true })
  const events: XmlEvent[] = []
  const open: { element: Element; path: string; isKept: boolean }[] = []
  let failed: string | undefined
  let weight = 0
  let quiet = 0
  let hasRoot = false
  let isClosed = false

  parser.on('error', ({ message }) => {
    if (!/entity/.test(message)) failed ??= message.replace(/^\d+:\d+: /, `line ${parser.line}: `)
  })
  parser.on('doctype', (doctype) => {
    if (/<!ENTITY/i.test(doctype)) throw new UnreadableFile('the XML declares entities, which are not read')
  })
  parser.on('opentag', (tag) => {
    if (open.length >= MAX_DEPTH) throw new UnreadableFile(`the XML is nested deeper than ${MAX_DEPTH} elements`)
    const parent = open.at(-1)
    const name = localName(tag.name)
    const path = parent ? `${parent.path}/${name}` : name
    const element: Element = { name, attributes: localNames(tag.attributes as SaxesTagPlain['attributes']), text: '', children: [], line: parser.line }
    const isKept = (parent?.isKept ?? false) || isWhole(path)
    if (isKept && parent?.isKept) parent.element.children.push(element)
    if (!isKept) events.push({ type: 'open', element, path })
    weight = isKept ? weight + ELEMENT_WEIGHT : 0
    quiet = 0
    hasRoot = true
    open.push({ element, path, isKept })
  })
  parser.on('closetag', () => {
    const closed = open.pop()
    if (!closed) return
    const isOutermost = closed.isKept && !open.at(-1)?.isKept
    if (isOutermost) {
      events.push({ type: 'element', element: closed.element, path: closed.path })
      weight = 0
    }
    quiet = 0
    isClosed = open.length === 0
  })
  const addText = (piece: string) => {
    const current = open.at(-1)
    if (current?.isKept) current.element.text += piece
    quiet = 0
  }
  parser.on('text', addText)
  parser.on('cdata', addText)

  for await (const piece of pieces(withoutPreamble(text))) {
    weight += piece.length
    quiet += piece.length
    if (Math.max(open.at(-1)?.isKept ? weight : 0, quiet) > MAX_ELEMENT_CHARACTERS) throw new UnreadableFile('an element of the XML is larger than 64 MiB')
    if (!hasRoot && quiet > MAX_PROLOG_CHARACTERS) throw new UnreadableFile('the XML has no root element within its first million characters')
    parser.write(piece)
    yield* events.splice(0)
    if (failed !== undefined) break
  }
  if (failed === undefined && isClosed) return
  yield { type: 'error', reason: failed ?? 'the file ends before its last element is closed' }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

const localNames = (attributes: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name.startsWith('xmlns') ? name : localName(name), value]))

/** In pieces that are soon parsed, with nothing in them that XML cannot have. */
async function* pieces(text: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const chunk of text) {
    for (let at = 0; at < chunk.length; at += PIECE_CHARACTERS) yield chunk.slice(at, at + PIECE_CHARACTERS).replace(IMPOSSIBLE, '\ufffd')
  }
}

/** The first chunk holds the whole head of the file: what must not stand before the declaration is left out. */
async function* withoutPreamble(text: AsyncIterable<string>): AsyncGenerator<string> {
  let isFirst = true
  for await (const chunk of text) {
    yield isFirst ? skipPreamble(chunk) : chunk
    isFirst = false
  }
}

/** Skips blanks and comments where a declaration follows them. */
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

/** The first child of this name. */
export const childOf = (element: Element | undefined, name: string): Element | undefined => element?.children.find((child) => child.name === name)

export const childrenOf = (element: Element | undefined, name: string): Element[] => element?.children.filter((child) => child.name === name) ?? []

/** The text of the first child of this name, without blanks around it; undefined where there is none. */
export const textOf = (element: Element | undefined, name: string): string | undefined => childOf(element, name)?.text.trim() || undefined
