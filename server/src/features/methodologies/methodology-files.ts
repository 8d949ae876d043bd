import { createMethodology, METHODOLOGY_LIMITS } from '@sortie/contract/tasks/methodologies.ts'
import { parse } from 'csv-parse'
import { badRequest, invalid } from '../../platform/errors.ts'
import { requestParser } from '../../platform/http/routes/validate.ts'
import { csvLine } from '../../platform/text/csv.ts'
import { parseJsonObject } from '../../platform/text/json.ts'
import type { MethodologyRow } from './methodologies.queries.ts'
import type { NewMethodology } from './methodologies.service.ts'

const COLUMNS = ['key', 'title', 'description', 'group', 'appliesTo'] as const
/** The column with the methodology's own description. */
export const ABOUT = 'methodology'
/** Makes spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff'
const MAX_ITEMS = 1_000

/** A file is validated like the body of the create request. */
const parser = requestParser(createMethodology)

/**
 * @param name replaces the one in the file
 * @throws ApiError BAD_REQUEST for a file that cannot be read, VALIDATION_ERROR for invalid content
 */
export const readMethodology = async (
  bytes: Buffer,
  format: 'json' | 'csv',
  name: string | undefined,
): Promise<NewMethodology> => {
  const raw = format === 'json' ? readJson(bytes) : await readCsv(bytes)
  return parser.body({ ...raw, ...(name !== undefined && { name }) }) as NewMethodology
}

const readJson = (bytes: Buffer): Record<string, unknown> => {
  const { name, description, version, items } = parseJsonObject(withoutMark(bytes), METHODOLOGY_LIMITS.keys)
  // A published checklist has other names for everything: taken as it is, it would become a methodology without any item.
  if (!Array.isArray(items))
    throw badRequest(
      `The file must have a list "items" with ${COLUMNS.slice(0, 2).join(' and ')} for each item, like an exported methodology.`,
    )
  const written = items.map(writtenItem)
  return Object.fromEntries(
    Object.entries({ name, description, version, items: written }).filter(([, value]) => value !== undefined),
  )
}

const withoutMark = (bytes: Buffer): Buffer =>
  bytes.subarray(0, 3).toString() === BYTE_ORDER_MARK ? bytes.subarray(3) : bytes

/** Drops unknown fields: the export of a newer version may have more. */
const writtenItem = (item: unknown): unknown =>
  typeof item === 'object' && item !== null
    ? Object.fromEntries(Object.entries(item).filter(([name]) => COLUMNS.some((column) => column === name)))
    : item

const readCsv = async (bytes: Buffer): Promise<Record<string, unknown>> => {
  const items: unknown[] = []
  let description = ''
  const rows = parse({
    columns: true,
    bom: true,
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: 262_144,
  })
  rows.end(bytes)
  try {
    for await (const row of rows as AsyncIterable<Record<string, string | undefined>>) {
      if (items.length === MAX_ITEMS) throw invalid(`items: must have at most ${MAX_ITEMS} entries`)
      description ||= row[ABOUT] ?? ''
      items.push(itemOf(row))
    }
  } catch (error) {
    throw (error as { code?: string }).code?.startsWith('CSV_')
      ? badRequest(`The file must be valid CSV: ${(error as Error).message.slice(0, 200)}`)
      : error
  }
  return { name: 'Imported methodology', description, items }
}

const itemOf = ({ key = '', title = '', description, group, appliesTo = '' }: Record<string, string | undefined>) => ({
  key,
  title,
  ...(description !== undefined && { description }),
  ...(group !== undefined && { group }),
  appliesTo: appliesTo.split(/[\s,;]+/).filter(Boolean),
})

/** The whole file. In CSV, the first line has the methodology's description, source and licence. */
export const writeMethodology = (
  { name, description, version, items }: MethodologyRow,
  format: 'json' | 'csv',
): string => {
  if (format === 'json') return `${JSON.stringify({ name, description, version, items }, null, 2)}\n`
  const lines = items.map(({ key, title, description: text, group, appliesTo }, index) =>
    csvLine([key, title, text, group, appliesTo.join(' '), index === 0 ? description : '']),
  )
  return BYTE_ORDER_MARK + csvLine([...COLUMNS, ABOUT]) + lines.join('')
}
