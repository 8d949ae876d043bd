import type { InlineValue } from '@sortie/contract/reports/report-data.ts'
import { escapeXml } from '../package/xml.ts'
import { bookmarkOf, referenceMarker } from './anchors.ts'
import type { Body } from './body.ts'

/** Form of a run, as elements of `w:rPr` in the order of the schema. */
export interface RunForm {
  style?: string | undefined
  bold?: boolean
  italic?: boolean
  strike?: boolean
  /** Six hexadecimal digits. */
  color?: string | undefined
  superscript?: boolean
}

const propertiesOf = ({ style, bold, italic, strike, color, superscript }: RunForm, isRightToLeft: boolean): string => {
  const elements = [
    style === undefined ? '' : `<w:rStyle w:val="${escapeXml(style)}"/>`,
    bold ? '<w:b/><w:bCs/>' : '',
    italic ? '<w:i/><w:iCs/>' : '',
    strike ? '<w:strike/>' : '',
    color === undefined ? '' : `<w:color w:val="${color}"/>`,
    superscript ? '<w:vertAlign w:val="superscript"/>' : '',
    isRightToLeft ? '<w:rtl/>' : '',
  ].join('')
  return elements === '' ? '' : `<w:rPr>${elements}</w:rPr>`
}

/** Hebrew, Arabic, Syriac, Thaana, NKo and their presentation forms. */
const isRightToLeftLetter = (code: number): boolean =>
  (code >= 0x0590 && code <= 0x08ff) || (code >= 0xfb1d && code <= 0xfdff) || (code >= 0xfe70 && code <= 0xfeff)
const isLetter = (character: string): boolean => /^[\p{L}\p{N}]$/u.test(character)

/** Whether a text starts with a letter of a script that runs from right to left. */
export const startsRightToLeft = (text: string): boolean => {
  for (const character of text) {
    if (isRightToLeftLetter(character.codePointAt(0) as number)) return true
    if (/^\p{L}$/u.test(character)) return false
  }
  return false
}

/** Splits a text where its direction changes; spaces and signs belong to what is before them. */
const splitByDirection = (text: string): { text: string; isRightToLeft: boolean }[] => {
  const pieces: { text: string; isRightToLeft: boolean }[] = []
  for (const character of text) {
    const last = pieces.at(-1)
    const isRightToLeft = isRightToLeftLetter(character.codePointAt(0) as number)
    if (last && (last.isRightToLeft === isRightToLeft || !isLetter(character))) last.text += character
    else pieces.push({ text: character, isRightToLeft })
  }
  return pieces
}

/** Lines and tabs of a text as the content of a run. */
const contentOf = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) =>
      line
        .split('\t')
        .map((piece) => (piece === '' ? '' : `<w:t xml:space="preserve">${escapeXml(piece)}</w:t>`))
        .join('<w:tab/>'),
    )
    .join('<w:br/>')

/** A text as typed, in one form. */
export const run = (text: string, form: RunForm = {}): string =>
  splitByDirection(text)
    .map((piece) => `<w:r>${propertiesOf(form, piece.isRightToLeft)}${contentOf(piece.text)}</w:r>`)
    .join('')

/** A field whose result is computed already. */
export const field = (code: string, result: string, form: RunForm = {}): string => {
  const properties = propertiesOf(form, false)
  const mark = (type: string) => `<w:r>${properties}<w:fldChar w:fldCharType="${type}"/></w:r>`
  const instruction = `<w:r>${properties}<w:instrText xml:space="preserve"> ${escapeXml(code)} </w:instrText></w:r>`
  return mark('begin') + instruction + mark('separate') + run(result, form) + mark('end')
}

const formOf = (body: Body, marks: InlineValue['marks'] = []): RunForm => {
  const code = marks.includes('code') ? body.styles.character('HTML Code') : undefined
  const strong = marks.includes('bold') && code === undefined ? body.styles.known('Strong', 'character') : undefined
  const emphasis =
    marks.includes('italic') && code === undefined && strong === undefined
      ? body.styles.known('Emphasis', 'character')
      : undefined
  return {
    style: code ?? strong ?? emphasis,
    bold: marks.includes('bold') && strong === undefined,
    italic: marks.includes('italic') && emphasis === undefined,
    strike: marks.includes('strike'),
  }
}

/** Pieces of text with their marks, links and references. */
export const inlines = (body: Body, content: readonly InlineValue[] = [], extra: RunForm = {}): string =>
  content.map((inline) => inlineXml(body, inline, extra)).join('')

const inlineXml = (body: Body, inline: InlineValue, extra: RunForm): string => {
  const { type, text = '', marks, href, target, number, code } = inline
  const form = { ...formOf(body, marks), ...extra }
  switch (type) {
    case 'text':
      return run(text, form)
    case 'break':
      return '<w:r><w:br/></w:r>'
    case 'mark':
      return run(`[${code ?? text}]`, { ...form, style: body.styles.character('HTML Code') })
    case 'footnote':
      return run(String(number ?? text), { ...form, superscript: true })
    case 'link': {
      const linked = run(text || (href ?? ''), { ...form, style: body.styles.character('Hyperlink') })
      const id = href === undefined ? undefined : body.links.add(body.part, href)
      return id === undefined ? run(text, form) : `<w:hyperlink r:id="${id}" w:history="1">${linked}</w:hyperlink>`
    }
    case 'reference':
      return target === undefined ? run(text, form) : reference(bookmarkOf(target), text, form)
  }
}

const reference = (name: string, text: string, form: RunForm): string => {
  const asText = run(text, form)
  return referenceMarker({
    name,
    text,
    asField: field(`REF ${name} \\h`, text, form),
    asLink: `<w:hyperlink w:anchor="${name}" w:history="1">${asText}</w:hyperlink>`,
    asText,
  })
}
