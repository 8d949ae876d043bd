import type { Insertable } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { EngagementClones } from '../../../platform/database/types.gen.ts'
import type { ClonePart } from '../parts.ts'

export const insertClone = async (tx: Transaction, row: Insertable<EngagementClones>): Promise<void> => {
  await tx.insertInto('engagement_clones').values(row).execute()
}

/** The unfinished rest of a clone; undefined once everything is copied. */
export const findClone = (db: Database, organizationId: string, engagementId: string) =>
  db
    .selectFrom('engagement_clones')
    .select((select) => [
      'source_id',
      'work_id',
      'after',
      'pieces',
      select.ref('parts').$castTo<ClonePart[]>().as('parts'),
    ])
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .executeTakeFirst()

export const updateClone = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  rest: { parts: readonly ClonePart[]; after: string | null; pieces: number },
): Promise<void> => {
  await tx
    .updateTable('engagement_clones')
    .set({ ...rest, parts: [...rest.parts] })
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .execute()
}

export const deleteClone = async (tx: Transaction, organizationId: string, engagementId: string): Promise<void> => {
  await tx
    .deleteFrom('engagement_clones')
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .execute()
}
