import type { Target } from '@sortie/contract/inventory/targets.ts'
import type { Static } from 'typebox'
import { fieldCell } from '../../../platform/fields/field-values.ts'
import { csvLine } from '../../../platform/text/csv.ts'

type Row = Static<typeof Target>

/** Makes spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff'
const COLUMNS = [
  'canonical',
  'kind',
  'value',
  'verdict',
  'tags',
  'criticality',
  'source',
  'notes',
  'parentId',
  'scopeRuleId',
  'firstSeenAt',
  'lastSeenAt',
  'createdAt',
  'updatedAt',
  'engagementId',
  'id',
] as const satisfies readonly (keyof Row)[]

/** A format of the export: its start, each batch of rows, and its end. */
interface Format {
  begin(fields: readonly string[]): string
  rows(rows: readonly Row[], isFirst: boolean, fields: readonly string[]): string
  end: string
}

const FORMATS: Readonly<Record<'csv' | 'json' | 'txt', Format>> = {
  csv: {
    begin: (fields) => BYTE_ORDER_MARK + csvLine([...COLUMNS, ...fields]),
    rows: (rows, _isFirst, fields) =>
      rows
        .map((row) =>
          csvLine([
            ...COLUMNS.map((column) => textOf(row[column])),
            ...fields.map((key) => fieldCell(row.fields[key])),
          ]),
        )
        .join(''),
    end: '',
  },
  json: {
    begin: () => '{"data":[',
    rows: (rows, isFirst) =>
      `${isFirst || rows.length === 0 ? '' : ',\n'}${rows.map((row) => JSON.stringify(row)).join(',\n')}`,
    end: ']}\n',
  },
  txt: { begin: () => '', rows: (rows) => rows.map(({ canonical }) => `${canonical}\n`).join(''), end: '' },
}

const textOf = (value: string | readonly string[] | null): string | null =>
  typeof value === 'string' || value === null ? value : value.join(',')

/**
 * @param first the first batch of rows, read by the caller so that errors come before the response starts
 * @param fields keys of the custom fields, as further columns of a CSV file
 */
export async function* exportTargets(
  format: 'csv' | 'json' | 'txt',
  first: readonly Row[],
  others: AsyncIterable<readonly Row[]>,
  fields: readonly string[],
): AsyncGenerator<string> {
  const { begin, rows, end } = FORMATS[format]
  yield begin(fields) + rows(first, true, fields)
  for await (const batch of others) yield rows(batch, false, fields)
  if (end) yield end
}
