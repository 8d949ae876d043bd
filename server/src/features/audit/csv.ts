/** A cell that begins with one of these may be run as a formula by a spreadsheet (ASVS 1.2.10). */
const FORMULA_START = /^[=+\-@\t\r\u0000＝＋－＠]/

/** One line of CSV (RFC 4180) from texts; what a spreadsheet would run begins with an apostrophe. */
export const csvLine = (cells: readonly (string | null)[]): string => `${cells.map((cell) => csvCell(cell ?? '')).join(',')}\r\n`

const csvCell = (text: string): string => {
  const harmless = FORMULA_START.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) || harmless !== harmless.trim() ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
