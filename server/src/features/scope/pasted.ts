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
