/** A line that says something. */
export interface InputLine {
  /** Counted from 1, with the lines that are skipped. */
  line: number
  /** Trimmed, without a comment. */
  input: string
}

/** The text with a mark in place of what no request may hold: NUL and half a surrogate pair. Only their lines are refused then. */
export const sendable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/**
 * The lines of a text that somebody pasted, however many. Blank lines are skipped, and comments: `#` at the start of a line
 * or after a blank. One pass over the text: two million blank lines are as good as none.
 */
export function* pastedLines(text: string): Generator<InputLine> {
  for (let start = 0, line = 1; start < text.length; line++) {
    const end = endOfLine(text, start)
    const input = end > start ? withoutComment(text.slice(start, end).trim()) : ''
    if (input !== '') yield { line, input }
    start = end + (text.startsWith('\r\n', end) ? 2 : 1)
  }
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

/** Longer lines are no value: they are not worth looking at. */
const MAX_LINE = 8_192

/** What people mean by a pasted line: without the marks that lists, tables and reports put around values, and with `hxxp://` and `[.]` undone. */
export const asMeant = (line: string): string =>
  line.length > MAX_LINE
    ? line
    : withoutCommas(line)
        .replace(/^(?:[-*•–] |["'`<])+/, '')
        .replace(/^hxxp(s?)(?=:|\[:)/i, 'http$1')
        .replace(/\[:\/\/\]|\[:\]\/\//, '://')
        .replace(/\[\.\]|\(\.\)|\{\.\}|\[dot\]/gi, '.')
        .replace(/["'`>]$/, '')
        .trim()

const withoutCommas = (text: string): string => {
  let end = text.length
  while (end > 0 && ',;'.includes(text[end - 1] as string)) end--
  return text.slice(0, end).trimEnd()
}
