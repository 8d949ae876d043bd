import { escapeXml } from '../package/xml.ts'
import { bookmark, bookmarkOf } from './anchors.ts'
import type { Body } from './body.ts'

/** Properties of a paragraph, in the order of the schema. */
export interface ParagraphForm {
  style?: string | undefined
  keepNext?: boolean
  list?: { numId: string; level: number } | undefined
  /** Elements of borders and shading. */
  borders?: string
  isRightToLeft?: boolean
  /** Twentieths of a point. */
  indent?: number
  align?: 'left' | 'center' | 'right' | undefined
}

/** A paragraph of runs. */
export const paragraph = (content: string, form: ParagraphForm = {}): string => {
  const { style, keepNext, list, borders, isRightToLeft, indent, align } = form
  const elements = [
    style === undefined ? '' : `<w:pStyle w:val="${escapeXml(style)}"/>`,
    keepNext ? '<w:keepNext/>' : '',
    list ? `<w:numPr><w:ilvl w:val="${list.level}"/><w:numId w:val="${list.numId}"/></w:numPr>` : '',
    borders ?? '',
    isRightToLeft ? '<w:bidi/>' : '',
    indent ? `<w:ind w:left="${indent}"/>` : '',
    // `start` and `end` follow the direction; Word of 2007 and LibreOffice know these names only.
    align === undefined || align === 'left' ? '' : `<w:jc w:val="${align}"/>`,
  ].join('')
  return `<w:p>${elements === '' ? '' : `<w:pPr>${elements}</w:pPr>`}${content}</w:p>`
}

const MAX_HEADING = 9

const headingStyle = (body: Body, level: number): string => {
  const wanted = Math.min(Math.max(level, 1), MAX_HEADING)
  return body.styles.known(`heading ${wanted}`, 'paragraph') ?? body.styles.paragraph(`heading ${Math.min(wanted, 6)}`)
}

/** A heading with the bookmark of its anchor. */
export const heading = (body: Body, level: number, content: string, anchor?: string): string =>
  paragraph(anchor === undefined ? content : bookmark(bookmarkOf(anchor), content), {
    style: headingStyle(body, level),
  })
