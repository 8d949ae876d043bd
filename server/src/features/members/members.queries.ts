import type { Role } from '@sortie/contract/scopes.ts'
import type { Insertable } from 'kysely'
import type { Database } from '../../platform/database/open.ts'
import type { PreparedReader, Statement } from '../../platform/database/prepared.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Memberships } from '../../platform/database/types.gen.ts'

export interface MemberRow {
  id: string
  name: string
  email: string
  role: Role
  joined_at: string
  last_seen_at: string | null
}

/** A row of a page, with the total of the same snapshot; a page past the end is one row without a member. */
type PageRow = { total: number } & (MemberRow | { id: null })

/**
 * Totals come from the organization's counters. Rows are found by the index alone and joined afterwards, from whichever
 * end of the list is nearer, so that the last page costs what the first does.
 */
const pageStatement = (name: string, total: string, filter: string): Statement<PageRow> => ({
  name,
  text: `with counted as (
      select ${total} as total from organizations where id = $1
    ), picked as (
      (select joined_at, user_id from memberships
        where organization_id = $1 ${filter} and $3::int * 2 <= (select total from counted)
        order by joined_at, user_id limit $2 offset $3)
      union all
      (select joined_at, user_id from memberships
        where organization_id = $1 ${filter} and $3::int * 2 > (select total from counted)
        order by joined_at desc, user_id desc
        limit greatest(0, least($2::int, (select total from counted) - $3::int))
        offset greatest(0, (select total from counted) - $3::int - $2::int))
    )
    select c.total, m.user_id as id, m.name, m.email, m.role, m.joined_at, m.last_seen_at
    from counted c
    left join (picked p join memberships m on m.organization_id = $1 and m.user_id = p.user_id) on true
    order by p.joined_at, p.user_id`,
})

const PAGES: Record<Role | 'all', Statement<PageRow>> = {
  all: pageStatement('list_members', 'owner_count + admin_count + plain_member_count', ''),
  owner: pageStatement('list_members_owner', 'owner_count', "and role = 'owner'"),
  admin: pageStatement('list_members_admin', 'admin_count', "and role = 'admin'"),
  member: pageStatement('list_members_member', 'plain_member_count', "and role = 'member'"),
}

export const listMembers = async (prepared: PreparedReader, organizationId: string, role: Role | undefined, limit: number, offset: number) => {
  const rows = await prepared.query(PAGES[role ?? 'all'], [organizationId, limit, offset])
  return { total: rows[0]?.total ?? 0, members: rows.filter((row): row is PageRow & MemberRow => row.id !== null) }
}

export const findMember = (db: Database, organizationId: string, userId: string) =>
  db
    .selectFrom('memberships')
    .select(['user_id as id', 'name', 'email', 'role', 'updated_at'])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()

export const findMemberByEmail = (db: Database, organizationId: string, emailKey: string) =>
  db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('m.user_id as id')
    .where('m.organization_id', '=', organizationId)
    .where('u.email_key', '=', emailKey)
    .executeTakeFirst()

/** @returns undefined when the person is a member already */
export const insertMember = (tx: Transaction, member: Insertable<Memberships>) =>
  tx
    .insertInto('memberships')
    .values(member)
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doNothing())
    .returning('user_id as id')
    .executeTakeFirst()

export const updateMemberRole = (tx: Transaction, organizationId: string, userId: string, role: Role, now: string) =>
  tx
    .updateTable('memberships')
    .set({ role, updated_at: now })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .returning(['user_id as id', 'role', 'updated_at'])
    .executeTakeFirstOrThrow()

export const deleteMember = async (tx: Transaction, organizationId: string, userId: string): Promise<void> => {
  await tx.deleteFrom('memberships').where('organization_id', '=', organizationId).where('user_id', '=', userId).execute()
}
