import { createMethodology, METHODOLOGY_LIMITS } from '@sortie/contract/tasks/methodologies.ts'
import { parse } from 'csv-parse'
import { badRequest, invalid } from '../../platform/errors.ts'
import { requestParser } from '../../platform/http/routes/validate.ts'
import { csvLine } from '../../platform/text/csv.ts'
import { parseJson } from '../../platform/text/json.ts'
import { ABOUT, chooseColumns, columnName, type Field, FIELDS, isHeader, parseColumns } from './files/columns.ts'
import { ItemList } from './files/items.ts'
import { isMarkdown, readMarkdown } from './files/markdown.ts'
import { readPublished } from './files/published.ts'
import type { MethodologyRow } from './methodologies.queries.ts'
import type { NewMethodology } from './methodologies.service.ts'

/** Makes spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff'
const MAX_ITEMS = 1_000
/** Lines in which the columns may come; people write a title above them. */
const MAX_TITLE_LINES = 20
const UNNAMED = 'Imported methodology'

/** A file is validated like the body of the create request. */
const parser = requestParser(createMethodology)

export interface MethodologyFile {
  format: 'auto' | 'json' | 'csv' | 'markdown'
  /** `column:field,...` */
  mapping: string | undefined
  /** Replaces the one in the file. */
  name: string | undefined
}

/** @throws ApiError BAD_REQUEST for a file that cannot be read, VALIDATION_ERROR for invalid content */
export const readMethodology = async (
  bytes: Buffer,
  { format, mapping, name }: MethodologyFile,
): Promise<NewMethodology> => {
  const columns = parseColumns(mapping)
  const text = decoded(bytes)
  const actual = format === 'auto' ? formatOf(text) : format
  const raw =
    actual === 'json'
      ? readJson(text, columns)
      : actual === 'markdown'
        ? readList(text, columns)
        : await readCsv(text, columns)
  if ((raw['items'] as unknown[]).length === 0 && actual !== 'json')
    throw badRequest('The file has no item: each needs at least a title.')
  if ((raw['items'] as unknown[]).length > MAX_ITEMS) throw invalid(`items: must have at most ${MAX_ITEMS} entries`)
  return parser.body({ ...raw, ...(name !== undefined && { name }) }) as NewMethodology
}

/** UTF-8, UTF-16 with its mark, or else Windows-1252, as Excel saves. */
const decoded = (bytes: Buffer): string => {
  const [a, b] = bytes
  if (a === 0xff && b === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (a === 0xfe && b === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (bytes.subarray(0, 2).toString('latin1') === 'PK')
    throw badRequest('This is a ZIP or an Excel file: save the table as CSV UTF-8 and import that.')
  if (bytes.subarray(0, 5).toString('latin1') === '%PDF-')
    throw badRequest('This is a PDF: import the checklist as CSV, JSON or Markdown.')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const formatOf = (text: string): 'json' | 'csv' | 'markdown' =>
  /^\s*[[{]/.test(text) ? 'json' : isMarkdown(text) ? 'markdown' : 'csv'

const readJson = (text: string, mapping: ReadonlyMap<Field, string>): Record<string, unknown> => {
  const file = parseJson(Buffer.from(text), METHODOLOGY_LIMITS.keys)
  const { name, description, version, items } = Array.isArray(file) ? {} : file
  if (Array.isArray(items) && mapping.size === 0)
    return Object.fromEntries(
      Object.entries({ name, description, version, items: items.map(writtenItem) }).filter(
        ([, value]) => value !== undefined,
      ),
    )
  const published = readPublished(Array.isArray(items) ? items : file, mapping)
  if (!published)
    throw badRequest(
      'The file must have a list "items" with key and title for each item, like an exported methodology, or be a published checklist: WSTG, ASVS, or a list of objects with a title.',
    )
  return { ...published, name: published.name || UNNAMED }
}

/** Drops unknown fields: the export of a newer version may have more. */
const writtenItem = (item: unknown): unknown =>
  typeof item === 'object' && item !== null
    ? Object.fromEntries(Object.entries(item).filter(([name]) => FIELDS.some((field) => field === name)))
    : item

const readList = (text: string, mapping: ReadonlyMap<Field, string>): Record<string, unknown> => {
  const { name, items } = readMarkdown(text, mapping)
  if (items.length === 0)
    throw badRequest(
      'The Markdown has no list: each item is an entry such as "- [ ] Check the login", below the heading of its group, or a row of a table with a column such as title.',
    )
  return { name: name.slice(0, 200) || UNNAMED, items }
}

const readCsv = async (text: string, mapping: ReadonlyMap<Field, string>): Promise<Record<string, unknown>> => {
  const list = new ItemList()
  let description = ''
  let titles = 0
  /** The first line with several cells, for a message. */
  let candidate: string[] | undefined
  let header: { names: string[]; columns: ReadonlyMap<Field, string> } | undefined
  const rows = parse({
    bom: true,
    delimiter: delimiterOf(text),
    relax_quotes: true,
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: 262_144,
  })
  rows.end(text)
  try {
    for await (const cells of rows as AsyncIterable<string[]>) {
      if (!header) {
        const names = cells.map(columnName)
        if (!isHeader(names, mapping) && titles++ < MAX_TITLE_LINES) {
          if (names.filter(Boolean).length > 1) candidate ??= names
          continue
        }
        header = { names, columns: chooseColumns(names, mapping) }
        continue
      }
      if (list.items.length === MAX_ITEMS) throw invalid(`items: must have at most ${MAX_ITEMS} entries`)
      const { names, columns } = header
      const row = new Map(cells.map((cell, index) => [names[index] ?? '', cell.trim()]))
      description ||= row.get(ABOUT) ?? ''
      list.addRow(row, columns)
    }
  } catch (error) {
    throw (error as { code?: string }).code?.startsWith('CSV_')
      ? badRequest(`The file must be valid CSV: ${(error as Error).message.slice(0, 200)}`)
      : error
  }
  if (!header && candidate) chooseColumns(candidate, mapping)
  if (!header)
    throw badRequest(
      `The CSV has no line with the names of its columns, such as key, title, description, group. ${NO_HEADER}`,
    )
  return { name: UNNAMED, description, items: list.items }
}

const NO_HEADER = 'Other names are given as mapping=column:title,column:key.'

/** The separator with the most columns in the first lines. */
const delimiterOf = (text: string): string => {
  const lines = text.slice(0, 65_536).split(/\r?\n/).slice(0, MAX_TITLE_LINES)
  const most = (separator: string) => Math.max(...lines.map((line) => line.split(separator).length))
  return [',', ';', '\t'].toSorted((a, b) => most(b) - most(a))[0] as string
}

/** The whole file. In CSV, the first line has the methodology's description, source and licence. */
export const writeMethodology = (
  { name, description, version, items }: MethodologyRow,
  format: 'json' | 'csv',
): string => {
  if (format === 'json') return `${JSON.stringify({ name, description, version, items }, null, 2)}\n`
  const lines = items.map(({ key, title, description: text, group, appliesTo }, index) =>
    csvLine([key, title, text, group, appliesTo.join(' '), index === 0 ? description : '']),
  )
  return BYTE_ORDER_MARK + csvLine([...FIELDS, ABOUT]) + lines.join('')
}
