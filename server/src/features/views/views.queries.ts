import { type Insertable, sql, type Updateable } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { SavedViews } from '../../platform/database/types.gen.ts'

/** More than users browse; each user has 100 at most. */
const MAX_LISTED = 500

const selectViews = (db: Database, organizationId: string) =>
  db
    .selectFrom('saved_views as v')
    .innerJoin('users as u', 'u.id', 'v.owner_id')
    .select([
      'v.id',
      'v.list',
      'v.engagement_id',
      'v.name',
      'v.search',
      'v.is_shared',
      'v.owner_id',
      'u.name as owner_name',
      'v.created_at',
      'v.updated_at',
    ])
    .where('v.organization_id', '=', organizationId)

/**
 * The user's own views of a list, then those that others share, each by name; of the organization, and of this
 * engagement.
 */
export const listViews = (
  db: Database,
  organizationId: string,
  userId: string,
  listName: string,
  engagementId: string | null,
): Promise<ViewRow[]> =>
  selectViews(db, organizationId)
    .where('v.list', '=', listName)
    .where((where) => where.or([where('v.owner_id', '=', userId), where('v.is_shared', '=', true)]))
    .where((where) =>
      where.or([
        where('v.engagement_id', 'is', null),
        ...(engagementId === null ? [] : [where('v.engagement_id', '=', engagementId)]),
      ]),
    )
    .orderBy((order) => order('v.owner_id', '=', userId), 'desc')
    .orderBy('v.name')
    .orderBy('v.id')
    .limit(MAX_LISTED)
    .execute()

const viewById = (db: Database, organizationId: string, viewId: string) =>
  selectViews(db, organizationId).where('v.id', '=', viewId)

export type ViewRow = NonNullable<Awaited<ReturnType<ReturnType<typeof viewById>['executeTakeFirst']>>>

export const findView = (db: Database, organizationId: string, viewId: string): Promise<ViewRow | undefined> =>
  viewById(db, organizationId, viewId).executeTakeFirst()

export const lockView = (tx: Transaction, organizationId: string, viewId: string): Promise<ViewRow | undefined> =>
  viewById(tx, organizationId, viewId).forUpdate('v').executeTakeFirst()

/** Counts all views of a user, including those of engagements that the user no longer sees. */
export const countViews = async (tx: Transaction, organizationId: string, userId: string): Promise<number> => {
  const { count } = await tx
    .selectFrom('saved_views')
    .select(sql<number>`count(*)`.as('count'))
    .where('organization_id', '=', organizationId)
    .where('owner_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

export const insertView = async (tx: Transaction, view: Insertable<SavedViews>): Promise<void> => {
  await tx.insertInto('saved_views').values(view).execute()
}

export const updateView = async (
  tx: Transaction,
  organizationId: string,
  viewId: string,
  viewColumns: Updateable<SavedViews>,
): Promise<void> => {
  await tx
    .updateTable('saved_views')
    .set(viewColumns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', viewId)
    .execute()
}

export const deleteView = async (tx: Transaction, organizationId: string, viewId: string): Promise<void> => {
  await tx.deleteFrom('saved_views').where('organization_id', '=', organizationId).where('id', '=', viewId).execute()
}
