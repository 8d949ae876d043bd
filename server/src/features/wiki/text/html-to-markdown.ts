/** Tags whose content is not text of the page. */
const UNSEEN = new Set(['script', 'style', 'head', 'template', 'svg', 'noscript', 'title'])
const ENTITIES: Record<string, string> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  amp: '&',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  szlig: 'ß',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  rarr: '→',
  copy: '©',
}
const MAX_LISTS = 20

/** The title of an HTML page: of Confluence without the name of its space. */
export const titleOfHtml = (html: string): string | undefined => {
  const [, title] = /<title(?:\s[^<>]{0,200})?>([^<]{1,1000})<\/title/i.exec(html) ?? []
  return title === undefined
    ? undefined
    : decoded(title)
        .replace(/\s+/g, ' ')
        .replace(/^[^:]{1,200} : /, '')
        .trim() || undefined
}

/**
 * Converts a page of HTML to Markdown: headings, lists, tables, links, pictures, code. What else there is becomes plain
 * text.
 */
export const htmlToMarkdown = (html: string): string => {
  const writer = new MarkdownWriter()
  const body = mainPart(html)
  const lower = body.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  const tags = /<(?:!--|(\/?)([a-z][a-z0-9]{0,20})((?:\s[^<>]{0,8000})?)\/?>)/gi
  let at = 0
  for (let tag = tags.exec(body); tag; tag = tags.exec(body)) {
    writer.text(body.slice(at, tag.index))
    const name = tag[2]?.toLowerCase()
    at = tag.index + tag[0].length
    if (name === undefined) at = endAfter(body, '-->', at)
    else if (tag[1] !== '/' && UNSEEN.has(name)) at = endOf(lower, name, at)
    else writer.tag(name, tag[1] === '/', tag[3] ?? '')
    tags.lastIndex = at
  }
  writer.text(body.slice(at))
  return writer.end()
}

const endAfter = (text: string, end: string, from: number): number => {
  const found = text.indexOf(end, from)
  return found < 0 ? text.length : found + end.length
}

/** The end of an element with text only; without its closing tag everything after it is in it. */
const endOf = (lower: string, name: string, from: number): number => {
  const found = lower.indexOf(`</${name}`, from)
  return found < 0 ? lower.length : endAfter(lower, '>', found)
}

/** Confluence has its navigation around the content, other programs have none. */
const mainPart = (html: string): string => {
  const begin = /<(?:div|main|article)\s[^<>]{0,500}id="main-content"[^<>]{0,500}>|<main(?:\s[^<>]{0,500})?>/i.exec(
    html,
  )
  const from = begin ? begin.index + begin[0].length : (/<body(?:\s[^<>]{0,2000})?>/i.exec(html)?.index ?? 0)
  const to = begin
    ? html.search(
        /<(?:div|section)\s[^<>]{0,500}(?:id="(?:footer|comments-section|likes-and-labels-container)"|class="pageSection group")/i,
      )
    : -1
  return html.slice(from, to > from ? to : undefined)
}

const decoded = (text: string): string =>
  text.replace(
    /&(?:([a-z]{2,8})|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi,
    (written, name?: string, decimal?: string, hex?: string) => {
      if (name !== undefined) return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] as string) : written
      const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal)
      return code === 0 || code > 0x10_ff_ff || (code >= 0xd8_00 && code <= 0xdf_ff)
        ? written
        : String.fromCodePoint(code)
    },
  )

const attribute = (attributes: string, name: string): string | undefined => {
  for (const [, key, quoted, single] of attributes.matchAll(
    /\s([a-z-]{1,40})\s{0,5}=\s{0,5}(?:"([^"]{0,4000})"|'([^']{0,4000})')/gi,
  ))
    if (key?.toLowerCase() === name) return decoded(quoted ?? single ?? '')
  return undefined
}

const MARKS: Record<string, string | undefined> = {
  strong: '**',
  b: '**',
  em: '*',
  i: '*',
  del: '~~',
  s: '~~',
  code: '`',
}
const BLOCKS = new Set(['p', 'div', 'section', 'article', 'header', 'figure', 'dl', 'dt', 'dd', 'aside'])

class MarkdownWriter {
  /** Finished lines, and the one that is written. */
  readonly #lines: string[] = []
  #parts: string[] = []
  #hasWords = false
  #endsWithBlank = true
  readonly #lists: ('ul' | 'ol')[] = []
  readonly #links: (string | undefined)[] = []
  /** Inside of `pre`: characters stay as they are. */
  #pre = 0
  #quote = 0
  #cells: number | undefined
  #isFirstRow = false

  text(raw: string): void {
    if (raw === '') return
    if (this.#pre > 0) {
      const [first = '', ...more] = decoded(raw).split('\n')
      this.#add(first)
      for (const line of more) {
        this.#push()
        this.#add(line)
      }
      return
    }
    const text = decoded(raw)
      .replace(/\s+/g, ' ')
      .replace(/[\\`*_[\]<>~]/g, String.raw`\$&`)
    const plain = this.#cells === undefined ? text : text.replaceAll('|', String.raw`\|`)
    this.#add(this.#endsWithBlank ? plain.trimStart() : plain)
  }

  tag(name: string, isEnd: boolean, attributes: string): void {
    const mark = this.#pre > 0 ? undefined : MARKS[name]
    const heading = /^h([1-6])$/.exec(name)?.[1]
    if (mark !== undefined) this.#add(mark)
    else if (heading !== undefined) this.#block(isEnd ? '' : `${'#'.repeat(Number(heading))} `)
    else if (name === 'br') this.#break()
    else if (name === 'hr') this.#rule()
    else if (name === 'a') this.#link(isEnd, attributes)
    else if (name === 'img' && !isEnd) this.#picture(attributes)
    else if (name === 'pre') this.#code(isEnd)
    else if (name === 'ul' || name === 'ol') this.#list(name, isEnd)
    else if (name === 'li' && !isEnd) this.#item()
    else if (name === 'blockquote') {
      this.#quote = Math.max(0, this.#quote + (isEnd ? -1 : 1))
      this.#block('')
    } else if (name === 'table' || name === 'tr' || name === 'td' || name === 'th') this.#table(name, isEnd)
    else if (BLOCKS.has(name) && this.#cells === undefined && this.#lists.length === 0) this.#block('')
  }

  end(): string {
    this.#block('')
    return `${this.#lines.join('\n').trim()}\n`
  }

  #add(text: string): void {
    if (text === '') return
    this.#parts.push(text)
    this.#hasWords ||= text.trim() !== ''
    this.#endsWithBlank = text.endsWith(' ')
  }

  #push(): void {
    const line = this.#parts.join('').trimEnd()
    this.#lines.push(this.#quote > 0 && line !== '' && this.#pre === 0 ? `> ${line}` : line)
    this.#parts = []
    this.#hasWords = false
    this.#endsWithBlank = true
  }

  /** Ends the line, and the paragraph with an empty one. */
  #block(start: string): void {
    if (this.#hasWords) this.#push()
    if (this.#lines.length > 0 && this.#lines.at(-1) !== '') this.#lines.push('')
    this.#parts = []
    this.#hasWords = false
    this.#endsWithBlank = true
    this.#add(start)
  }

  #break(): void {
    if (this.#cells === undefined) this.#push()
    else this.#add(' ')
  }

  #rule(): void {
    this.#block('---')
    this.#block('')
  }

  #picture(attributes: string): void {
    this.#add(
      `![${(attribute(attributes, 'alt') ?? '').replaceAll(/[[\]\n]/g, '')}](${addressOf(attribute(attributes, 'src') ?? '')})`,
    )
  }

  #link(isEnd: boolean, attributes: string): void {
    if (!isEnd) {
      const href = attribute(attributes, 'href')
      this.#links.push(href)
      if (href !== undefined) this.#add('[')
      return
    }
    const href = this.#links.pop()
    if (href !== undefined) this.#add(`](${addressOf(href)})`)
  }

  #code(isEnd: boolean): void {
    if (isEnd && this.#pre === 0) return
    if (isEnd) this.#push()
    else this.#block('')
    this.#pre = Math.max(0, this.#pre + (isEnd ? -1 : 1))
    this.#lines.push('```')
    if (isEnd) this.#lines.push('')
  }

  #list(name: 'ul' | 'ol', isEnd: boolean): void {
    if (isEnd) this.#lists.pop()
    else if (this.#lists.length === 0) this.#block('')
    else if (this.#hasWords) this.#push()
    if (!isEnd && this.#lists.length < MAX_LISTS) this.#lists.push(name)
    if (isEnd && this.#lists.length === 0) this.#block('')
  }

  #item(): void {
    if (this.#hasWords) this.#push()
    const indent = '   '.repeat(Math.max(0, this.#lists.length - 1))
    this.#parts = []
    this.#add(`${indent}${this.#lists.at(-1) === 'ol' ? '1. ' : '- '}`)
  }

  #table(name: string, isEnd: boolean): void {
    if (name === 'table') {
      this.#block('')
      this.#isFirstRow = !isEnd
      this.#cells = isEnd ? undefined : 0
    } else if (name === 'tr' && !isEnd) {
      if (this.#hasWords) this.#push()
      this.#cells = 0
    } else if (name === 'tr') {
      this.#add(' |')
      this.#push()
      if (this.#isFirstRow) this.#lines.push(`|${' --- |'.repeat(Math.min(100, this.#cells ?? 1))}`)
      this.#isFirstRow = false
    } else if (!isEnd) {
      this.#cells = (this.#cells ?? 0) + 1
      this.#add(this.#cells === 1 ? '| ' : ' | ')
    }
  }
}

/** Blanks and parentheses end an address in Markdown. */
const addressOf = (address: string): string =>
  address
    .trim()
    .replace(/[\s()<>]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
