/** A line with content. */
export interface InputLine {
  /** Counted from 1, including skipped lines. */
  line: number
  /** Trimmed, without a comment. */
  input: string
}

/** Replaces what no request may contain: NUL and lone surrogates. Only their lines are then refused. */
export const sendable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/**
 * The lines of a pasted text, without a limit. Skips blank lines and comments: `#` at the start of a line or after a
 * blank. One pass over the text: two million blank lines cost almost nothing.
 */
export function* pastedLines(text: string): Generator<InputLine> {
  for (const { line, input } of writtenLines(text)) if (input !== '') yield { line, input }
}

/** A line with its comment, which `pastedLines` omits. */
export interface WrittenLine extends InputLine {
  /** Without the `#`, trimmed. Empty without a comment. */
  comment: string
  /** Number of `#` at the start of the line; 0 if there is none. */
  depth: number
}

/** Every line that is not blank, with its comment. */
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
  return {
    input: line.slice(0, start).trimEnd(),
    comment: line.slice(start + marks[0].length).trim(),
    depth: start === 0 ? marks[0].length : 0,
  }
}

/** Longer lines cannot be values and are not examined. */
const MAX_LINE = 8_192

/**
 * The intended value of a pasted line: removes the marks that lists, tables and reports put around values, and undoes
 * `hxxp://` and `[.]`.
 */
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
