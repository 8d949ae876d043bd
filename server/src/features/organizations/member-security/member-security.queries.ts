import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'

/** True if the account `m.user_id` has a confirmed second factor. */
const HAS_FACTOR = sql<boolean>`(exists (select 1 from second_factors f where f.user_id = m.user_id and f.confirmed_at is not null)
  or exists (select 1 from passkeys p where p.user_id = m.user_id))`

/** The number of members, and how many of them lack a factor or identity that can be required. */
export const countMembers = async (db: Database, organizationId: string) => {
  const { rows } = await sql<{ members: number; without_factor: number; without_identity: number }>`
    select count(*) as members, count(*) filter (where not ${HAS_FACTOR}) as without_factor,
      count(*) filter (where not exists (select 1 from linked_accounts i where i.user_id = m.user_id)) as without_identity
    from memberships m where organization_id = ${organizationId}`.execute(db)
  return rows[0] ?? { members: 0, without_factor: 0, without_identity: 0 }
}

/** The members without a second factor, first joined first. */
export const listMembersWithoutFactor = (db: Database, organizationId: string, limit: number) =>
  db
    .selectFrom('memberships as m')
    .select(['m.user_id as id', 'm.name', 'm.email'])
    .where('m.organization_id', '=', organizationId)
    .where(sql<boolean>`not ${HAS_FACTOR}`)
    .orderBy('m.joined_at')
    .orderBy('m.user_id')
    .limit(limit)
    .execute()

/** Filters these accounts to those with a confirmed second factor. */
export const listUsersWithFactor = async (db: Database, userIds: readonly string[]): Promise<Set<string>> => {
  const { rows } = await sql<{ user_id: string }>`
    select m.user_id from unnest(${userIds}::text[]) as m (user_id) where ${HAS_FACTOR}`.execute(db)
  return new Set(rows.map(({ user_id }) => user_id))
}

/**
 * The organizations of an account, and whether the other account may change the member there: an owner may, and an
 * admin may unless the member is the owner. Needs a database that shows the rows of every organization.
 */
export const listOrganizationsOfAccount = async (db: Database, userId: string, administratorId: string) => {
  const { rows } = await sql<{ id: string; administered: boolean }>`
    select m.organization_id as id, coalesce(a.role = 'owner' or (a.role = 'admin' and m.role <> 'owner'), false) as administered
    from memberships m
    left join memberships a on a.organization_id = m.organization_id and a.user_id = ${administratorId}
    where m.user_id = ${userId}
    order by 1`.execute(db)
  return rows
}
