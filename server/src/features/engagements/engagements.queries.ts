import { type Insertable, type Updateable } from 'kysely'
import type { PreparedReader, Statement } from '../../platform/database/prepared.ts'
import { later, type Transaction } from '../../platform/database/transaction.ts'
import type { Engagements } from '../../platform/database/types.gen.ts'

const COLUMNS = ['id', 'name', 'description', 'status', 'created_at', 'updated_at'] as const

export const insertEngagement = (tx: Transaction, engagement: Insertable<Engagements>) =>
  tx.insertInto('engagements').values(engagement).returning(COLUMNS).executeTakeFirstOrThrow()

const FIND_ENGAGEMENT: Statement<EngagementRow> = {
  name: 'find_engagement',
  text: `select ${COLUMNS.join(', ')} from engagements where organization_id = $1 and id = $2`,
}

export const findEngagement = async (prepared: PreparedReader, organizationId: string, engagementId: string): Promise<EngagementRow | undefined> =>
  (await prepared.query(FIND_ENGAGEMENT, [organizationId, engagementId]))[0]

export const lockEngagement = (tx: Transaction, organizationId: string, engagementId: string) =>
  tx.selectFrom('engagements').select(COLUMNS).where('organization_id', '=', organizationId).where('id', '=', engagementId).forUpdate().executeTakeFirst()

/** Changes an engagement that the transaction has locked. */
export const updateEngagement = (tx: Transaction, organizationId: string, engagementId: string, change: Updateable<Engagements>) =>
  later(tx, tx.updateTable('engagements').set(change).where('organization_id', '=', organizationId).where('id', '=', engagementId))

const SORT_COLUMNS = { createdAt: 'created_at', updatedAt: 'updated_at', name: 'name', status: 'status' } as const
type Sort = keyof typeof SORT_COLUMNS
type Order = 'asc' | 'desc'

export interface EngagementPage {
  status: string | undefined
  sort: Sort
  order: Order
  limit: number
  offset: number
}

/** A row of a page, with the total of the same snapshot; a page past the end is one row without an engagement. */
type PageRow = { total: number } & (EngagementRow | { id: null })

/** A page and the total in one statement, so that both are of one snapshot. Ties are ordered by id (open point 5). */
const pageStatement = (sort: Sort, order: Order, byStatus: boolean): Statement<PageRow> => {
  const matching = `from engagements where organization_id = $1${byStatus ? ' and status = $4' : ''}`
  const sequence = `${SORT_COLUMNS[sort]} ${order}, id ${order}`
  return {
    name: `list_engagements_${SORT_COLUMNS[sort]}_${order}${byStatus ? '_of_status' : ''}`,
    text: `select counted.total, picked.*
      from (select count(*) as total ${matching}) counted
      left join (select ${COLUMNS.join(', ')} ${matching} order by ${sequence} limit $2 offset $3) picked on true
      order by ${sequence}`,
  }
}

export const listEngagements = async (prepared: PreparedReader, organizationId: string, page: EngagementPage) => {
  const { status, sort, order, limit, offset } = page
  const values = [organizationId, limit, offset, ...(status === undefined ? [] : [status])]
  const rows = await prepared.query(pageStatement(sort, order, status !== undefined), values)
  return { total: rows[0]?.total ?? 0, engagements: rows.filter((row): row is PageRow & EngagementRow => row.id !== null) }
}

export interface EngagementRow {
  id: string
  name: string
  description: string
  status: string
  created_at: string
  updated_at: string
}
