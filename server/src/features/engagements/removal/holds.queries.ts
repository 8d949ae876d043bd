import type { Insertable } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { EngagementHolds } from '../../../platform/database/types.gen.ts'

export const findHold = (db: Database, organizationId: string, engagementId: string) =>
  db
    .selectFrom('engagement_holds')
    .select(['reason', 'held_by', 'held_by_name', 'held_at'])
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .executeTakeFirst()

/** The names of an organization's engagements on legal hold, `limit` at most. */
export const listHeldNames = async (tx: Transaction, organizationId: string, limit: number): Promise<string[]> => {
  const rows = await tx
    .selectFrom('engagement_holds as h')
    .innerJoin('engagements as e', (join) =>
      join.onRef('e.organization_id', '=', 'h.organization_id').onRef('e.id', '=', 'h.engagement_id'),
    )
    .select('e.name')
    .where('h.organization_id', '=', organizationId)
    .orderBy('e.name')
    .limit(limit)
    .execute()
  return rows.map(({ name }) => name)
}

export const insertHold = async (tx: Transaction, hold: Insertable<EngagementHolds>): Promise<void> => {
  await tx.insertInto('engagement_holds').values(hold).execute()
}

export const deleteHold = async (tx: Transaction, organizationId: string, engagementId: string): Promise<void> => {
  await tx
    .deleteFrom('engagement_holds')
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .execute()
}

/** Keeps clean-up jobs away from an engagement on hold, or lets them in again. */
export const setHeld = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  is_held: boolean,
): Promise<void> => {
  await tx
    .insertInto('engagement_restrictions')
    .values({ organization_id: organizationId, engagement_id: engagementId, is_held })
    .onConflict((conflict) => conflict.columns(['organization_id', 'engagement_id']).doUpdateSet({ is_held }))
    .execute()
}
