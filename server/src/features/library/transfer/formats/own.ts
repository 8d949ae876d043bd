import { originalCell } from '../../../../platform/text/csv.ts'
import { fieldsIn, type ImportedEntry, listIn, textIn } from './imported-entry.ts'

type Row = Readonly<Record<string, string | undefined>>

const FIELDS = [
  'key',
  'severity',
  'cvssVector',
  'cwe',
  'owasp',
  'wstg',
  'attack',
  'tags',
  'rules',
  'guidance',
  'mainLanguage',
  'texts',
  'fields',
] as const
const SECTIONS = ['title', 'summary', 'description', 'impact', 'reproduction', 'recommendation'] as const
const LISTS = ['cwe', 'owasp', 'wstg', 'attack', 'tags'] as const

export const CSV_COLUMNS = [
  'key',
  'language',
  'mainLanguage',
  'severity',
  'cvssVector',
  ...LISTS,
  'rules',
  'guidance',
  ...SECTIONS,
  'references',
] as const

/** The own JSON; other fields of an exported entry are left out. */
export const readOwnJson = (document: unknown): ImportedEntry[] =>
  listIn(fieldsIn(document)['entries']).map((entry) => {
    const fields = fieldsIn(entry)
    return Object.fromEntries(FIELDS.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]))
  })

const cell = (row: Row, column: string): string => originalCell(row[column] ?? '')
const linesOf = (text: string): string[] => text.split('\n').flatMap((line) => line.trim() || [])

/** A rule as a line of its cell: a tool whose name has a space is in quotes. */
export const ruleLine = ({ tool, ruleId }: { tool: string; ruleId: string }): string =>
  `${/[\s"]/.test(tool) ? JSON.stringify(tool) : tool} ${ruleId}`

/** A JSON string at the start of a line. */
const QUOTED = /^"(?:[^"\\]|\\.)+"(?= )/

const ruleIn = (line: string): { tool: string; ruleId?: string } => {
  const quoted = QUOTED.exec(line)?.[0]
  const end = quoted?.length ?? line.indexOf(' ')
  if (end < 0) return { tool: line }
  return { tool: quoted === undefined ? line.slice(0, end) : toolIn(quoted), ruleId: line.slice(end + 1) }
}

/** Unchanged between its quotes, if someone has put them around text that needs escapes. */
const toolIn = (quoted: string): string => {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted.slice(1, -1)
  }
}

/** The own CSV: a row for each entry and language; the first row of a key has everything else. */
export const readOwnCsv = (rows: readonly Row[]): ImportedEntry[] => {
  const entries = new Map<string, ImportedEntry & { texts: Record<string, unknown> }>()
  for (const [index, row] of rows.entries()) {
    const key = cell(row, 'key')
    // Rows without a key are entries of their own, each rejected at its position.
    const name = key === '' ? `row ${index}` : key
    const language = cell(row, 'language') || 'en'
    const text = {
      ...Object.fromEntries(SECTIONS.map((section) => [section, cell(row, section)])),
      references: linesOf(cell(row, 'references')),
    }
    const known = entries.get(name)
    if (known) known.texts[language] = text
    else
      entries.set(name, {
        ...plainOf(row),
        ...(key !== '' && { key }),
        mainLanguage: cell(row, 'mainLanguage') || language,
        texts: { [language]: text },
      })
  }
  return [...entries.values()]
}

const plainOf = (row: Row): ImportedEntry => {
  const [severity, vector] = [cell(row, 'severity'), cell(row, 'cvssVector')]
  return {
    ...(severity !== '' && { severity }),
    cvssVector: vector === '' ? null : vector,
    ...Object.fromEntries(
      LISTS.map((name) => [
        name,
        cell(row, name)
          .split(',')
          .flatMap((part) => part.trim() || []),
      ]),
    ),
    rules: linesOf(cell(row, 'rules')).map(ruleIn),
    guidance: textIn(cell(row, 'guidance')),
  }
}
