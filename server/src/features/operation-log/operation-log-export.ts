import type { Operation } from '@sortie/contract/inventory/operation-log.ts'
import type { Static } from 'typebox'
import { csvLine } from '../../platform/text/csv.ts'

type Row = Static<typeof Operation>

/** Makes spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff'
const COLUMNS = [
  'startedAt',
  'endedAt',
  'kind',
  'sourceAddress',
  'address',
  'host',
  'port',
  'ports',
  'protocol',
  'by',
  'note',
  'command',
  'exitCode',
  'overrideReason',
  'scanId',
  'runId',
  'importId',
  'engagementId',
  'id',
] as const satisfies readonly (keyof Row)[]

/** @param first read before the response starts, so that an error is still an error response */
export async function* exportOperations(
  first: readonly Row[],
  others: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(COLUMNS) + linesOf(first)
  for await (const rows of others) yield linesOf(rows)
}

const linesOf = (rows: readonly Row[]): string =>
  rows.map((row) => csvLine(COLUMNS.map((column) => textOf(row[column])))).join('')

const textOf = (value: Row[(typeof COLUMNS)[number]]): string | null => {
  if (value === null || typeof value === 'string') return value
  return typeof value === 'number' ? String(value) : value.name
}
