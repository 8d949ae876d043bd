import { type Insertable, sql } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import { countRows, hasRow } from '../../platform/database/rows.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { CodeHostingDeliveries, CodeHostingRepositories } from '../../platform/database/types.gen.ts'

export type RepositoryRow = Awaited<ReturnType<typeof listRepositories>>[number]

const REPOSITORY = ['id', 'full_name', 'requested_at', 'confirmed_at', 'issues_engagement_id'] as const

export const listRepositories = (db: Database, organizationId: string) =>
  db
    .selectFrom('code_hosting_repositories')
    .select(REPOSITORY)
    .where('organization_id', '=', organizationId)
    .orderBy('name_key')
    .execute()

export const countRepositories = (tx: Transaction, organizationId: string): Promise<number> =>
  countRows(tx.selectFrom('code_hosting_repositories').where('organization_id', '=', organizationId))

/** @throws on code_hosting_repositories_name, code_hosting_repositories_one_organization */
export const insertRepository = (tx: Transaction, repository: Insertable<CodeHostingRepositories>) =>
  tx.insertInto('code_hosting_repositories').values(repository).returning(REPOSITORY).executeTakeFirstOrThrow()

export const deleteRepository = (tx: Transaction, organizationId: string, id: string) =>
  tx
    .deleteFrom('code_hosting_repositories')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning(REPOSITORY)
    .executeTakeFirst()

const withOrganization = (db: Database) =>
  db
    .selectFrom('code_hosting_repositories as r')
    .innerJoin('organizations as o', 'o.id', 'r.organization_id')
    .select([
      'r.id',
      'r.full_name',
      'r.requested_at',
      'r.confirmed_at',
      'r.issues_engagement_id',
      'r.organization_id',
      'o.name as organization_name',
    ])

export const listPendingRepositories = (db: Database, limit: number) =>
  withOrganization(db)
    .where('r.confirmed_at', 'is', null)
    .orderBy('r.requested_at')
    .orderBy('r.id')
    .limit(limit)
    .execute()

export const lockRepository = (tx: Transaction, id: string) =>
  withOrganization(tx).where('r.id', '=', id).forUpdate('r').executeTakeFirst()

/** @throws on code_hosting_repositories_one_organization */
export const setConfirmed = async (tx: Transaction, organizationId: string, id: string, now: string): Promise<void> => {
  await tx
    .updateTable('code_hosting_repositories')
    .set({ confirmed_at: now })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

/** The organization that a repository is connected to, if any. */
export const findOrganizationOfRepository = (db: Database, nameKey: string) =>
  db
    .selectFrom('code_hosting_repositories')
    .select('organization_id')
    .where('name_key', '=', nameKey)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()

/** Does nothing if its id or its body was received before. @returns true if it is new */
export const insertDelivery = (tx: Transaction, delivery: Insertable<CodeHostingDeliveries>): Promise<boolean> =>
  hasRow(
    tx
      .insertInto('code_hosting_deliveries')
      .values(delivery)
      .onConflict((conflict) => conflict.doNothing())
      .returning('id'),
  )

/** A delivery, with the engagement that the connection of its repository currently names. */
export const findDelivery = (db: Database, id: string) =>
  db
    .selectFrom('code_hosting_deliveries as d')
    .innerJoin('code_hosting_repositories as r', (join) =>
      join.onRef('r.organization_id', '=', 'd.organization_id').on('r.name_key', '=', sql<string>`lower(d.repository)`),
    )
    .select(['d.action', 'd.payload', 'r.organization_id', 'r.issues_engagement_id'])
    .where('d.id', '=', id)
    .where('r.confirmed_at', 'is not', null)
    .executeTakeFirst()

/** A visible engagement, which cannot be deleted until the transaction ends. */
export const lockEngagementForShare = (tx: Transaction, organizationId: string, engagementId: string) =>
  tx
    .selectFrom('engagements')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', engagementId)
    .forKeyShare()
    .executeTakeFirst()

export const setEngagement = (tx: Transaction, organizationId: string, id: string, engagementId: string | null) =>
  tx
    .updateTable('code_hosting_repositories')
    .set({ issues_engagement_id: engagementId })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning(REPOSITORY)
    .executeTakeFirst()

/** Newest first. @param organizationId null: deliveries without a connected repository */
export const listDeliveries = (
  db: Database,
  organizationId: string | null,
  before: string | undefined,
  limit: number,
) => {
  const query = db
    .selectFrom('code_hosting_deliveries')
    .select(['id', 'delivery_id', 'event', 'action', 'repository', 'received_at'])
    .where('organization_id', organizationId === null ? 'is' : '=', organizationId)
  return (before === undefined ? query : query.where('id', '<', before)).orderBy('id', 'desc').limit(limit).execute()
}

export const deletePayloadsBefore = async (db: Database, before: string): Promise<void> => {
  await db
    .updateTable('code_hosting_deliveries')
    .set({ payload: null })
    .where('received_at', '<', before)
    .where('payload', 'is not', null)
    .execute()
}
