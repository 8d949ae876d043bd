import { CsvError } from 'csv-parse'
import { rowsOf } from '../readers/csv-rows.ts'
import { itemsOf } from '../readers/records.ts'
import { type Format, type Item, type ReadOptions, UnreadableFile } from '../registry/format.ts'
import { hasKnownColumns, layoutOf } from './csv-layouts.ts'
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
      hasKnownColumns(columnsOfLine(headerLine(head.text) ?? ''))),
  read: (text, head, options) => readCsv(text, head.shape === 'text' ? head : { line: '', text: '' }, options),
}

/** Lines in which the columns may come; people write a title above them. */
const MAX_TITLE_LINES = 20

/** The first line with several columns. */
const headerLine = (text: string): string | undefined =>
  text
    .slice(0, 65_536)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, MAX_TITLE_LINES)
    .find((line) => columnsOfLine(line).filter(Boolean).length > 1)

const columnsOfLine = (line: string): string[] =>
  line.split(delimiterOf(line)).map((name) => columnName(name.trim().replace(/^"(.*)"$/, '$1')))

const columnName = (written: string): string => written.trim().toLowerCase()

async function* readCsv(
  text: AsyncIterable<string>,
  head: { line: string; text: string },
  { mapping }: ReadOptions,
): AsyncGenerator<Item> {
  const declared = SEPARATOR_LINE.exec(head.line)?.[1]
  const header = /[,;\t]/.test(head.line) ? head.line : (headerLine(head.text) ?? head.line)
  let titles = 0
  const notes = new CsvNotes()
  let columns: string[] | undefined
  let layout: ReturnType<typeof layoutOf> | undefined
  try {
    for await (const { cells: record, line } of rowsOf(text, declared ?? delimiterOf(header))) {
      if (!columns || !layout) {
        if (declared !== undefined && SEPARATOR_LINE.test(record.join(declared))) continue
        const isTitle = record.filter((cell) => cell.trim() !== '').length < 2
        if (isTitle && titles++ < MAX_TITLE_LINES) continue
        columns = record.slice(0, MAX_COLUMNS).map(columnName)
        layout = layoutOf(columns, mapping)
        yield { type: 'tool', name: layout.tool }
        continue
      }
      if (record.every((cell) => cell.trim() === '')) continue
      const names = columns
      const cells = new Map(names.map((name, index) => [name, record[index]?.trim() ?? '']))
      const { read } = layout
      yield* itemsOf(`line ${line}`, record.join(','), () => read((name) => cells.get(name) || undefined, notes))
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    yield { type: 'cut', reason: error.message }
  }
  if (!columns || !layout) throw new UnreadableFile('the CSV has no line with the names of its columns')
  yield* notes.warnings(layout.unread)
}

/** The separator with the most columns in the first line. */
const delimiterOf = (line: string): string =>
  [',', ';', '\t'].toSorted((a, b) => line.split(b).length - line.split(a).length)[0] as string
