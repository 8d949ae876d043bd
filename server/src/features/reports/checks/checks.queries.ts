import type { Insertable } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { ReportWaivers } from '../../../platform/database/types.gen.ts'

export const listWaivers = (db: Database, organizationId: string, reportId: string) =>
  db
    .selectFrom('report_waivers')
    .select(['fingerprint', 'reason', 'waived_by', 'by_name', 'waived_at'])
    .where('organization_id', '=', organizationId)
    .where('report_id', '=', reportId)
    .execute()

/** Adds a waiver; a later one for the same problem replaces it. */
export const upsertWaiver = async (tx: Transaction, waiver: Insertable<ReportWaivers>): Promise<void> => {
  const { reason, waived_by, by_name, waived_at } = waiver
  await tx
    .insertInto('report_waivers')
    .values(waiver)
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'report_id', 'fingerprint'])
        .doUpdateSet({ reason, waived_by, by_name, waived_at }),
    )
    .execute()
}

/** Names of all clients that `db` shows. */
export const listClients = (db: Database, organizationId: string) =>
  db
    .selectFrom('clients')
    .select(['id', 'name', 'short_name', 'domains'])
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .execute()

export const listSeenClients = async (db: Database, organizationId: string): Promise<Set<string>> => {
  const rows = await db.selectFrom('clients').select('id').where('organization_id', '=', organizationId).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Whether a person leads an engagement. */
export const findIsLead = async (
  db: Database,
  organizationId: string,
  engagementId: string,
  userId: string,
): Promise<boolean> => {
  const row = await db
    .selectFrom('engagement_members')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .where('user_id', '=', userId)
    .where('part', '=', 'lead')
    .executeTakeFirst()
  return row !== undefined
}
