/** What a tag becomes; tags that are not here vanish, and their text stays. */
const INLINE: Readonly<Record<string, string>> = {
  b: '**',
  strong: '**',
  i: '*',
  em: '*',
  code: '`',
  s: '~~',
  del: '~~',
}
const BLOCKS = new Set(['p', 'div', 'ul', 'ol', 'blockquote', 'section', 'article', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const IS_DROPPED = /^(?:script|style|head|title)$/
const TAG = /<(\/?)([a-z][a-z0-9]*)\b([^<>]*)>/gi
const HREF = /\bhref\s*=\s*["']?([^"'\s>]+)/i
const NAMED: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  amp: '&',
  hellip: '…',
  ndash: '–',
  mdash: '—',
}
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi

/** Converts the HTML of editors to Markdown, in linear time. Text without tags stays as it is. */
export const htmlToMarkdown = (html: string): string => {
  if (!/<\/?[a-z][^<>]*>/i.test(html)) return decoded(html).trim()
  const out: string[] = []
  const lists: { isOrdered: boolean; count: number }[] = []
  let link: string | undefined
  let isPre = false
  let dropped: string | undefined
  /** Cells of the current row; undefined outside of tables. */
  let cells: number | undefined
  let isFirstRow = true
  let last = 0
  const put = (text: string) => {
    if (dropped !== undefined || text === '') return
    if (cells !== undefined)
      out.push(
        decoded(text)
          .replaceAll(/\s+/g, ' ')
          .replaceAll('|', String.raw`\|`),
      )
    else out.push(isPre ? decoded(text) : decoded(text).replaceAll(/[ \t\r\n]+/g, ' '))
  }
  for (const match of html.matchAll(TAG)) {
    const [whole, slash, name = '', attributes = ''] = match
    put(html.slice(last, match.index))
    last = match.index + whole.length
    const tag = name.toLowerCase()
    const isEnd = slash === '/'
    if (IS_DROPPED.test(tag)) dropped = isEnd ? undefined : tag
    else if (dropped !== undefined) continue
    else if (tag === 'table') {
      cells = isEnd ? undefined : 0
      isFirstRow = true
      out.push('\n\n')
    } else if (cells !== undefined) {
      if (tag === 'tr' && !isEnd) {
        cells = 0
        out.push('\n|')
      } else if (tag === 'tr') {
        if (isFirstRow) out.push(`\n|${' --- |'.repeat(cells)}`)
        isFirstRow = false
      } else if ((tag === 'td' || tag === 'th') && isEnd) {
        cells += 1
        out.push(' |')
      } else if (tag in INLINE && tag !== 'code') out.push(INLINE[tag] as string)
      else out.push(' ')
    } else if (tag === 'br') out.push('\n')
    else if (tag === 'hr') out.push('\n\n---\n\n')
    else if (tag === 'pre') {
      isPre = !isEnd
      out.push(isEnd ? '\n```\n\n' : '\n\n```\n')
    } else if (tag === 'li') out.push(isEnd ? '' : itemStart(lists))
    else if (tag === 'a') {
      if (!isEnd) link = HREF.exec(attributes)?.[1]
      if (link !== undefined) out.push(isEnd ? `](${decoded(link)})` : '[')
      if (isEnd) link = undefined
    } else if (tag in INLINE) {
      if (!isPre) out.push(INLINE[tag] as string)
    } else if (BLOCKS.has(tag)) {
      if (tag === 'ul' || tag === 'ol') {
        if (isEnd) lists.pop()
        else lists.push({ isOrdered: tag === 'ol', count: 0 })
      }
      // A paragraph within an item of a list belongs to its line.
      const isWithinItem = lists.length > 0 && tag !== 'ul' && tag !== 'ol'
      if (!isWithinItem) out.push(isEnd || !/^h\d$/.test(tag) ? '\n\n' : `\n\n${'#'.repeat(Number(tag[1]))} `)
    }
  }
  put(html.slice(last))
  return out
    .join('')
    .split('\n')
    .map((line) => (line.startsWith('|') ? line.replaceAll(/ {2,}/g, ' ') : line).trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

const itemStart = (lists: { isOrdered: boolean; count: number }[]): string => {
  const list = lists.at(-1)
  if (!list) return '\n- '
  list.count += 1
  return `\n${'  '.repeat(lists.length - 1)}${list.isOrdered ? `${list.count}.` : '-'} `
}

const decoded = (text: string): string =>
  text.replaceAll(ENTITY, (entity, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? entity
    const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal)
    return code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff) ? String.fromCodePoint(code) : ''
  })
