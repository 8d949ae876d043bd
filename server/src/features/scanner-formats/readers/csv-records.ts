import { CsvError } from 'csv-parse'
import type { Item } from '../registry/format.ts'
import { rowsOf } from './csv-rows.ts'
import { type Fields, itemsOf, type RecordItems, UnknownFields, withProbe } from './records.ts'
import { rejection } from './rejections.ts'

/** The names of the columns in the first line of a CSV, in lower case. */
export const columnsIn = (line: string): Set<string> =>
  new Set(line.split(',').map((name) => name.trim().replace(/^"|"$/g, '').toLowerCase()))

/**
 * Reads a CSV whose columns are the fields of a tool's JSON rows. `true` and `false` become booleans, `[a b]` a list,
 * as Go writes them; empty cells are left out.
 *
 * @param time the column with the time of a row's probe
 * @param known every column that the tool writes; a warning counts the rows with any other
 */
export async function* csvRecordItems(
  text: AsyncIterable<string>,
  make: (fields: Fields) => RecordItems,
  { time, known }: { time?: string; known?: ReadonlySet<string> } = {},
): AsyncGenerator<Item> {
  const unknown = new UnknownFields(known)
  let columns: string[] | undefined
  try {
    for await (const { cells, line } of rowsOf(text, ',')) {
      if (!columns) {
        columns = cells.map((name) => name.trim().toLowerCase())
        continue
      }
      if (cells.length < columns.length) {
        yield rejection(`line ${line}`, cells.join(','), 'has fewer cells than there are columns')
        continue
      }
      // Files that were joined repeat the names of their columns.
      if (columns.every((name, index) => name === cells[index]?.trim().toLowerCase())) continue
      const fields: Fields = {}
      for (const [index, name] of columns.entries()) {
        const value = valueOf(cells[index]?.trim() ?? '')
        if (value !== undefined && !Object.hasOwn(fields, name))
          Object.defineProperty(fields, name, { value, enumerable: true, writable: true })
      }
      unknown.count(fields)
      yield* withProbe(itemsOf(`line ${line}`, fields, make), time === undefined ? undefined : isoOf(fields[time]))
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    yield { type: 'cut', reason: error.message }
  }
  yield* unknown.warnings()
}

const valueOf = (cell: string): unknown => {
  if (cell === '' || cell === '[]') return undefined
  if (cell === 'true' || cell === 'false') return cell === 'true'
  if (!/^\[[^[\]]*\]$/.test(cell)) return cell
  const inner = cell.slice(1, -1)
  return (inner.includes(',') ? inner.split(',') : inner.split(' ')).map((each) => each.trim()).filter(Boolean)
}

/** `2026-11-24 09:00:00 +0000 UTC` or without a zone, which is UTC then. */
const isoOf = (written: unknown): unknown => {
  const found = typeof written === 'string' ? /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/.exec(written) : null
  return found ? `${found[1]}T${found[2]}Z` : written
}
