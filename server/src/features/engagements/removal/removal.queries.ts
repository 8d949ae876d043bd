import { type Insertable, type SqlBool, sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { EngagementTrash } from '../../../platform/database/types.gen.ts'

/** Hides an engagement from everyone once the transaction commits, or shows it again to those who saw it, with null. */
export const setHidden = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  deleting_at: string | null,
): Promise<void> => {
  await tx
    .insertInto('engagement_restrictions')
    .values({ organization_id: organizationId, engagement_id: engagementId, deleting_at })
    .onConflict((conflict) => conflict.columns(['organization_id', 'engagement_id']).doUpdateSet({ deleting_at }))
    .execute()
}

export const insertTrash = async (tx: Transaction, row: Insertable<EngagementTrash>): Promise<void> => {
  await tx.insertInto('engagement_trash').values(row).execute()
}

/** Locks an engagement in the trash; the transaction sees deleted engagements. Undefined if it is not there. */
export const lockTrash = (tx: Transaction, organizationId: string, engagementId: string) =>
  tx
    .selectFrom('engagement_trash as t')
    .innerJoin('engagements as e', (join) =>
      join.onRef('e.organization_id', '=', 't.organization_id').onRef('e.id', '=', 't.engagement_id'),
    )
    .select(['e.id', 'e.name', 'e.description', 'e.status', 'e.created_at', 'e.updated_at', 't.deleted_at'])
    .where('t.organization_id', '=', organizationId)
    .where('t.engagement_id', '=', engagementId)
    .forUpdate()
    .executeTakeFirst()

/** Takes an engagement out of the trash: it is restored, or its removal begins. */
export const deleteTrash = async (tx: Transaction, organizationId: string, engagementId: string): Promise<void> => {
  await tx
    .deleteFrom('engagement_trash')
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .execute()
}

/** The latest deletions first. @param trashedAfter the last row of the previous page */
export const listTrash = (
  db: Database,
  organizationId: string,
  trashedAfter: { deletedAt: string; id: string } | undefined,
  limit: number,
) =>
  db
    .selectFrom('engagement_trash as t')
    .innerJoin('engagements as e', (join) =>
      join.onRef('e.organization_id', '=', 't.organization_id').onRef('e.id', '=', 't.engagement_id'),
    )
    .select(['e.id', 'e.name', 'e.client_name', 'e.status', 't.deleted_at', 't.deleted_by', 't.deleted_by_name'])
    .where('t.organization_id', '=', organizationId)
    .$if(trashedAfter !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(t.deleted_at, t.engagement_id) < (${trashedAfter?.deletedAt ?? ''}::timestamptz, ${trashedAfter?.id ?? ''})`,
      ),
    )
    .orderBy('t.deleted_at', 'desc')
    .orderBy('t.engagement_id', 'desc')
    .limit(limit)
    .execute()

/** Engagements of all organizations that were deleted before this moment, the oldest deletion first. */
export const listTrashedBefore = (db: Database, before: string, limit: number) =>
  db
    .selectFrom('engagement_trash as t')
    .select(['t.organization_id', 't.engagement_id'])
    .where('t.deleted_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('engagement_holds as h')
            .whereRef('h.organization_id', '=', 't.organization_id')
            .whereRef('h.engagement_id', '=', 't.engagement_id')
            .select('h.engagement_id'),
        ),
      ),
    )
    .orderBy('t.deleted_at')
    .limit(limit)
    .execute()

/** Only for an engagement that is being removed: also deletes its team and its entries in the lists of limited keys. */
export const deleteEngagementRow = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
): Promise<void> => {
  await tx
    .deleteFrom('engagements')
    .where('organization_id', '=', organizationId)
    .where('id', '=', engagementId)
    .where('id', 'in', (select) =>
      select
        .selectFrom('engagement_restrictions')
        .select('engagement_id')
        .where('organization_id', '=', organizationId)
        .where('deleting_at', 'is not', null),
    )
    .execute()
}
