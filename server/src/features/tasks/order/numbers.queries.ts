import { sql } from 'kysely'
import type { Transaction } from '../../../platform/database/transaction.ts'

/**
 * Takes the next numbers of an engagement for new tasks. No number is used twice. Locks them until the transaction
 * ends.
 *
 * @returns the first of them
 */
export const consumeNumbers = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  count: number,
): Promise<number> => {
  const { rows } = await sql<{
    last_number: number
  }>`insert into task_numbers as n (organization_id, engagement_id, last_number)
    values (${organizationId}, ${engagementId}, ${count})
    on conflict (organization_id, engagement_id) do update set last_number = n.last_number + excluded.last_number
    returning last_number`.execute(tx)
  return (rows[0]?.last_number ?? count) - count + 1
}
