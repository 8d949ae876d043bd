import type { WrittenFields } from '@sortie/contract/custom-fields/fields.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import { fieldCell } from '../../../platform/fields/field-values.ts'
import { csvLine } from '../../../platform/text/csv.ts'
import { listDefinitions } from '../../custom-fields/field-definitions.queries.ts'
import { type EntryRow, listOwn } from '../entries/entries.queries.ts'
import { contentOf } from '../entries/entry-columns.ts'
import { CSV_COLUMNS, ruleLine } from './formats/own.ts'

const AT_ONCE = 50
/** Makes spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff'

/**
 * Own entries as the import reads them, in the order of their keys. The import skips the columns of custom fields: a cell
 * does not say of which type its value is.
 */
export const exportLibrary = async function* (
  db: Database,
  organizationId: string,
  format: 'json' | 'csv',
): AsyncGenerator<string> {
  const keys = (await listDefinitions(db, organizationId, 'library_entry')).map(({ key }) => key)
  yield format === 'json'
    ? '{"entries":['
    : BYTE_ORDER_MARK + csvLine([...CSV_COLUMNS, ...keys.map((key) => `fields.${key}`)])
  let separator = ''
  let after = ''
  for (let found = AT_ONCE; found === AT_ONCE;) {
    const rows = await listOwn(db, organizationId, after, AT_ONCE)
    for (const row of rows) {
      yield format === 'json'
        ? separator + JSON.stringify({ key: row.key, ...contentOf(row), fields: writtenFields(row) })
        : csvOf(row, keys)
      separator = ','
    }
    after = rows.at(-1)?.key ?? after
    found = rows.length
  }
  if (format === 'json') yield ']}'
}

/** As a request has them: a person is an id. */
const writtenFields = ({ fields }: EntryRow): WrittenFields =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      typeof value === 'object' && !Array.isArray(value) ? value.id : value,
    ]),
  )

const csvOf = (row: EntryRow, keys: readonly string[]): string => {
  const { severity, cvssVector, cwe, owasp, wstg, attack, tags, rules, guidance, mainLanguage, texts } = contentOf(row)
  const languages = Object.keys(texts).toSorted((a, b) => Number(b === mainLanguage) - Number(a === mainLanguage))
  return languages
    .map((language, index) => {
      const text = texts[language] as EntryRow['texts'][string]
      const plain = [severity, cvssVector ?? '', ...[cwe, owasp, wstg, attack, tags].map((list) => list.join(', '))]
      const written = [rules.map(ruleLine).join('\n'), guidance]
      const cells = index === 0 ? [...plain, ...written] : [...plain, ...written].map(() => '')
      const custom = keys.map((key) => (index === 0 ? fieldCell(row.fields[key]) : ''))
      const { title, summary, description, impact, reproduction, recommendation, references } = text
      return csvLine([
        row.key,
        language,
        mainLanguage,
        ...cells,
        title,
        summary,
        description,
        impact,
        reproduction,
        recommendation,
        references.join('\n'),
        ...custom,
      ])
    })
    .join('')
}
