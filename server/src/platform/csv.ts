/** What spreadsheets take for the beginning of a formula (ASVS 1.2.10); the wide forms are for Japanese ones. */
const FORMULA_START = new Set('=+-@\u0000＝＋－＠')
/** What one spreadsheet or another parts cells and lines by, whatever this file uses: that depends on its country's settings. */
const SEPARATORS = new Set(',;\t\r\n')
/** May stand between a separator and a formula: spreadsheets take quotes and spaces off. */
const SKIPPED = /["'\s]/u

/** One line of CSV (RFC 4180) from texts; what a spreadsheet would run has an apostrophe before it. */
export const csvLine = (cells: readonly (string | null)[]): string => `${cells.map((cell) => csvCell(cell ?? '')).join(',')}\r\n`

const csvCell = (text: string): string => {
  const harmless = /^[\t\r]/.test(text) ? `'${neutralized(text)}` : neutralized(text)
  return /[",;\t\r\n]/.test(harmless) || harmless !== harmless.trim() ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Puts an apostrophe before each formula at the beginning of the text and behind every separator in it. */
const neutralized = (text: string): string => {
  let result = ''
  let mayBegin = true
  for (const character of text) {
    if (mayBegin && FORMULA_START.has(character)) result += "'"
    mayBegin = SEPARATORS.has(character) || (mayBegin && SKIPPED.test(character))
    result += character
  }
  return result
}
