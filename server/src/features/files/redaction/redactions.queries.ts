import type { Insertable } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import { countRows } from '../../../platform/database/rows.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { FileRedactions } from '../../../platform/database/types.gen.ts'

/**
 * Seals a file. What was shown in place of others until now is sealed itself, so the new file replaces it there as
 * well.
 *
 * @returns false if it is sealed already
 */
export const insertRedaction = async (
  tx: Transaction,
  row: Insertable<FileRedactions> & { redacted_by: string },
): Promise<boolean> => {
  const inserted = await tx
    .insertInto('file_redactions')
    .values(row)
    .onConflict((conflict) => conflict.column('file_id').doNothing())
    .returning('file_id')
    .executeTakeFirst()
  if (!inserted) return false
  await tx
    .updateTable('file_redactions')
    .set({ redacted_by: row.redacted_by })
    .where('organization_id', '=', row.organization_id)
    .where('redacted_by', '=', row.file_id)
    .execute()
  return true
}

/** What is shown in place of sealed files among these: null if that was deleted. Other files have no entry. */
export const listRedactions = async (
  db: Database,
  organizationId: string,
  fileIds: readonly string[],
): Promise<Map<string, string | null>> => {
  if (fileIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('file_redactions')
    .select(['file_id', 'redacted_by'])
    .where('organization_id', '=', organizationId)
    .where('file_id', 'in', fileIds)
    .execute()
  return new Map(rows.map(({ file_id: id, redacted_by: shown }) => [id, shown]))
}

/** How often a picture of an engagement was redacted: this number never falls. */
export const countRedactions = (db: Database, organizationId: string, engagementId: string): Promise<number> =>
  countRows(
    db
      .selectFrom('file_redactions')
      .where('organization_id', '=', organizationId)
      .where('engagement_id', '=', engagementId),
  )
