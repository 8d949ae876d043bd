import { CsvError } from 'csv-parse'
import { rowsOf } from '../readers/csv-rows.ts'
import { itemsOf } from '../readers/records.ts'
import { type Format, type Item, type ReadOptions, UnreadableFile } from '../registry/format.ts'
import { TestsslFacts } from '../tls/testssl-facts.ts'
import { columnName, delimiterOf, hasEvenLines, headerLine, isTableHead, MAX_TITLE_LINES, tableIn } from './csv-head.ts'
import { layoutOf, UNNAMED } from './csv-layouts.ts'
import { CsvNotes } from './csv-notes.ts'

const MAX_COLUMNS = 500

/** A line that Excel writes, and expects, before the columns. */
const SEPARATOR_LINE = /^"?sep=([,;|\t])"?$/i

/**
 * RFC 4180 with `,`, `;` or tabs: findings of OpenVAS, Nessus, Qualys and testssl, and lists with title and severity.
 */
export const csv: Format = {
  id: 'csv',
  name: 'CSV of OpenVAS, Nessus, Qualys, testssl, Prowler, or with columns title and severity',
  recognisedBy: 'a first line with several columns, separated by ",", ";" or tabs',
  knowsCoverage: false,
  // Only OpenVAS states when a row was seen; dates in other lists may mean anything.
  statedTimes: (head) => ({
    patterns:
      head.shape === 'text' && /nvt oid/i.test(head.line)
        ? [/[,"](\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[^",]{0,15})[,"]/g]
        : [],
  }),
  legacyEncoding: 'windows-1252',
  isIn: (head) =>
    head.shape === 'text' &&
    !head.line.startsWith('#') &&
    (/[,;\t]/.test(head.line) ||
      SEPARATOR_LINE.test(head.line) ||
      tableIn(head.text, {}) !== undefined ||
      hasEvenLines(head.text)),
  read: (text, head, options) => readCsv(text, head.shape === 'text' ? head : { line: '', text: '' }, options),
}

async function* readCsv(
  text: AsyncIterable<string>,
  head: { line: string; text: string },
  { mapping }: ReadOptions,
): AsyncGenerator<Item> {
  const declared = SEPARATOR_LINE.exec(head.line)?.[1]
  const table = tableIn(head.text, mapping)
  const delimiter = declared ?? table?.delimiter ?? delimiterOf(headerLine(head.text) ?? head.line)
  let titles = 0
  const notes = new CsvNotes()
  const facts = new TestsslFacts()
  let columns: string[] | undefined
  let layout: ReturnType<typeof layoutOf> | undefined
  try {
    for await (const { cells: record, line } of rowsOf(text, delimiter)) {
      if (!columns || !layout) {
        if (declared !== undefined && SEPARATOR_LINE.test(record.join(declared))) continue
        const isTitle = table
          ? !isTableHead(record.map(columnName), mapping)
          : record.filter((cell) => cell.trim() !== '').length < 2
        if (isTitle && titles++ < MAX_TITLE_LINES) continue
        columns = record.slice(0, MAX_COLUMNS).map(columnName)
        layout = layoutOf(columns, mapping)
        yield { type: 'tool', name: layout.tool }
        continue
      }
      if (record.every((cell) => cell.trim() === '')) continue
      // Files that were joined repeat the names of their columns.
      if (isHeadAgain(record, columns)) continue
      const names = columns
      const cells = cellsOf(names, record)
      if (cells.has(UNNAMED)) notes.noteUnnamed()
      const { read, tool } = layout
      if (tool === 'testssl') facts.note(factOf(cells))
      yield* itemsOf(`line ${line}`, record.join(','), () => read((name) => cells.get(name) || undefined, notes))
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    yield { type: 'cut', reason: error.message }
  }
  yield* facts.finish()
  if (!columns || !layout) throw new UnreadableFile('the CSV has no line with the names of its columns')
  yield* notes.warnings(layout.unread)
}

const isHeadAgain = (record: readonly string[], columns: readonly string[]): boolean =>
  record.length >= columns.length && columns.every((name, index) => name === columnName(record[index] ?? ''))

/** The cells by the names of their columns: of columns with one name the first that is not empty. */
const cellsOf = (names: readonly string[], record: readonly string[]): Map<string, string> => {
  const cells = new Map<string, string>()
  const unnamed: string[] = []
  for (const [index, written] of record.entries()) {
    const [name, cell] = [names[index] ?? '', written.trim()]
    if (cell === '') continue
    if (name === '') unnamed.push(cell)
    else if (!cells.has(name)) cells.set(name, cell)
  }
  if (unnamed.length > 0) cells.set(UNNAMED, unnamed.join(', '))
  return cells
}

const factOf = (cells: ReadonlyMap<string, string>) => {
  const of = (name: string) => cells.get(name) ?? ''
  return { id: of('id'), place: of('fqdn/ip'), port: of('port'), severity: of('severity'), finding: of('finding') }
}
