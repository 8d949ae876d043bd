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

/**
 * The lines of a text that somebody pasted. Blank lines are skipped, and comments: `#` at the start of a line or after a
 * blank. One pass over the text: two million blank lines are as good as none.
 *
 * @throws ApiError VALIDATION_ERROR for more lines than one request takes
 */
export const readLines = (text: string): InputLine[] => {
  const lines: InputLine[] = []
  for (let start = 0, line = 1; start < text.length; line++) {
    const end = endOfLine(text, start)
    const input = end > start ? withoutComment(text.slice(start, end).trim()) : ''
    if (input !== '') {
      if (lines.length === MAX_LINES) throw invalid(`text: must have at most ${MAX_LINES} lines`)
      lines.push({ line, input })
    }
    start = end + (text.startsWith('\r\n', end) ? 2 : 1)
  }
  return lines
}

const endOfLine = (text: string, start: number): number => {
  let end = start
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code === LINE_FEED || code === CARRIAGE_RETURN) break
  }
  return end
}

const withoutComment = (line: string): string => {
  if (line.startsWith('#')) return ''
  const start = line.search(/\s#/)
  return start < 0 ? line : line.slice(0, start).trimEnd()
}
