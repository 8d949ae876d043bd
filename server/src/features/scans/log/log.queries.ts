import * as contract from '@sortie/contract/inventory/scans.ts'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { listQuery } from '../../../platform/lists/list.ts'

/** Maximum number of log lines per scan. */
const MAX_LINES = 10_000

export interface LogLine {
  at: string
  level: 'info' | 'warning' | 'error'
  scanner: string | null
  text: string
}

interface OfScan {
  organizationId: string
  engagementId: string
  scanId: string
}

/** Appends lines up to the limit. The caller holds the scan's lock. */
export const insertLines = async (
  tx: Transaction,
  { organizationId, engagementId, scanId }: OfScan,
  lines: readonly LogLine[],
): Promise<void> => {
  if (lines.length === 0) return
  const clean = lines.map((line) => ({
    ...line,
    text: line.text.replaceAll('\u0000', '\ufffd').toWellFormed().slice(0, 1_000),
  }))
  await sql`insert into scan_log (scan_id, number, organization_id, engagement_id, at, level, scanner, text)
    select ${scanId}, last.number + x.place, ${organizationId}, ${engagementId}, x.at, x.level, x.scanner, x.text
    from rows from (jsonb_to_recordset(${JSON.stringify(clean)}::jsonb) as (at timestamptz, level text, scanner text, text text)) with ordinality
      as x (at, level, scanner, text, place),
      (select coalesce(max(number), 0) as number from scan_log where scan_id = ${scanId} and organization_id = ${organizationId}) last
    where last.number + x.place <= ${MAX_LINES}`.execute(tx)
}

/** The log of one scan, as a separate list: its cursors are not valid for other scans. */
export const scanLogOf = (scanId: string) =>
  listQuery({ ...contract.scanLog, name: nameOf(scanId) } as typeof contract.scanLog, {
    rows: (db: Database, organizationId: string) =>
      db
        .selectFrom('scan_log as l')
        .select(['l.at', 'l.level', 'l.scanner', 'l.text'])
        .where('l.organization_id', '=', organizationId)
        .where('l.scan_id', '=', scanId),
    // Only the number is unique within a scan.
    id: 'l.scan_id',
    sorts: { number: 'l.number' },
    filters: {},
  })

const nameOf = (scanId: string): string => `scan-log ${scanId}`
