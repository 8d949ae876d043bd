import type { BlockValue } from '@sortie/contract/reports/report-data.ts'
import { bookmark, bookmarkOf } from './anchors.ts'
import type { Body } from './body.ts'
import { paragraph } from './paragraphs.ts'
import { field, inlines, run } from './runs.ts'

/** `Figure 3: Title`: the number is a field of Word, and references repeat the words before the colon. */
export const caption = (
  body: Body,
  { anchor, number, caption: words = [] }: BlockValue,
  label: 'figure' | 'table',
  keepNext: boolean,
): string => {
  if (number === undefined && words.length === 0) return ''
  const name = body.label(label)
  const counted =
    number === undefined ? '' : `${run(`${name} `)}${field(`SEQ ${sequenceOf(label)} \\* ARABIC`, String(number))}`
  const marked = anchor === undefined || counted === '' ? counted : bookmark(bookmarkOf(anchor), counted)
  const separator = counted !== '' && words.length > 0 ? run(': ') : ''
  return paragraph(marked + separator + inlines(body, words), { style: body.styles.paragraph('caption'), keepNext })
}

/** The name of the sequence is the same in every language, so that lists of figures find it. */
const sequenceOf = (label: 'figure' | 'table'): string => (label === 'figure' ? 'Figure' : 'Table')
