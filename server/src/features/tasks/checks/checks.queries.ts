import { sql } from 'kysely'
import type { Transaction } from '../../../platform/database/transaction.ts'

interface CheckRow {
  id: string
  number: number
  position: string
  item_key: string
  target_id: string | null
  title: string
}

interface SharedByChecks {
  organizationId: string
  engagementId: string
  methodologyId: string
  createdBy: string | null
  now: string
}

/** Inserts open, untested tasks in one statement. */
export const insertChecks = async (
  tx: Transaction,
  { organizationId, engagementId, methodologyId, createdBy, now }: SharedByChecks,
  rows: readonly CheckRow[],
): Promise<void> => {
  await sql`insert into tasks (id, number, organization_id, engagement_id, title, description, status, priority, position, methodology_id, item_key, target_id, outcome,
      created_by, created_at, updated_at)
    select r.id, r.number, ${organizationId}, ${engagementId}, r.title, '', 'open', 0, r.position, ${methodologyId}, r.item_key, r.target_id, 'untested',
      ${createdBy}, ${now}::timestamptz, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id text, number integer, position text, item_key text, target_id text, title text)`.execute(
    tx,
  )
}
