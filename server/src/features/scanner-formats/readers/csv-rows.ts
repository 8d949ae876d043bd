import { type Info, type Parser, parse } from 'csv-parse'

const MAX_ROW_CHARACTERS = 16 * 1024 * 1024

/** A row of a CSV, with the line at which it ends. */
export interface CsvRow {
  cells: string[]
  line: number
}

/**
 * Yields rows as they are parsed. A parser read as a stream would drop complete, unread rows when an error occurs.
 *
 * @throws CsvError after the rows before an error, such as an unclosed quote
 */
export async function* rowsOf(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<CsvRow> {
  const rows: CsvRow[] = []
  let parser: Parser | undefined
  let failed: unknown
  for await (const chunk of text) {
    if (!parser) {
      parser = parserFor(chunk, delimiter, (cells, line) => rows.push({ cells, line }))
      parser.on('error', (error) => {
        failed = error
      })
    }
    await written(parser, chunk)
    yield* rows.splice(0)
    if (failed !== undefined) break
  }
  if (failed === undefined && parser) await written(parser, undefined)
  yield* rows.splice(0)
  if (failed !== undefined) throw failed
}

/** Lines end with carriage returns only. One at the end of what was read may be half of a Windows line end. */
const isOfOldMac = (begin: string): boolean => !begin.includes('\n') && begin.slice(0, -1).includes('\r')

const parserFor = (begin: string, delimiter: string, onRow: (cells: string[], line: number) => void): Parser =>
  parse({
    bom: true,
    delimiter,
    // A file may mix both, such as a title that was added to the file of a tool.
    record_delimiter: isOfOldMac(begin) ? ['\r'] : ['\r\n', '\n'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_CHARACTERS,
    on_record: (cells: string[], { lines }: Info) => {
      onRow(cells, lines)
      return null
    },
  })

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
