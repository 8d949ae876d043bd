import { type Insertable, type Updateable } from 'kysely'
import type { Database } from '../../platform/database/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Engagements } from '../../platform/database/types.gen.ts'

const COLUMNS = ['id', 'name', 'description', 'status', 'created_at', 'updated_at'] as const

export const insertEngagement = (tx: Transaction, engagement: Insertable<Engagements>) =>
  tx.insertInto('engagements').values(engagement).returning(COLUMNS).executeTakeFirstOrThrow()

export const findEngagement = (db: Database, organizationId: string, engagementId: string) =>
  db.selectFrom('engagements').select(COLUMNS).where('organization_id', '=', organizationId).where('id', '=', engagementId).executeTakeFirst()

export const lockEngagement = (tx: Transaction, organizationId: string, engagementId: string) =>
  tx.selectFrom('engagements').select(COLUMNS).where('organization_id', '=', organizationId).where('id', '=', engagementId).forUpdate().executeTakeFirst()

export const updateEngagement = (tx: Transaction, organizationId: string, engagementId: string, change: Updateable<Engagements>) =>
  tx
    .updateTable('engagements')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('id', '=', engagementId)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()

const SORT_COLUMNS = { createdAt: 'created_at', updatedAt: 'updated_at', name: 'name', status: 'status' } as const

export interface EngagementPage {
  status: string | undefined
  sort: keyof typeof SORT_COLUMNS
  order: 'asc' | 'desc'
  limit: number
  offset: number
}

/** A page and the total in one statement, so that both are of one snapshot. Ties are ordered by id (open point 5). */
export const listEngagements = async (db: Database, organizationId: string, page: EngagementPage) => {
  const matching = db
    .selectFrom('engagements')
    .where('organization_id', '=', organizationId)
    .$if(page.status !== undefined, (query) => query.where('status', '=', page.status as string))
  const rows = await db
    .with('counted', () => matching.select((select) => select.fn.countAll<number>().as('total')))
    .with('picked', () => matching.select(COLUMNS).orderBy(SORT_COLUMNS[page.sort], page.order).orderBy('id', page.order).limit(page.limit).offset(page.offset))
    .selectFrom('counted')
    .leftJoin('picked', (join) => join.onTrue())
    .select(['counted.total', 'picked.id', 'picked.name', 'picked.description', 'picked.status', 'picked.created_at', 'picked.updated_at'])
    .orderBy(`picked.${SORT_COLUMNS[page.sort]}`, page.order)
    .orderBy('picked.id', page.order)
    .execute()
  return { total: rows[0]?.total ?? 0, engagements: rows.flatMap(({ total: _total, ...row }) => (row.id === null ? [] : [row as EngagementRow])) }
}

export interface EngagementRow {
  id: string
  name: string
  description: string
  status: string
  created_at: string
  updated_at: string
}
