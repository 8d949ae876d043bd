import type { Readable } from 'node:stream'
import { createMethodology, METHODOLOGY_LIMITS } from '@sortie/contract/methodologies.ts'
import { parse } from 'csv-parse'
import { csvLine } from '../../platform/csv.ts'
import { badRequest, invalid, tooLarge } from '../../platform/errors.ts'
import { requestParser } from '../../platform/http/validate.ts'
import { parseJsonObject } from '../../platform/json.ts'
import type { MethodologyRow } from './methodologies.queries.ts'
import type { NewMethodology } from './methodologies.service.ts'

const COLUMNS = ['key', 'title', 'description', 'group', 'appliesTo'] as const
/** Makes spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff'
const MAX_ITEMS = 1_000

/** What a file says is checked like the body of a request that creates one. */
const parser = requestParser(createMethodology)

/**
 * @param name in place of the one in the file
 * @throws ApiError BAD_REQUEST for a file that is too large or cannot be read, VALIDATION_ERROR for what does not fit
 */
export const readMethodology = async (body: Readable, format: 'json' | 'csv', name: string | undefined): Promise<NewMethodology> => {
  const raw = format === 'json' ? await readJson(body) : await readCsv(body)
  return parser.body({ ...raw, ...(name !== undefined && { name }) }) as NewMethodology
}

async function* bounded(body: Readable): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > METHODOLOGY_LIMITS.bytes) throw tooLarge(METHODOLOGY_LIMITS.bytes)
    yield chunk
  }
}

const readJson = async (body: Readable): Promise<Record<string, unknown>> => {
  const chunks: Buffer[] = []
  for await (const chunk of bounded(body)) chunks.push(chunk)
  const { name, description, version, items } = parseJsonObject(withoutMark(Buffer.concat(chunks)), METHODOLOGY_LIMITS.keys)
  const written = Array.isArray(items) ? items.map(writtenItem) : items
  return Object.fromEntries(Object.entries({ name, description, version, items: written }).filter(([, value]) => value !== undefined))
}

const withoutMark = (bytes: Buffer): Buffer => (bytes.subarray(0, 3).toString() === BYTE_ORDER_MARK ? bytes.subarray(3) : bytes)

/** Only what an item has: an export of a newer version may say more. */
const writtenItem = (item: unknown): unknown =>
  typeof item === 'object' && item !== null ? Object.fromEntries(Object.entries(item).filter(([name]) => COLUMNS.some((column) => column === name))) : item

const readCsv = async (body: Readable): Promise<Record<string, unknown>> => {
  const items: unknown[] = []
  const rows = parse({ columns: true, bom: true, skip_empty_lines: true, relax_column_count: true, max_record_size: 262_144 })
  const reading = pump(body, rows)
  try {
    for await (const row of rows as AsyncIterable<Record<string, string | undefined>>) {
      if (items.length === MAX_ITEMS) throw invalid(`items: must have at most ${MAX_ITEMS} entries`)
      const { key = '', title = '', description, group, appliesTo = '' } = row
      items.push({
        key,
        title,
        ...(description !== undefined && { description }),
        ...(group !== undefined && { group }),
        appliesTo: appliesTo.split(/[\s,;]+/).filter(Boolean),
      })
    }
  } catch (error) {
    throw (error as { code?: string }).code?.startsWith('CSV_')
      ? badRequest(`The file is no CSV that can be read: ${(error as Error).message.slice(0, 200)}`)
      : error
  }
  await reading
  return { name: 'Imported methodology', items }
}

/** Hands the bytes on; what goes wrong ends the reading of rows. */
const pump = async (body: Readable, rows: ReturnType<typeof parse>): Promise<void> => {
  try {
    for await (const chunk of bounded(body)) if (!rows.write(chunk)) await new Promise((resolve) => rows.once('drain', resolve))
    rows.end()
  } catch (error) {
    rows.destroy(error as Error)
  }
}

/** The whole file. */
export const writeMethodology = ({ name, description, version, items }: MethodologyRow, format: 'json' | 'csv'): string =>
  format === 'json'
    ? `${JSON.stringify({ name, description, version, items }, null, 2)}\n`
    : BYTE_ORDER_MARK + csvLine(COLUMNS) + items.map((item) => csvLine([item.key, item.title, item.description, item.group, item.appliesTo.join(' ')])).join('')
