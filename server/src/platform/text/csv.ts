/** Characters with which spreadsheets start a formula (ASVS 1.2.10); the wide forms are for Japanese ones. */
const FORMULA_START = new Set('=+-@\u0000＝＋－＠')
/**
 * Characters at which some spreadsheet splits cells and lines, regardless of this file: it depends on regional
 * settings.
 */
const SEPARATORS = new Set(',;\t\r\n')
/** Allowed between a separator and a formula: spreadsheets strip quotes and spaces. */
const SKIPPED = /["'\s]/u

/** One line of CSV (RFC 4180) from texts; text that a spreadsheet would run gets an apostrophe in front. */
export const csvLine = (cells: readonly (string | null)[]): string =>
  `${cells.map((cell) => csvCell(cell ?? '')).join(',')}\r\n`

const csvCell = (text: string): string => {
  const harmless = /^[\t\r]/.test(text) ? `'${neutralized(text)}` : neutralized(text)
  return /[",;\t\r\n]/.test(harmless) || harmless !== harmless.trim() ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Puts an apostrophe before each formula at the start of the text and after every separator in it. */
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

/** The text of a cell that `csvLine` wrote: without the apostrophes before formulas. */
export const originalCell = (text: string): string => {
  const cell = /^'[\t\r]/.test(text) ? text.slice(1) : text
  const characters = [...cell]
  let result = ''
  let mayBegin = true
  for (const [place, character] of characters.entries()) {
    if (mayBegin && character === "'" && FORMULA_START.has(characters[place + 1] ?? '')) continue
    mayBegin = SEPARATORS.has(character) || (mayBegin && SKIPPED.test(character))
    result += character
  }
  return result
}
