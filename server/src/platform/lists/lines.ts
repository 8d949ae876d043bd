import { MAX_LINES } from '@sortie/contract/lists.ts'
import { invalid } from '../errors.ts'

/** A line that says something. */
export interface InputLine {
  /** Counted from 1, with the lines that are skipped. */
  line: number
  /** Trimmed, without a comment. */
  input: string
}

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const HASH = 0x23

/**
 * The lines of a text that somebody pasted. Blank lines are skipped, and comments: `#` at the start of a line or after a
 * blank. One pass over the text: two million blank lines are as good as none.
 *
 * @throws ApiError VALIDATION_ERROR for more lines than one request takes
 */
export const readLines = (text: string): InputLine[] => {
  const lines: InputLine[] = []
  for (let start = 0, line = 1; start < text.length; line++) {
    let first = -1
    let end = start
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end)
      if (code === LINE_FEED || code === CARRIAGE_RETURN) break
      if (first < 0 && !isBlank(code)) first = end
    }
    if (first >= 0 && text.charCodeAt(first) !== HASH) {
      if (lines.length === MAX_LINES) throw invalid(`text: must have at most ${MAX_LINES} lines`)
      lines.push({ line, input: withoutComment(text.slice(first, end)) })
    }
    start = end + (text.startsWith('\r\n', end) ? 2 : 1)
  }
  return lines
}

/** As `trim` has it. */
const isBlank = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d) || (code >= 0xa0 && /\s/.test(String.fromCharCode(code)))

const withoutComment = (line: string): string => {
  const start = line.search(/\s#/)
  return (start < 0 ? line : line.slice(0, start)).trim()
}
