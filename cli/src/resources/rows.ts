/** An object of the API. */
export type Row = Readonly<Record<string, unknown>>

export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A field as a cell of a table: people and other objects by their names. */
export const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (isRow(value) && typeof value['name'] === 'string') return value['name']
  return JSON.stringify(value)
}

/** Characters with which spreadsheets begin a formula (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r]/

/** One line of a CSV file (RFC 4180), without its end. */
export const csvLine = (cells: readonly string[]): string =>
  cells
    .map((cell) => (FORMULA.test(cell) ? `'${cell}` : cell))
    .map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',')
