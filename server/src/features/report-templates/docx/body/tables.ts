import type { BlockValue, InlineValue } from '@sortie/contract/reports/report-data.ts'
import { wordsOf } from '../scope/values.ts'
import { bookmark, bookmarkOf } from './anchors.ts'
import type { Body, Spot } from './body.ts'
import { caption } from './captions.ts'
import { paragraph } from './paragraphs.ts'
import { inlines, run, startsRightToLeft } from './runs.ts'

/** Word has at most 63 columns in a table. */
const MAX_COLUMNS = 60
/** Characters that decide the width of a column: one word is not broken, and a long text does not take all the space. */
const [NARROWEST, WIDEST] = [4, 42]
/** Share of the text width that no column falls below. */
const LEAST_SHARE = 0.04

export interface Cell {
  /** Paragraphs. */
  content: string
  /** Six hexadecimal digits. */
  fill?: string | undefined
  /** Columns that it spans. */
  span?: number
}

interface TableForm {
  /** Twentieths of a point. */
  widths: readonly number[]
  header?: readonly Cell[]
  rows: readonly (readonly Cell[])[]
  style?: string | undefined
  isRightToLeft?: boolean
}

const cellXml = ({ content, fill, span }: Cell, width: number): string => {
  const spans = span === undefined ? '' : `<w:gridSpan w:val="${span}"/>`
  const shading = fill === undefined ? '' : `<w:shd w:val="clear" w:color="auto" w:fill="${fill}"/>`
  return `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/>${spans}${shading}</w:tcPr>${content}</w:tc>`
}

/** A table whose header row repeats on each page, and whose rows are not split. */
export const tableXml = ({ widths, header, rows, style, isRightToLeft }: TableForm): string => {
  const rowXml = (cells: readonly Cell[], isHeader: boolean): string => {
    let column = 0
    const content = cells.map((cell) => {
      const last = column + (cell.span ?? 1)
      const width = widths.slice(column, last).reduce((sum, each) => sum + each, 0)
      column = last
      return cellXml(cell, width)
    })
    return `<w:tr><w:trPr><w:cantSplit/>${isHeader ? '<w:tblHeader/>' : ''}</w:trPr>${content.join('')}</w:tr>`
  }
  const total = widths.reduce((sum, width) => sum + width, 0)
  const look = `<w:tblLook w:val="${header ? '0420' : '0400'}" w:firstRow="${header ? 1 : 0}" w:lastRow="0" w:firstColumn="0" w:lastColumn="0" w:noHBand="0" w:noVBand="1"/>`
  const properties = [
    style === undefined ? '' : `<w:tblStyle w:val="${style}"/>`,
    isRightToLeft ? '<w:bidiVisual/>' : '',
    `<w:tblW w:w="${total}" w:type="dxa"/><w:tblLayout w:type="fixed"/>`,
    look,
  ].join('')
  const grid = widths.map((width) => `<w:gridCol w:w="${width}"/>`).join('')
  const head = header ? rowXml(header, true) : ''
  return `<w:tbl><w:tblPr>${properties}</w:tblPr><w:tblGrid>${grid}</w:tblGrid>${head}${rows.map((row) => rowXml(row, false)).join('')}</w:tbl>`
}

/** Keeps two tables apart, which Word would join. */
export const gap = (): string =>
  '<w:p><w:pPr><w:spacing w:before="0" w:after="0" w:line="120" w:lineRule="exact"/></w:pPr></w:p>'

/** The style of tables: the template's own one if it is named so. */
export const tableStyle = (body: Body): string => body.styles.table('Report Table', 'Table Grid')

/** The style of paragraphs in cells, if the template has one. */
export const cellStyle = (body: Body): string | undefined => body.styles.known('Table Text', 'paragraph')

const textOf = (content: readonly InlineValue[]): string => wordsOf({ type: 'paragraph', content: [...content] })

/** Twentieths of a point for each column, by the length of its texts. */
export const columnWidths = (texts: readonly (readonly string[])[], total: number): number[] => {
  const weights = texts.map((column) => {
    const lengths = column.map((text) => text.length).toSorted((a, b) => a - b)
    const usual = lengths[Math.floor(lengths.length * 0.9)] ?? lengths.at(-1) ?? 0
    const word = Math.max(0, ...column.flatMap((text) => text.split(/\s/)).map((each) => each.length))
    return Math.min(WIDEST, Math.max(NARROWEST, Math.min(word, WIDEST / 2), usual))
  })
  const sum = weights.reduce((all, weight) => all + weight, 0)
  const least = Math.min(LEAST_SHARE, 1 / weights.length)
  const shares = weights.map((weight) => Math.max(least, weight / sum))
  const whole = shares.reduce((all, share) => all + share, 0)
  return shares.map((share) => Math.floor((share / whole) * total))
}

export const table = (body: Body, block: BlockValue, spot: Spot): string => {
  const { columns = [], rows = [] } = block
  const above = caption(body, block, 'table', true)
  const anchored = block.anchor !== undefined && block.number === undefined
  const mark = anchored ? paragraph(bookmark(bookmarkOf(block.anchor ?? ''), ''), { keepNext: true }) : ''
  const pieces: string[] = []
  for (let from = 0; from < columns.length; from += MAX_COLUMNS) {
    const to = from + MAX_COLUMNS
    const slice = { columns: columns.slice(from, to), rows: rows.map((row) => row.slice(from, to)) }
    pieces.push(dataTable(body, slice, spot))
  }
  return above + mark + pieces.join(gap()) + gap()
}

const dataTable = (
  body: Body,
  { columns, rows }: { columns: NonNullable<BlockValue['columns']>; rows: InlineValue[][][] },
  spot: Spot,
): string => {
  const style = cellStyle(body)
  const texts = columns.map(({ title }, index) => [textOf(title), ...rows.map((row) => textOf(row[index] ?? []))])
  const cell = (content: readonly InlineValue[], index: number): Cell => {
    const text = textOf(content)
    const fill = spot.colorsSeverities ? severityColor(body, text) : undefined
    const form = fill === undefined ? {} : { color: textColorOn(fill), bold: true }
    const align = columns[index]?.align
    return {
      content: paragraph(inlines(body, content, form), { style, align, isRightToLeft: startsRightToLeft(text) }),
      fill,
    }
  }
  const hasHeader = columns.some(({ title }) => title.length > 0)
  return tableXml({
    widths: columnWidths(texts, spot.width),
    ...(hasHeader && {
      header: columns.map(({ title, align }) => ({ content: paragraph(inlines(body, title), { style, align }) })),
    }),
    // A row that is too short would shift what follows.
    rows: rows.map((row) => columns.map((_, index) => cell(row[index] ?? [], index))),
    style: tableStyle(body),
    isRightToLeft: body.document.data.direction === 'rtl',
  })
}

/** The color of a severity by its name in the report. */
export const severityColor = (body: Body, name: string): string | undefined => {
  const wanted = name.trim()
  const severity = wanted === '' ? undefined : body.document.data.severities.find((each) => each.name === wanted)
  return severity?.color.replace('#', '')
}

/** Black or white, whichever is easier to read on a color (WCAG relative luminance). */
export const textColorOn = (hex: string): string => {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '000000' : 'FFFFFF'
}

/** Bars of the number of findings by severity. */
export const severityChart = (body: Body, spot: Spot): string => {
  const { severities } = body.document.data
  const most = Math.max(1, ...severities.map(({ count }) => count))
  const style = cellStyle(body)
  const bars = 50
  const [name, number] = [Math.floor(spot.width * 0.2), Math.floor(spot.width * 0.1)]
  const bar = Math.floor((spot.width - name - number) / bars)
  const rows = severities.map(({ name: words, color, count }) => {
    const filled = Math.round((count / most) * bars)
    const cells: Cell[] = [{ content: paragraph(run(words), { style }) }]
    const empty = paragraph('', { style })
    if (filled > 0) cells.push({ content: empty, fill: color.replace('#', ''), span: filled })
    if (filled < bars) cells.push({ content: empty, span: bars - filled })
    return [...cells, { content: paragraph(run(String(count), { bold: true }), { style, align: 'right' as const }) }]
  })
  const widths = [name, ...Array.from({ length: bars }, () => bar), number]
  return tableXml({ widths, rows }) + gap()
}
