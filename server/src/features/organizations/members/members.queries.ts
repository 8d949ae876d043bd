import type { Role } from '@sortie/contract/core/scopes.ts'
import type { Insertable } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Statement } from '../../../platform/database/connection/prepared.ts'
import { hasRow } from '../../../platform/database/rows.ts'
import { RIGHTS, acquireFairLocks, withSharedFairLocks } from '../../../platform/database/scope/fair-locks.ts'
import { named } from '../../../platform/database/scope/tenant-scope.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { Memberships } from '../../../platform/database/types.gen.ts'

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

/** Pages that start before this skip rows, which then costs less than adding up counts. */
const NEAR_OFFSET = 1_000

/**
 * Totals come from the organization's counters. A far page begins in the chunk of the list (migration 0002) in which
 * the counts of chunks, added up, pass its offset: any page of a large organization costs about what the first does.
 * All of it is one statement, so one snapshot. Named: the list asked for most, and planning it costs as much as running
 * it.
 */
const pageStatement = (name: string, filter: string, counts: string[], far: boolean): Statement<PageRow> => ({
  name: far ? `${name}_far` : name,
  text: `select ${counts.map((count) => `o.${count}`).join(' + ')} as total, m.*
    from organizations o
    left join lateral (${far ? farRows(filter, counts.join(' + ')) : nearRows(filter)}) m on true
    where o.id = $1
    order by m.joined_at, m.id`,
})

const nearRows = (filter: string) => `
  select user_id as id, name, email, role, joined_at, last_seen_at
  from memberships where organization_id = $1 ${filter}
  order by joined_at, user_id limit $2 offset $3`

const farRows = (filter: string, count: string) => `
  with summed as (
    select from_joined_at, from_user_id, ${count} as length, sum(${count}) over (order by from_joined_at, from_user_id rows unbounded preceding) as reached
    from member_count_ranges where organization_id = $1
  ), chunk as (
    select from_joined_at, from_user_id, $3 - (reached - length) as skipped
    from summed where reached > $3 order by from_joined_at, from_user_id limit 1
  )
  select rows.* from chunk cross join lateral (
    select user_id as id, name, email, role, joined_at, last_seen_at
    from memberships where organization_id = $1 ${filter} and (joined_at, user_id) >= (chunk.from_joined_at, chunk.from_user_id)
    order by joined_at, user_id limit $2 offset chunk.skipped
  ) rows`

const pageStatements = (far: boolean): Record<Role | 'all', Statement<PageRow>> => ({
  all: pageStatement('list_members', '', ['owner_count', 'admin_count', 'plain_member_count'], far),
  owner: pageStatement('list_members_owner', "and role = 'owner'", ['owner_count'], far),
  admin: pageStatement('list_members_admin', "and role = 'admin'", ['admin_count'], far),
  member: pageStatement('list_members_member', "and role = 'member'", ['plain_member_count'], far),
})

const NEAR_PAGES = pageStatements(false)
const FAR_PAGES = pageStatements(true)

export const listMembers = async (
  db: Database,
  organizationId: string,
  role: Role | undefined,
  limit: number,
  offset: number,
) => {
  const pages = offset < NEAR_OFFSET ? NEAR_PAGES : FAR_PAGES
  const { rows } = await db.executeQuery(named(pages[role ?? 'all'], [organizationId, limit, offset]))
  return { total: rows[0]?.total ?? 0, members: rows.filter((row): row is PageRow & MemberRow => row.id !== null) }
}

/** Locks a member in share mode: the member cannot be removed or demoted until the transaction ends. */
export const lockMemberForShare = (tx: Transaction, organizationId: string, userId: string) =>
  withSharedFairLocks(tx, RIGHTS.member(organizationId, userId))
    .selectFrom(['fair_locks', 'memberships as m'])
    .select(['m.name', 'm.role'])
    .where('m.organization_id', '=', organizationId)
    .where('m.user_id', '=', userId)
    .forKeyShare('m')
    .executeTakeFirst()

const selectMember = (db: Database, organizationId: string, userId: string) =>
  db
    .selectFrom('memberships')
    .select(['user_id as id', 'name', 'email', 'role', 'updated_at'])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)

export const findMember = (db: Database, organizationId: string, userId: string) =>
  selectMember(db, organizationId, userId).executeTakeFirst()

/**
 * Locks a membership before it ends or changes, after the changes that the member is making.
 *
 * @returns undefined for a user who is not a member
 */
export const lockMemberForRevocation = async (tx: Transaction, organizationId: string, userId: string) => {
  await acquireFairLocks(tx, { exclusive: [RIGHTS.member(organizationId, userId)] })
  return selectMember(tx, organizationId, userId).forUpdate().executeTakeFirst()
}

/** @returns undefined if the user is already a member */
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
  await tx
    .deleteFrom('memberships')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute()
}

/** Records that a membership ended: a domain by itself does not bring the user back (abuse case M12). */
export const insertEndedMembership = async (
  tx: Transaction,
  organizationId: string,
  userId: string,
  now: string,
  byProvider: boolean,
): Promise<void> => {
  const state = { ended_at: now, by_provider: byProvider }
  await tx
    .insertInto('former_members')
    .values({ organization_id: organizationId, user_id: userId, ...state })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet(state))
    .execute()
}

/** True if a member removed this user, or the user left: only an invitation lets them return. */
export const wasRemoved = (tx: Transaction, organizationId: string, userId: string): Promise<boolean> => {
  const ended = tx
    .selectFrom('former_members')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
  return hasRow(ended.where('by_provider', '=', false))
}

export const deleteEndedMembership = async (tx: Transaction, organizationId: string, userId: string): Promise<void> => {
  await tx
    .deleteFrom('former_members')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute()
}
