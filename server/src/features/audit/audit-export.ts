import type { Database } from '../../platform/database/connection/open.ts'
import { csvLine } from '../../platform/text/csv.ts'
import { type LogFilter, listAuditEntries } from './audit.queries.ts'

/** An entry has up to 160 kB of text: a batch takes milliseconds, and other requests run in between. */
const BATCH = 20
/** Makes spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff'
const COLUMNS = [
  'time',
  'actor type',
  'actor',
  'actor id',
  'key environment',
  'action',
  'object type',
  'object id',
  'address',
  'before',
  'after',
  'id',
]

/**
 * The matching entries, newest first, read and written batch by batch. Entries added since the start are not included.
 */
export async function* exportAuditEntries(
  db: Database,
  organizationId: string | null,
  filter: LogFilter,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(COLUMNS)
  let before: string | undefined
  for (;;) {
    const rows = await listAuditEntries(db, organizationId, { ...filter, before }, BATCH)
    const lines = rows.map((row) =>
      csvLine([
        row.created_at,
        row.actor_type,
        row.actor_name,
        row.actor_id,
        row.actor_environment,
        row.action,
        row.object_type,
        row.object_id,
        row.address,
        jsonText(row.before),
        jsonText(row.after),
        row.id,
      ]),
    )
    if (lines.length > 0) yield lines.join('')
    if (rows.length < BATCH) return
    before = rows.at(-1)?.id
  }
}

const jsonText = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))
