import type { BlockValue } from '@sortie/contract/reports/report-data.ts'
import { wordsOf } from '../scope/values.ts'
import { bookmark, bookmarkOf } from './anchors.ts'
import type { Body, Spot } from './body.ts'
import { figure } from './figures.ts'
import { findingsBlock } from './findings.ts'
import { heading, paragraph } from './paragraphs.ts'
import { inlines, run, startsRightToLeft } from './runs.ts'
import { severityChart, table } from './tables.ts'

/** Blocks as paragraphs and tables, one after another. */
export const blocksXml = (body: Body, blocks: readonly BlockValue[], spot: Spot): string => {
  const shift = spot.level + 1 - lowestLevel(blocks)
  return blocks.map((block) => blockXml(body, block, spot, shift)).join('')
}

const lowestLevel = (blocks: readonly BlockValue[]): number =>
  Math.min(...blocks.flatMap(({ type, level = 1 }) => (type === 'heading' ? [level] : [])), 6)

const withAnchor = (anchor: string | undefined): string =>
  anchor === undefined ? '' : bookmark(bookmarkOf(anchor), '')

const blockXml = (body: Body, block: BlockValue, spot: Spot, shift: number): string => {
  const { type, anchor, content = [] } = block
  switch (type) {
    case 'heading':
      return heading(body, (block.level ?? 1) + shift, inlines(body, content), anchor)
    case 'paragraph':
      return paragraph(withAnchor(anchor) + inlines(body, content), {
        style: spot.style,
        isRightToLeft: startsRightToLeft(wordsOf(block)),
      })
    case 'list':
      return listXml(body, block, spot)
    case 'table':
      return table(body, block, spot)
    case 'figure':
      return figure(body, block, spot)
    case 'code':
      return withCaption(body, block, codeXml(body, block.text ?? ''))
    case 'exchange':
      return exchangeXml(body, block)
    case 'callout':
      return calloutXml(body, block, spot)
    case 'quote':
      return itemsXml(body, block, { ...spot, style: body.styles.paragraph('Quote') })
    case 'rule':
      return paragraph('', {
        borders: '<w:pBdr><w:bottom w:val="single" w:sz="6" w:space="1" w:color="auto"/></w:pBdr>',
      })
    case 'footnotes':
      return footnotesXml(body, block, spot)
    case 'severity_chart':
      return severityChart(body, spot)
    case 'findings':
      return findingsBlock(body, spot, blocksXml)
  }
}

const itemsXml = (body: Body, { items = [] }: BlockValue, spot: Spot): string =>
  items.map((item) => blocksXml(body, item, spot)).join('')

const MAX_STYLED_DEPTH = 5

/** `List Bullet`, `List Bullet 2` ... if the template has the level; the plain one otherwise. */
const listStyle = (body: Body, name: string, depth: number): string => {
  const suffix = depth === 0 ? '' : ` ${Math.min(depth + 1, MAX_STYLED_DEPTH)}`
  return body.styles.known(name + suffix, 'paragraph') ?? body.styles.paragraph(name)
}

const listXml = (body: Body, block: BlockValue, spot: Spot): string => {
  const { items = [], ordered = false, start = 1, checked } = block
  const depth = spot.depth
  const style = listStyle(body, ordered ? 'List Number' : 'List Bullet', depth)
  const own = body.styles.listOf(style)
  const numId = body.numbering.add({ ordered, start: Math.max(start, 0), own: own?.numId })
  const list = { numId, level: own?.level ?? Math.min(depth, 8) }
  return items
    .map((item, index) => {
      const [first, ...rest] = item
      const box = checked?.[index]
      const mark = box === true ? run('☑ ') : box === false ? run('☐ ') : ''
      const isText = first?.type === 'paragraph'
      const text = isText ? inlines(body, first.content) : ''
      const isRightToLeft = isText && startsRightToLeft(wordsOf(first))
      const head = paragraph(mark + text, { style, list, isRightToLeft })
      const within = { ...spot, depth: depth + 1, style: continued(body, depth) }
      return head + blocksXml(body, isText ? rest : item, within)
    })
    .join('')
}

const continued = (body: Body, depth: number): string => listStyle(body, 'List Continue', depth)

const codeXml = (body: Body, text: string): string =>
  paragraph(run(text.endsWith('\n') ? text.slice(0, -1) : text), {
    style: body.styles.paragraph('Code', 'HTML Preformatted'),
  })

const withCaption = (body: Body, { caption, anchor }: BlockValue, xml: string): string =>
  caption && caption.length > 0
    ? xml + paragraph(withAnchor(anchor) + inlines(body, caption), { style: body.styles.paragraph('caption') })
    : xml

const strong = (body: Body, text: string): string => {
  const style = body.styles.known('Strong', 'character')
  return run(text, style === undefined ? { bold: true } : { style })
}

const exchangeXml = (body: Body, { title = '', request = '', response, anchor }: BlockValue): string => {
  const named = title === '' ? body.label('request') : `${body.label('request')}: ${title}`
  const parts = [paragraph(withAnchor(anchor) + strong(body, named), { keepNext: true }), codeXml(body, request)]
  if (response !== null && response !== undefined)
    parts.push(paragraph(strong(body, body.label('response')), { keepNext: true }), codeXml(body, response))
  return parts.join('')
}

const CALLOUTS = {
  note: 'calloutNote',
  tip: 'calloutTip',
  important: 'calloutImportant',
  warning: 'calloutWarning',
  caution: 'calloutCaution',
} as const

const calloutXml = (body: Body, block: BlockValue, spot: Spot): string => {
  const style = body.styles.paragraph('Callout', 'Intense Quote')
  const title = paragraph(strong(body, body.label(CALLOUTS[block.kind ?? 'note'])), { style, keepNext: true })
  return title + itemsXml(body, block, { ...spot, style })
}

const footnotesXml = (body: Body, { items = [] }: BlockValue, spot: Spot): string => {
  const style = body.styles.known('footnote text', 'paragraph') ?? spot.style
  return items
    .map((item, index) => {
      const [first, ...rest] = item
      const number = `${run(String(index + 1), { superscript: true })}${run(' ')}`
      const text = first?.type === 'paragraph' ? inlines(body, first.content) : ''
      const others = first?.type === 'paragraph' ? rest : item
      return paragraph(number + text, { style }) + blocksXml(body, others, { ...spot, style })
    })
    .join('')
}
