import { SaxesParser, type SaxesTagNS } from 'saxes'

/** What XML 1.0 forbids in a text. */
const isForbidden = (code: number): boolean =>
  (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) ||
  (code >= 0xd800 && code <= 0xdfff) ||
  code === 0xfffe ||
  code === 0xffff

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A text as the content of an element or attribute; forbidden characters become U+FFFD. */
export const escapeXml = (text: string): string => {
  let result = ''
  for (const character of text) {
    const escaped = ESCAPES[character]
    if (escaped !== undefined) result += escaped
    else result += isForbidden(character.codePointAt(0) as number) ? '\ufffd' : character
  }
  return result
}

export interface XmlWatcher {
  open?(local: string, attributes: ReadonlyMap<string, string>, tag: SaxesTagNS): void
  close?(local: string): void
  text?(text: string): void
}

/** A part of a Word document that cannot be read. */
export class BrokenXml extends Error {}

/**
 * Reads XML from start to end. Names are local: every program chooses its own prefixes.
 *
 * @throws BrokenXml if it is not well-formed, or has a document type declaration
 */
export const readXml = (xml: string, watcher: XmlWatcher): void => {
  const parser = new SaxesParser({ xmlns: true })
  const fail = (message: string): never => {
    throw new BrokenXml(message)
  }
  parser.on('error', ({ message }) => fail(message))
  parser.on('doctype', () => fail('a document type declaration is not allowed'))
  parser.on('opentag', (tag) => {
    if (!watcher.open) return
    const attributes = new Map(Object.values(tag.attributes).map(({ local, value }) => [local, value]))
    watcher.open(tag.local, attributes, tag)
  })
  parser.on('closetag', ({ local }) => watcher.close?.(local))
  parser.on('text', (text) => watcher.text?.(text))
  parser.write(xml).close()
}
