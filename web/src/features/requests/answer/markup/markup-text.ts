/** Longer markup is shown unformatted: formatting it would block the page. */
const MAX_PRETTY = 1_000_000
/** Maximum indent. Without it, a short text of opened elements would become gigabytes of spaces. */
const MAX_INDENTS = 20
/** Text up to this length stays on the line of its element. */
const MAX_INLINE = 120

/** Characters of a tag that are read for its name. */
const MAX_NAME = 100

/** Elements of HTML without content. */
const VOID = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'param',
  'source',
  'track',
  'wbr',
])
/** Elements of HTML whose text is kept: spaces count, or `<` is text. */
const VERBATIM = new Set(['pre', 'script', 'style', 'textarea'])

export type Markup = 'html' | 'xml'

/** The kind of markup that a media type names, such as `text/html` or `image/svg+xml`. */
export const markupOf = (mediaType: string | null | undefined): Markup | undefined => {
  const type = (mediaType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === 'text/html') return 'html'
  return type === 'text/xml' || type === 'application/xml' || type.endsWith('+xml') ? 'xml' : undefined
}

interface Piece {
  kind: 'open' | 'close' | 'single' | 'text'
  text: string
  /** Of an element. */
  name: string
}

/**
 * Formats HTML or XML: each element on a line of its own, indented by its depth. Only white space between elements
 * changes. Tags that are not closed, or not opened, are accepted. Takes time in proportion to the text.
 *
 * @returns undefined if the text is too long, or has no element
 */
export const prettyMarkup = (text: string, markup: Markup): string | undefined => {
  if (text.length > MAX_PRETTY || !/^\s*</.test(text)) return undefined
  const pieces = piecesOf(text, markup)
  const lines: string[] = []
  const opened: string[] = []
  /** How often each name is among the opened: a search for each closing tag would take quadratic time. */
  const counts = new Map<string, number>()
  const write = (line: string) => lines.push('  '.repeat(Math.min(opened.length, MAX_INDENTS)) + line)
  for (let at = 0; at < pieces.length; at++) {
    const { kind, text: written, name } = pieces[at] as Piece
    const [next, after] = [pieces[at + 1], pieces[at + 2]]
    if (kind === 'open' && next?.kind === 'close' && next.name === name) {
      write(written + next.text)
      at += 1
    } else if (
      kind === 'open' &&
      next?.kind === 'text' &&
      after?.kind === 'close' &&
      after.name === name &&
      isShort(next.text)
    ) {
      write(written + next.text + after.text)
      at += 2
    } else if (kind === 'open') {
      write(written)
      opened.push(name)
      counts.set(name, (counts.get(name) ?? 0) + 1)
    } else if (kind === 'close') {
      // Elements that were left open end here, too.
      while ((counts.get(name) ?? 0) > 0) {
        const closed = opened.pop() as string
        counts.set(closed, (counts.get(closed) ?? 1) - 1)
        if (closed === name) break
      }
      write(written)
    } else write(written)
  }
  return lines.join('\n')
}

const isShort = (text: string): boolean => text.length <= MAX_INLINE && !text.includes('\n')

const piecesOf = (text: string, markup: Markup): Piece[] => {
  const pieces: Piece[] = []
  const add = (kind: Piece['kind'], from: number, to: number, name = ''): number => {
    const written = text.slice(from, to)
    const trimmed = kind === 'text' ? written.trim() : written
    if (trimmed !== '') pieces.push({ kind, text: trimmed, name })
    return to
  }
  let at = 0
  while (at < text.length) {
    const start = text.indexOf('<', at)
    if (start !== at) {
      at = add('text', at, start === -1 ? text.length : start)
      continue
    }
    const special = SPECIAL.find(([begin]) => text.startsWith(begin, at))
    if (special) {
      at = add('single', at, endOf(text, special[1], at + special[0].length))
      continue
    }
    const name = nameOf(text, at)
    // A lone "<" is text up to the next one.
    if (name === '') {
      const next = text.indexOf('<', at + 1)
      at = add('text', at, next === -1 ? text.length : next)
      continue
    }
    const end = endOfTag(text, at)
    if (text[at + 1] === '/') at = add('close', at, end, name)
    else if (text[end - 2] === '/' || (markup === 'html' && VOID.has(name))) at = add('single', at, end)
    else {
      at = add('open', at, end, name)
      if (markup === 'html' && VERBATIM.has(name)) {
        const close = indexOfClose(text, name, at)
        if (text.slice(at, close).trim() !== '') pieces.push({ kind: 'text', text: text.slice(at, close), name: '' })
        at = close
      }
    }
  }
  return pieces
}

const SPECIAL: readonly (readonly [string, string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
]

const endOf = (text: string, wanted: string, from: number): number => {
  const at = text.indexOf(wanted, from)
  return at === -1 ? text.length : at + wanted.length
}

/** After the `>` that is in no quoted value. */
const endOfTag = (text: string, from: number): number => {
  let quote = ''
  for (let at = from + 1; at < text.length; at++) {
    const sign = text[at] as string
    if (quote !== '') quote = sign === quote ? '' : quote
    else if (sign === '>') return at + 1
    else if ((sign === '"' || sign === "'") && text[at - 1] === '=') quote = sign
  }
  return text.length
}

/** Empty if no tag begins here. */
const nameOf = (text: string, at: number): string =>
  (/^<\/?([A-Za-z_][\w:.-]*)/.exec(text.slice(at, at + MAX_NAME))?.[1] ?? '').toLowerCase()

const indexOfClose = (text: string, name: string, from: number): number => {
  for (let at = text.indexOf('</', from); at !== -1; at = text.indexOf('</', at + 2)) {
    if (text.slice(at + 2, at + 2 + name.length).toLowerCase() === name) return at
  }
  return text.length
}

/** A piece of a line of markup. */
export interface MarkupToken {
  text: string
  kind: 'name' | 'word' | 'string' | 'comment' | 'sign'
}

const TOKEN =
  /(<!--[^>]*(?:>|$)|<[!?][^>]*>?)|(<\/?[A-Za-z_][\w:.-]*|\/?>)|([\w:.-]+=)(?:("[^"]*"?)|('[^']*'?))|[^<>"'=\s]+|\s+|./g

/** Splits a line of formatted markup for colouring. */
export const markupTokens = (line: string): MarkupToken[] => {
  const tokens: MarkupToken[] = []
  for (const [text, comment, tag, attribute, double, single] of line.matchAll(TOKEN)) {
    if (comment !== undefined) tokens.push({ text, kind: 'comment' })
    else if (tag !== undefined) tokens.push({ text, kind: 'name' })
    else if (attribute !== undefined)
      tokens.push({ text: attribute, kind: 'word' }, { text: double ?? single ?? '', kind: 'string' })
    else tokens.push({ text, kind: 'sign' })
  }
  return tokens
}
