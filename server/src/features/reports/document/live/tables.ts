import type { BlockValue, InlineValue } from '@sortie/contract/reports/report-data.ts'
import type { LiveContext } from './live-context.ts'
import { MAX_ROWS } from './live.queries.ts'

/** A cell: text, or pieces such as a reference. */
export type Cell = string | InlineValue[]

interface Column {
  title: string
  align?: 'left' | 'center' | 'right'
}

/** A numbered table with a caption; rows beyond the limit are counted below it. */
export const tableOf = (
  { composer, place, words }: LiveContext,
  caption: string,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
): BlockValue[] => {
  const cell = (content: Cell) => (typeof content === 'string' ? composer.inline(content, place) : content)
  const table: BlockValue = {
    type: 'table',
    ...composer.nextTable(),
    caption: composer.inline(caption, place),
    columns: columns.map(({ title, align = 'left' }) => ({ align, title: composer.inline(title, place) })),
    rows: rows.slice(0, MAX_ROWS).map((row) => row.map(cell)),
  }
  const left = rows.length - MAX_ROWS
  return left > 0 ? [table, sentence(composer.labels.moreRows.replace('{count}', words.number(left)))] : [table]
}

/** Rows of a name and a value, without a head. */
export const pairsOf = (context: LiveContext, caption: string, pairs: readonly (readonly [string, string])[]) =>
  tableOf(
    context,
    caption,
    [{ title: '' }, { title: '' }],
    pairs.filter(([, value]) => value !== '').map(([name, value]) => [bold(name), value]),
  )

export const bold = (text: string): InlineValue[] => [{ type: 'text', text, marks: ['bold'] }]

export const sentence = (text: string): BlockValue => ({ type: 'paragraph', content: [{ type: 'text', text }] })
