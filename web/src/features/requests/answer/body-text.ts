/** Characters of a row: what is longer goes on in the next one. */
const ROW_LENGTH = 160
/** More rows than these would be higher than browsers can scroll. */
const MAX_ROWS = 1_000_000
/** Longer JSON is shown as it came: laying it out would hold up the page. */
const MAX_PRETTY = 1_000_000
/** Deeper parts are not moved further in: a short text of brackets would else become gigabytes of blanks. */
const MAX_INDENTS = 20

/** The text of a body in the character set that its header names, or UTF-8; undefined for what is no text. */
export const decode = (bytes: Uint8Array, contentType: string | undefined): string | undefined => {
  if (bytes.subarray(0, 4_096).includes(0)) return undefined
  const charset = /charset="?([\w.:-]+)/i.exec(contentType ?? '')?.[1]
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(bytes)
  } catch {
    // A character set that does not exist.
    return new TextDecoder().decode(bytes)
  }
}

/** Where rows begin and end in a text. */
export interface Rows {
  /** Twice as many numbers as rows: begin and end of each. */
  bounds: Uint32Array
  /** Number of the line that a row begins, counted from 1; 0 for one that goes on. */
  lines: Uint32Array
  count: number
  /** Whether the text is longer than what the rows show. */
  isCut: boolean
}

/** Cuts a text into lines, and long lines into rows. No row is copied: ten megabytes stay one string. */
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
  return { bounds: Uint32Array.from(bounds), lines: Uint32Array.from(lines), count: lines.length, isCut: begin <= text.length }
}

/**
 * JSON laid out over lines; undefined for what is no JSON, or too long. Only the space between its parts changes: numbers
 * keep their digits, and names that come twice stay, which a parser would lose.
 */
export const prettyJson = (text: string): string | undefined => {
  if (text.length > MAX_PRETTY || !/^\s*[[{]/.test(text)) return undefined
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  const parts: string[] = []
  let depth = 0
  const breakLine = () => parts.push(`\n${'  '.repeat(Math.min(depth, MAX_INDENTS))}`)
  let isEmpty = false
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[^\s"[\]{},:]+|[[\]{},:]/g)) {
    if (token === '}' || token === ']') {
      depth--
      if (!isEmpty) breakLine()
      isEmpty = false
      parts.push(token)
      continue
    }
    if (isEmpty) breakLine()
    isEmpty = token === '{' || token === '['
    parts.push(token)
    if (isEmpty) depth++
    else if (token === ',') breakLine()
    else if (token === ':') parts.push(' ')
  }
  return parts.join('')
}

/** Where a text is found next, in rows, from the one after `row` on and around; undefined for nowhere. */
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
