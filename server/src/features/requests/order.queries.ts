import { hideTrash, showTrash, type Transaction } from '../../platform/database/transaction.ts'

/** Tables whose rows are ordered by `position` within an engagement, or within the organization. */
type OrderedTable = 'request_folders' | 'api_requests'

/**
 * Returns the next position before or after this one, or the last one; null if there is none. Positions of the trash
 * count, so that what is restored has its place in the order for itself.
 */
export const findNeighbour = async (
  tx: Transaction,
  table: OrderedTable,
  organizationId: string,
  engagementId: string | null,
  side: 'before' | 'after',
  position?: string,
): Promise<string | null> => {
  await showTrash(tx)
  const rows = tx
    .selectFrom(table)
    .select('position')
    .where('organization_id', '=', organizationId)
    .where('engagement_id', engagementId === null ? 'is' : '=', engagementId)
  const sibling = position === undefined ? rows : rows.where('position', side === 'before' ? '<' : '>', position)
  const row = await sibling
    .orderBy('position', position === undefined || side === 'before' ? 'desc' : 'asc')
    .limit(1)
    .executeTakeFirst()
  await hideTrash(tx)
  return row?.position ?? null
}
