import { CsvError, type Info, type Parser, parse } from 'csv-parse'
import { itemsOf } from '../readers/records.ts'
import { type Format, type Item, type ReadOptions, UnreadableFile } from '../registry/format.ts'
import { layoutOf } from './csv-layouts.ts'
import { CsvNotes } from './csv-notes.ts'

const MAX_ROW_CHARACTERS = 16 * 1024 * 1024
const MAX_COLUMNS = 500

/** A line that Excel writes, and expects, before the columns. */
const SEPARATOR_LINE = /^"?sep=([,;|])"?$/i

/** RFC 4180 with `,` or `;`: findings of OpenVAS, Nessus, Qualys and testssl, and lists with title and severity. */
export const csv: Format = {
  id: 'csv',
  name: 'CSV of OpenVAS, Nessus, Qualys, testssl, or with columns title and severity',
  recognisedBy: 'a first line with several columns, separated by "," or ";"',
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
    head.shape === 'text' && (/[,;]/.test(head.line) || SEPARATOR_LINE.test(head.line)) && !head.line.startsWith('#'),
  read: (text, head, options) => readCsv(text, head.shape === 'text' ? head.line : '', options),
}

interface Row {
  cells: string[]
  line: number
}

async function* readCsv(
  text: AsyncIterable<string>,
  firstLine: string,
  { mapping }: ReadOptions,
): AsyncGenerator<Item> {
  const declared = SEPARATOR_LINE.exec(firstLine)?.[1]
  const notes = new CsvNotes()
  let columns: string[] | undefined
  let layout: ReturnType<typeof layoutOf> | undefined
  try {
    for await (const { cells: record, line } of rowsOf(text, declared ?? delimiterOf(firstLine))) {
      if (!columns || !layout) {
        if (declared !== undefined && SEPARATOR_LINE.test(record.join(declared))) continue
        columns = record.slice(0, MAX_COLUMNS).map((name) => name.trim().toLowerCase())
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

/**
 * Yields rows as they are parsed. A parser read as a stream would drop complete, unread rows when an error occurs.
 *
 * @throws CsvError after the rows before an error, such as an unclosed quote
 */
async function* rowsOf(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<Row> {
  const rows: Row[] = []
  const parser = parse({
    bom: true,
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_CHARACTERS,
    on_record: (cells: string[], { lines }: Info) => {
      rows.push({ cells, line: lines })
      return null
    },
  })
  let failed: unknown
  parser.on('error', (error) => {
    failed = error
  })
  for await (const chunk of text) {
    await written(parser, chunk)
    yield* rows.splice(0)
    if (failed !== undefined) break
  }
  if (failed === undefined) await written(parser, undefined)
  yield* rows.splice(0)
  if (failed !== undefined) throw failed
}

/** Resolves when the parser has consumed a chunk (or, without one, the end) or has failed. */
const written = (parser: Parser, chunk: string | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (chunk === undefined) {
      parser.once('close', resolve)
      // The stream has no output: each row is consumed by the record callback.
      parser.resume()
      parser.end()
    } else parser.write(chunk, () => resolve())
  })

/** The separator with more columns in the first line. */
const delimiterOf = (line: string): string => (line.split(';').length > line.split(',').length ? ';' : ',')
