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
  for (const { line, input } of writtenLines(text)) if (input !== '') yield { line, input }
}

/** A line with its comment, which `pastedLines` leaves out. */
export interface WrittenLine extends InputLine {
  /** Without the `#`, trimmed. Empty where there is none. */
  comment: string
  /** How many `#` begin the line; 0 where it begins otherwise. */
  depth: number
}

/** Every line that is not blank, with what its comment says. */
export function* writtenLines(text: string): Generator<WrittenLine> {
  for (let start = 0, line = 1; start < text.length; line++) {
    const end = endOfLine(text, start)
    const written = end > start ? text.slice(start, end).trim() : ''
    if (written !== '') yield { line, ...withComment(written) }
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

const withComment = (line: string): Omit<WrittenLine, 'line'> => {
  const start = line.startsWith('#') ? 0 : line.search(/\s#/)
  if (start < 0) return { input: line, comment: '', depth: 0 }
  const marks = /^\s?#+/.exec(line.slice(start)) as RegExpExecArray
  return { input: line.slice(0, start).trimEnd(), comment: line.slice(start + marks[0].length).trim(), depth: start === 0 ? marks[0].length : 0 }
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
