import { type Insertable, sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { WikiViewers } from '../../../platform/database/types.gen.ts'

export const insertViewer = async (tx: Transaction, viewer: Insertable<WikiViewers>): Promise<void> => {
  await tx.insertInto('wiki_viewers').values(viewer).execute()
}

export const deleteViewer = async (tx: Transaction, organizationId: string, id: string): Promise<void> => {
  await tx.deleteFrom('wiki_viewers').where('organization_id', '=', organizationId).where('id', '=', id).execute()
}

/** Records that these streams are still open. */
export const renewViewers = async (db: Database, ids: readonly string[], now: string): Promise<void> => {
  await db.updateTable('wiki_viewers').set({ seen_at: now }).where('id', 'in', ids).execute()
}

/** Each user once, by name; users who no longer see the page are omitted, although their stream continues. */
export const listViewers = (db: Database, organizationId: string, pageId: string, since: string) =>
  db
    .selectFrom('wiki_viewers as v')
    .innerJoin('users as u', 'u.id', 'v.user_id')
    .innerJoin('memberships as m', (on) =>
      on.onRef('m.organization_id', '=', 'v.organization_id').onRef('m.user_id', '=', 'v.user_id'),
    )
    .select(['u.id', 'u.name'])
    .distinct()
    .where('v.organization_id', '=', organizationId)
    .where('v.page_id', '=', pageId)
    .where('v.seen_at', '>', since)
    .where(
      sql<boolean>`(v.engagement_id is null or m.role in ('owner', 'admin')
        or v.engagement_id not in (select hidden_engagements(v.organization_id, v.user_id)))`,
    )
    .orderBy('u.name')
    .orderBy('u.id')
    .execute()

/** Deletes streams that ended without a notice. */
export const deleteViewersBefore = async (db: Database, before: string): Promise<void> => {
  await db.deleteFrom('wiki_viewers').where('seen_at', '<', before).execute()
}
