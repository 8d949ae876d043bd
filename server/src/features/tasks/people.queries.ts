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
