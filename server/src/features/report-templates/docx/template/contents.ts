import type { Ids } from '../body/anchors.ts'
import type { Styles } from '../body/styles.ts'

interface Heading {
  level: number
  /** Runs of its text. */
  text: string
  bookmark: string
}

/** Without a range of its own, a table of contents has three levels. */
const DEFAULT_LEVELS = [1, 3] as const

/** Whether a part has a table of contents. */
export const hasContents = (xml: string): boolean => findField(xml) !== undefined

/**
 * Fills the table of contents with the headings of the document, each a link to its place. Word adds the pages when it
 * renews the table.
 */
export const fillContents = (xml: string, styles: Styles, ids: Ids): string => {
  if (!hasContents(xml)) return xml
  const { xml: marked, headings } = markHeadings(xml, styles, ids, levelsOf(xml))
  const field = findField(marked)
  if (!field || headings.length === 0) return marked
  const entries = headings.map(({ level, text, bookmark }, index) => {
    const style = styles.known(`toc ${level}`, 'paragraph')
    const form = style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`
    const start = index === 0 ? '' : `</w:p><w:p>${form}`
    const run = (content: string) => `<w:r>${content}</w:r>`
    const page = [
      run('<w:tab/>'),
      run('<w:fldChar w:fldCharType="begin"/>'),
      run(`<w:instrText xml:space="preserve"> PAGEREF ${bookmark} \\h </w:instrText>`),
      run('<w:fldChar w:fldCharType="separate"/>'),
      run('<w:t></w:t>'),
      run('<w:fldChar w:fldCharType="end"/>'),
    ]
    return `${start}<w:hyperlink w:anchor="${bookmark}" w:history="1">${text}${page.join('')}</w:hyperlink>`
  })
  return marked.slice(0, field.from) + entries.join('') + marked.slice(field.to)
}

/** `\\o "1-2"`: the levels that the field asks for. */
const levelsOf = (xml: string): readonly [first: number, last: number] => {
  const code = xml.slice(findInstruction(xml), xml.indexOf('</w:instrText>', findInstruction(xml)))
  const range = code.split('\\o')[1]?.replaceAll('&quot;', '"').split('"')[1]?.split('-').map(Number) ?? []
  const [first, last] = range
  return first && last && first <= last ? [first, last] : DEFAULT_LEVELS
}

/** The result of the field: from after the run that separates it to before the run that ends it. */
const findField = (xml: string): { from: number; to: number } | undefined => {
  const at = findInstruction(xml)
  return at === -1 ? undefined : resultAt(xml, at)
}

const findInstruction = (xml: string): number => {
  let at = xml.indexOf('<w:instrText')
  while (at !== -1) {
    const text = xml.slice(xml.indexOf('>', at) + 1, xml.indexOf('</w:instrText>', at)).trim()
    if (text === 'TOC' || text.startsWith('TOC ')) return at
    at = xml.indexOf('<w:instrText', at + 1)
  }
  return -1
}

const resultAt = (xml: string, instruction: number): { from: number; to: number } | undefined => {
  let from = -1
  let depth = 1
  let at = xml.indexOf('<w:fldChar', instruction)
  while (at !== -1) {
    const element = xml.slice(at, xml.indexOf('>', at))
    if (element.includes('"begin"')) depth++
    else if (element.includes('"separate"') && depth === 1) from = xml.indexOf('</w:r>', at) + '</w:r>'.length
    else if (element.includes('"end"') && --depth === 0) {
      const to = Math.max(xml.lastIndexOf('<w:r>', at), xml.lastIndexOf('<w:r ', at))
      return from === -1 || to < from ? undefined : { from, to }
    }
    at = xml.indexOf('<w:fldChar', at + 1)
  }
  return undefined
}

const STYLE = '<w:pStyle w:val="'

const markHeadings = (
  xml: string,
  styles: Styles,
  ids: Ids,
  [first, last]: readonly [number, number],
): { xml: string; headings: Heading[] } => {
  const headings: Heading[] = []
  // Each piece but the last ends with the content of a paragraph.
  const pieces = xml.split('</w:p>')
  const marked = pieces.map((piece, index) => {
    const from = Math.max(piece.lastIndexOf('<w:p>'), piece.lastIndexOf('<w:p '))
    if (from === -1 || index === pieces.length - 1) return piece
    const whole = piece.slice(from)
    const style = whole.indexOf(STYLE)
    const id = style === -1 ? '' : whole.slice(style + STYLE.length, whole.indexOf('"', style + STYLE.length))
    const level = styles.headingLevel(id)
    const text = level === undefined ? '' : textRuns(whole)
    if (level === undefined || level < first || level > last || text === '') return piece
    const number = ids.next()
    const bookmark = `_Toc${String(headings.length + 1).padStart(8, '0')}`
    headings.push({ level, text, bookmark })
    const properties = whole.indexOf('</w:pPr>') + '</w:pPr>'.length
    return `${piece.slice(0, from)}${whole.slice(0, properties)}<w:bookmarkStart w:id="${number}" w:name="${bookmark}"/>${whole.slice(properties)}<w:bookmarkEnd w:id="${number}"/>`
  })
  return { xml: marked.join('</w:p>'), headings }
}

/** The texts and tabs of a paragraph as plain runs. */
const textRuns = (paragraph: string): string => {
  let content = ''
  for (const piece of paragraph.split('<w:').slice(1)) {
    if (piece.startsWith('t>') || piece.startsWith('t '))
      content += `<w:r><w:t xml:space="preserve">${piece.slice(piece.indexOf('>') + 1, piece.indexOf('</'))}</w:t></w:r>`
    if (piece.startsWith('tab/>') && content !== '') content += '<w:r><w:t xml:space="preserve"> </w:t></w:r>'
  }
  return content
}
