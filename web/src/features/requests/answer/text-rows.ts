/** Characters per row; longer lines continue in the next row. */
const ROW_LENGTH = 160
/** More rows would exceed the maximum scroll height of browsers. */
const MAX_ROWS = 1_000_000

/** Row boundaries of a text. */
export interface Rows {
  /** Two numbers per row: start and end. */
  bounds: Uint32Array
  /** Line number of a row that starts a line, from 1; 0 for a continuation. */
  lines: Uint32Array
  count: number
  /** The text is longer than the rows show. */
  isCut: boolean
}

/** Splits a text into lines, and long lines into rows. Stores offsets only: ten megabytes stay one string. */
export const rowsOf = (text: string): Rows => {
  const bounds: number[] = []
  const lines: number[] = []
  let line = 0
  let begin = 0
  while (begin <= text.length && lines.length < MAX_ROWS) {
    const newline = text.indexOf('\n', begin)
    const end = newline === -1 ? text.length : newline
    line++
    let from = begin
    do {
      const to = Math.min(end, from + ROW_LENGTH)
      bounds.push(from, to)
      lines.push(from === begin ? line : 0)
      from = to
    } while (from < end && lines.length < MAX_ROWS)
    begin = end + 1
  }
  return {
    bounds: Uint32Array.from(bounds),
    lines: Uint32Array.from(lines),
    count: lines.length,
    isCut: begin <= text.length,
  }
}

/** Finds the next row that contains the text, from the one after `row`, wrapping around; undefined if there is none. */
export const findRow = (text: string, { bounds, count }: Rows, wanted: string, after: number): number | undefined => {
  if (wanted === '') return undefined
  const pattern = new RegExp(wanted.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&'), 'giu')
  pattern.lastIndex = bounds[2 * after + 1] ?? 0
  const found = (pattern.exec(text) ?? pattern.exec(text))?.index
  if (found === undefined) return undefined
  let [low, high] = [0, count - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((bounds[2 * middle] as number) <= found) low = middle
    else high = middle - 1
  }
  return low
}
