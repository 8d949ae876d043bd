import { pipeline, Readable } from 'node:stream'
import { CsvError, type Info, parse } from 'csv-parse'
import { layoutOf } from './csv-layouts.ts'
import { type Format, type Item, type ReadOptions, UnreadableFile } from './format.ts'
import { itemsOf } from './records.ts'

const MAX_ROW_CHARACTERS = 16 * 1024 * 1024
const MAX_COLUMNS = 500

/** A line that Excel writes before the columns, and asks for. */
const SEPARATOR_LINE = /^"?sep=([,;|])"?$/i

/** RFC 4180, with `,` or `;`: lists of findings of OpenVAS, Nessus and testssl, and those with title and severity. */
export const csv: Format = {
  id: 'csv',
  name: 'CSV of OpenVAS, Nessus, testssl, or with columns title and severity',
  recognisedBy: 'a first line with several columns, separated by "," or ";"',
  knowsCoverage: false,
  isIn: (head) => head.shape === 'text' && (/[,;]/.test(head.line) || SEPARATOR_LINE.test(head.line)) && !head.line.startsWith('#'),
  read: (text, head, options) => readCsv(text, head.shape === 'text' ? head.line : '', options),
}

async function* readCsv(text: AsyncIterable<string>, firstLine: string, { mapping }: ReadOptions): AsyncGenerator<Item> {
  const declared = SEPARATOR_LINE.exec(firstLine)?.[1]
  const parser = parse({
    bom: true,
    delimiter: declared ?? delimiterOf(firstLine),
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_CHARACTERS,
  })
  // The loop below throws the errors of both.
  pipeline(Readable.from(text), parser, () => undefined)
  let columns: string[] | undefined
  let layout: ReturnType<typeof layoutOf> | undefined
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
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
      yield* itemsOf(`line ${info.lines}`, record.join(','), () => read((name) => cells.get(name) || undefined))
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    yield { type: 'cut', reason: error.message }
  }
  if (!columns) throw new UnreadableFile('the CSV has no line with the names of its columns')
}

/** What separates more columns in the first line. */
const delimiterOf = (line: string): string => (line.split(';').length > line.split(',').length ? ';' : ',')
