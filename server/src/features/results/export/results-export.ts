import { csvLine } from '../../../platform/text/csv.ts'
import type { toResult } from '../list/result-rows.ts'

type Row = ReturnType<typeof toResult>

/** Makes spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff'
const COLUMNS = [
  'kind',
  'asset',
  'title',
  'severity',
  'status',
  'state',
  'verdict',
  'tools',
  'tags',
  'assignee',
  'notes',
  'acceptedUntil',
  'firstSeenAt',
  'lastSeenAt',
  'data',
  'engagementId',
  'id',
] as const satisfies readonly (keyof Row)[]

const FORMATS = {
  csv: {
    begin: BYTE_ORDER_MARK + csvLine(COLUMNS),
    rows: (rows: readonly Row[]) => rows.map((row) => csvLine(COLUMNS.map((column) => textOf(row[column])))).join(''),
    end: '',
  },
  json: {
    begin: '{"data":[',
    rows: (rows: readonly Row[], isFirst: boolean) =>
      `${isFirst || rows.length === 0 ? '' : ',\n'}${rows.map((row) => JSON.stringify(row)).join(',\n')}`,
    end: ']}\n',
  },
}

const textOf = (value: Row[(typeof COLUMNS)[number]]): string | null => {
  if (typeof value === 'string' || value === null) return value
  if (Array.isArray(value)) return value.join(',')
  return 'name' in value && 'id' in value ? String(value['name']) : JSON.stringify(value)
}

/** @param first read before the response starts, so that an error is still an error response */
export async function* exportResults(
  format: keyof typeof FORMATS,
  first: readonly Row[],
  others: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  const { begin, rows, end } = FORMATS[format]
  yield begin + rows(first, true)
  for await (const batch of others) yield rows(batch, false)
  if (end) yield end
}
