import { MAX_LINES } from '@sortie/contract/lists.ts'
import { invalid } from '../errors.ts'

/** A line that says something. */
export interface InputLine {
  /** Counted from 1, with the lines that are skipped. */
  line: number
  /** Trimmed, without a comment. */
  input: string
}

/**
 * The lines of a text that somebody pasted. Blank lines are skipped, and comments: `#` at the start of a line or after a
 * blank.
 *
 * @throws ApiError VALIDATION_ERROR for more lines than one request takes
 */
export const readLines = (text: string): InputLine[] => {
  const lines: InputLine[] = []
  for (const [index, written] of text.split(/\r\n|\n|\r/).entries()) {
    const input = withoutComment(written).trim()
    if (input !== '') lines.push({ line: index + 1, input })
    if (lines.length > MAX_LINES) throw invalid(`text: must have at most ${MAX_LINES} lines`)
  }
  return lines
}

const withoutComment = (line: string): string => {
  const start = line.search(/(?:^|\s)#/)
  return start < 0 ? line : line.slice(0, start)
}
