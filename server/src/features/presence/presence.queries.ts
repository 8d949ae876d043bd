import { type Insertable, sql } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Viewers } from '../../platform/database/types.gen.ts'

/** What can be open. */
export interface Viewed {
  type: 'page' | 'finding'
  id: string
}

const TABLES = { page: 'wiki_pages', finding: 'findings' } as const

/** The engagement of a visible object; null for a page of the organization. */
export const findViewed = (
  db: Database,
  organizationId: string,
  viewed: Viewed,
): Promise<{ engagement_id: string | null } | undefined> =>
  db
    .selectFrom(TABLES[viewed.type])
    .select('engagement_id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', viewed.id)
    .executeTakeFirst()

export const insertViewer = async (tx: Transaction, viewer: Insertable<Viewers>): Promise<void> => {
  await tx.insertInto('viewers').values(viewer).execute()
}

export const deleteViewer = async (tx: Transaction, organizationId: string, id: string): Promise<void> => {
  await tx.deleteFrom('viewers').where('organization_id', '=', organizationId).where('id', '=', id).execute()
}

/** Records that these streams are still open. */
export const renewViewers = async (db: Database, ids: readonly string[], now: string): Promise<void> => {
  await db.updateTable('viewers').set({ seen_at: now }).where('id', 'in', ids).execute()
}

/** Each user once, by name; users who no longer see the object are omitted, although their stream continues. */
export const listViewers = (db: Database, organizationId: string, viewed: Viewed, since: string) =>
  db
    .selectFrom('viewers as v')
    .innerJoin('users as u', 'u.id', 'v.user_id')
    .innerJoin('memberships as m', (on) =>
      on.onRef('m.organization_id', '=', 'v.organization_id').onRef('m.user_id', '=', 'v.user_id'),
    )
    .select(['u.id', 'u.name', sql<boolean>`bool_or(v.is_editing)`.as('editing')])
    .where('v.organization_id', '=', organizationId)
    .where(viewed.type === 'page' ? 'v.page_id' : 'v.finding_id', '=', viewed.id)
    .where('v.seen_at', '>', since)
    .where(
      sql<boolean>`(v.engagement_id is null or m.role in ('owner', 'admin')
        or v.engagement_id not in (select hidden_engagements(v.organization_id, v.user_id)))`,
    )
    .groupBy(['u.id', 'u.name'])
    .orderBy('u.name')
    .orderBy('u.id')
    .execute()

/** Deletes streams that ended without a notice. */
export const deleteViewersBefore = async (db: Database, before: string): Promise<void> => {
  await db.deleteFrom('viewers').where('seen_at', '<', before).execute()
}
