import { hasKnownColumns } from './csv-layouts.ts'

/** Lines in which the columns may come; people and tools write titles above them. */
export const MAX_TITLE_LINES = 20

/** In characters: where the columns are looked for. */
const MAX_HEAD = 65_536

const SEPARATORS = [',', ';', '\t'] as const

export const columnName = (written: string): string => written.trim().toLowerCase()

const columnsOf = (line: string, separator: string): string[] =>
  line.split(separator).map((name) => columnName(name.trim().replace(/^"(.*)"$/, '$1')))

const firstLines = (text: string): string[] =>
  text
    .slice(0, MAX_HEAD)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, MAX_TITLE_LINES)

/** True for the names of the columns: those that are mapped, or of a known layout. */
export const isTableHead = (columns: readonly string[], mapping: Readonly<Record<string, string>>): boolean => {
  const mapped = Object.keys(mapping).map(columnName)
  return mapped.length > 0 ? mapped.every((name) => columns.includes(name)) : hasKnownColumns(columns)
}

/** The separator of the line with the names of the columns; undefined if no line has names that are known or mapped. */
export const tableIn = (text: string, mapping: Readonly<Record<string, string>>): { delimiter: string } | undefined => {
  for (const line of firstLines(text))
    for (const delimiter of SEPARATORS) if (isTableHead(columnsOf(line, delimiter), mapping)) return { delimiter }
  return undefined
}

/** The first line with several columns. */
export const headerLine = (text: string): string | undefined =>
  firstLines(text).find((line) => columnsOf(line, delimiterOf(line)).filter(Boolean).length > 1)

/** True if two lines in a row have the same number of columns, three or more: a table below a title. */
export const hasEvenLines = (text: string): boolean => {
  const lines = firstLines(text)
  return SEPARATORS.some((separator) =>
    lines.some((line, index) => {
      const width = line.split(separator).length
      return width > 2 && lines[index + 1]?.split(separator).length === width
    }),
  )
}

/** The separator with the most columns in a line. */
export const delimiterOf = (line: string): string =>
  SEPARATORS.toSorted((a, b) => line.split(b).length - line.split(a).length)[0] as string
