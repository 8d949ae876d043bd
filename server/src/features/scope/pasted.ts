/** A line that says something, as it was pasted and as people mean it. */
export interface PastedLine {
  /** Counted from 1, over all lines. */
  line: number
  input: string
  text: string
}

/** Lines of pasted text, however its system ends them. A last line end begins no line. */
export const splitLines = (text: string): string[] => {
  const lines = text.split(/\r\n|\n|\r/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Lines that are neither blank nor a comment. */
export const pastedLines = (lines: readonly string[]): PastedLine[] =>
  lines.map((input, index) => ({ line: index + 1, input, text: cleaned(input) })).filter(({ text }) => text !== '')

/** Longer lines are no value: they are not worth looking at. */
const MAX_LINE = 8_192

/** Without a comment, without the marks that lists, tables and reports put around values, and with `hxxp://` and `[.]` undone. */
const cleaned = (input: string): string => {
  if (input.length > MAX_LINE) return input
  return withoutCommas(withoutComment(input).trim())
    .replace(/^(?:[-*•–] |["'`<])+/, '')
    .replace(/^hxxp(s?)(?=:|\[:)/i, 'http$1')
    .replace(/\[:\/\/\]|\[:\]\/\//, '://')
    .replace(/\[\.\]|\(\.\)|\{\.\}|\[dot\]/gi, '.')
    .replace(/["'`>]$/, '')
    .trim()
}

const withoutCommas = (text: string): string => {
  let end = text.length
  while (end > 0 && ',;'.includes(text[end - 1] as string)) end--
  return text.slice(0, end).trimEnd()
}

/** `#` begins a comment at the start of a line or after a blank; elsewhere it is part of a URL. */
const withoutComment = (input: string): string => {
  const start = input.search(/(?:^|\s)#/)
  return start < 0 ? input : input.slice(0, start)
}
