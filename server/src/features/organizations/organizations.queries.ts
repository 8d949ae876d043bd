import type { Insertable } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Statement } from '../../platform/database/connection/prepared.ts'
import { named } from '../../platform/database/scope/tenant-scope.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Organizations } from '../../platform/database/types.gen.ts'

interface OrganizationRow {
  id: string
  name: string
  slug: string
  plan: string
  member_count: number
  created_at: string
  require_two_factor: boolean
  domain_auto_join: boolean
  sso_enabled: boolean
}

/**
 * A named statement: every page of the interface and most API clients use it, and planning it costs more than running
 * it.
 */
const FIND_ORGANIZATION: Statement<OrganizationRow> = {
  name: 'find_organization',
  text: `select id, name, slug, plan, owner_count + admin_count + plain_member_count as member_count, created_at,
      require_two_factor, domain_auto_join, sso_enabled
    from organizations where id = $1`,
}

export const findOrganization = async (db: Database, organizationId: string): Promise<OrganizationRow | undefined> =>
  (await db.executeQuery(named(FIND_ORGANIZATION, [organizationId]))).rows[0]

export const findOrganizationBySlug = (db: Database, slug: string) =>
  db
    .selectFrom('organizations')
    .select(['id', 'name', 'slug'])
    .where('slug', '=', slug)
    .where('removed_at', 'is', null)
    .executeTakeFirst()

/**
 * Locks the organization's row, which every change of an organization, its memberships or its invitations locks first:
 * this order prevents deadlocks. Rows that only refer to the organization can still be written.
 *
 * @returns undefined for an organization that does not exist or is being removed
 */
export const lockOrganization = (tx: Transaction, organizationId: string) =>
  tx
    .selectFrom('organizations')
    .select(['id', 'name', 'slug', 'plan', 'updated_at'])
    .where('id', '=', organizationId)
    .where('removed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()

export const updateOrganization = (tx: Transaction, organizationId: string, change: OrganizationChange, now: string) =>
  tx
    .updateTable('organizations')
    .set({ ...change, updated_at: now })
    .where('id', '=', organizationId)
    .returning(['id', 'name', 'slug', 'updated_at'])
    .executeTakeFirstOrThrow()

export const getSettings = (tx: Database, organizationId: string) =>
  tx
    .selectFrom('organizations')
    .select(['require_two_factor', 'domain_auto_join', 'sso_enabled', 'members_create_engagements'])
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()

type OrganizationChange = Partial<
  Pick<OrganizationRow, 'name' | 'plan' | 'require_two_factor' | 'domain_auto_join' | 'sso_enabled'> & {
    members_create_engagements: boolean
  }
>

/** @returns undefined if the slug is taken */
export const insertOrganization = (tx: Transaction, organization: Insertable<Organizations>) =>
  tx
    .insertInto('organizations')
    .values(organization)
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returning(['id', 'name', 'slug'])
    .executeTakeFirst()

export const listOrganizationsOfUser = (db: Database, userId: string) =>
  db
    .selectFrom('memberships as m')
    .innerJoin('organizations as o', 'o.id', 'm.organization_id')
    .select(['o.id', 'o.name', 'o.slug', 'm.role', 'o.members_create_engagements'])
    .where('m.user_id', '=', userId)
    .orderBy('o.name')
    .orderBy('o.id')
    .execute()

export const listOrganizationIds = async (db: Database): Promise<string[]> => {
  const rows = await db.selectFrom('organizations').select('id').where('removed_at', 'is', null).orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/**
 * Locks the account of a member, as inserting into `former_members` does: before the organization, like every other
 * transaction.
 */
export const lockAccountOfMemberForShare = async (
  tx: Transaction,
  organizationId: string,
  userId: string,
): Promise<void> => {
  const account = tx.selectFrom('users as u').innerJoin('memberships as m', 'm.user_id', 'u.id').select('u.id')
  await account
    .where('m.organization_id', '=', organizationId)
    .where('m.user_id', '=', userId)
    .forKeyShare('u')
    .execute()
}

/** From now on no change of the organization begins. */
export const markRemoved = async (tx: Transaction, organizationId: string, now: string): Promise<void> => {
  await tx
    .updateTable('organizations')
    .set({ removed_at: now, updated_at: now })
    .where('id', '=', organizationId)
    .execute()
}

/** Deletes an organization whose removal has begun. @returns false if it is gone */
export const deleteRemovedOrganization = async (tx: Transaction, organizationId: string): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('organizations')
    .where('id', '=', organizationId)
    .where('removed_at', 'is not', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
