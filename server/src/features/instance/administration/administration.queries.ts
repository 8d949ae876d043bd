import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'

/** The organizations that an account owns, by name. */
export const listOwnedOrganizations = (tx: Transaction, userId: string): Promise<{ name: string; slug: string }[]> =>
  tx
    .selectFrom('memberships as m')
    .innerJoin('organizations as o', 'o.id', 'm.organization_id')
    .select(['o.name', 'o.slug'])
    .where('m.user_id', '=', userId)
    .where('m.role', '=', 'owner')
    .orderBy('o.name')
    .execute()

/** An organization that exists, or is being removed. */
export const findOrganizationToRemove = (db: Database, slug: string) =>
  db
    .selectFrom('organizations')
    .select(['id', 'name', 'slug', 'removed_at'])
    .where('slug', '=', slug)
    .executeTakeFirst()

/** Organizations whose removal has begun and not ended, by id. */
export const listRemovedOrganizations = async (db: Database): Promise<string[]> => {
  const rows = await db
    .selectFrom('organizations')
    .select('id')
    .where('removed_at', 'is not', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Files whose bytes are still to be removed. */
export const countFilesWithBytes = async (db: Database, organizationId: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from deleted_files where directory = ${organizationId} and has_bytes`.execute(db)
  return rows[0]?.count ?? 0
}
