import { sql } from 'kysely'
import type { Transaction } from '../../platform/database/transaction.ts'

/** Filters these users to members who see the engagement, and keeps them members until the transaction ends. */
export const lockMembersWithAccess = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  userIds: readonly string[],
): Promise<Set<string>> => {
  if (userIds.length === 0) return new Set()
  const { rows } = await sql<{ user_id: string }>`select m.user_id from memberships m
    where m.organization_id = ${organizationId} and m.user_id = any(${userIds})
      and (m.role in ('owner', 'admin') or ${engagementId} not in (select hidden_engagements(${organizationId}, m.user_id)))
    order by m.user_id for key share of m`.execute(tx)
  return new Set(rows.map(({ user_id }) => user_id))
}

/**
 * Filters these ids to those to whom a task of the engagement can be assigned: members who see it, and agents whose key
 * covers it. Keeps them so until the transaction ends.
 */
export const lockAssignees = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  ids: readonly string[],
): Promise<Set<string>> => {
  const members = await lockMembersWithAccess(tx, organizationId, engagementId, ids)
  if (ids.every((id) => members.has(id))) return members
  const { rows } = await sql<{ id: string }>`select a.id from agents a
    join api_key_engagements e on e.organization_id = a.organization_id and e.api_key_id = a.key_id
    where a.organization_id = ${organizationId} and a.id = any(${ids}) and e.engagement_id = ${engagementId}
    order by a.id for key share of a`.execute(tx)
  return new Set([...members, ...rows.map(({ id }) => id)])
}
