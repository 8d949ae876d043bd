import { type Insertable, sql, type Updateable } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import { recordEngagement } from '../../platform/database/idempotency.queries.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Engagements } from '../../platform/database/types.gen.ts'
import { FAR_OFFSET } from './far-pages.ts'

const COLUMNS = ['id', 'name', 'description', 'status', 'created_at', 'updated_at'] as const

export const insertEngagement = (tx: Transaction, engagement: Insertable<Engagements>) =>
  tx
    .insertInto('engagements')
    .values({ ...engagement, task_prefix: sql<string>`task_prefix_of(${engagement.name}::text)` })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()

export const findEngagement = (
  db: Database,
  organizationId: string,
  engagementId: string,
): Promise<EngagementRow | undefined> =>
  db
    .selectFrom('engagements')
    .select(COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('id', '=', engagementId)
    .executeTakeFirst()

export const lockEngagement = (tx: Transaction, organizationId: string, engagementId: string) =>
  tx
    .selectFrom('engagements')
    .select([...COLUMNS, recordEngagement])
    .where('organization_id', '=', organizationId)
    .where('id', '=', engagementId)
    .forUpdate()
    .executeTakeFirst()

/** Reads whether members may create engagements, and keeps that until the transaction ends. */
export const lockMembersMayCreate = async (tx: Transaction, organizationId: string): Promise<boolean> => {
  const row = await tx
    .selectFrom('organizations')
    .select('members_create_engagements')
    .where('id', '=', organizationId)
    .forShare()
    .executeTakeFirst()
  return row?.members_create_engagements ?? false
}

export const findRole = async (tx: Transaction, organizationId: string, userId: string) => {
  const row = await tx
    .selectFrom('memberships')
    .select('role')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.role
}

/** Reads an engagement and locks its status while something in it changes. */
export const lockEngagementForShare = (tx: Transaction, organizationId: string, engagementId: string) =>
  tx
    .selectFrom('engagements')
    .select([...COLUMNS, recordEngagement])
    .where('organization_id', '=', organizationId)
    .where('id', '=', engagementId)
    .forShare()
    .executeTakeFirst()

/** Locks several engagements in share mode, always in the order of their ids. */
export const lockEngagementsForShare = async (
  tx: Transaction,
  organizationId: string,
  engagementIds: readonly string[],
): Promise<void> => {
  if (engagementIds.length === 0) return
  const ids = sql<boolean>`id = any(${engagementIds})`
  await tx
    .selectFrom('engagements')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where(ids)
    .orderBy('id')
    .forShare()
    .execute()
}

/** The visible ones of these engagements, with their status. */
export const listStatuses = async (
  tx: Transaction,
  organizationId: string,
  engagementIds: readonly string[],
): Promise<Map<string, string>> => {
  if (engagementIds.length === 0) return new Map()
  const ids = sql<boolean>`id = any(${engagementIds})`
  const rows = await tx
    .selectFrom('engagements')
    .select(['id', 'status'])
    .where('organization_id', '=', organizationId)
    .where(ids)
    .execute()
  return new Map(rows.map(({ id, status }) => [id, status]))
}

/** Changes an engagement that the transaction has locked. */
export const updateEngagement = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  change: Updateable<Engagements>,
): Promise<void> => {
  await tx
    .updateTable('engagements')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('id', '=', engagementId)
    .execute()
}

const SORT_COLUMNS = { createdAt: 'created_at', updatedAt: 'updated_at', name: 'name', status: 'status' } as const
type Sort = keyof typeof SORT_COLUMNS
type Order = 'asc' | 'desc'

export interface EngagementPage {
  status: string | undefined
  kind: string | undefined
  leadId: string | undefined
  /** Part of a name, case-insensitive. */
  q: string | undefined
  sort: Sort
  order: Order
  limit: number
  offset: number
}

/** A row of a page, with the total of the same snapshot; a page past the end is one row without an engagement. */
type PageRow = { total: number } & (EngagementRow | { id: null })

/**
 * Reads a page and the total in one statement, so that both are of one snapshot. Ties are ordered by id (open point 5).
 *
 * The rows before a far page are counted by their ids, which an index has: reading those rows takes twice as long.
 */
export const listEngagements = async (db: Database, organizationId: string, page: EngagementPage) => {
  const { status, kind, leadId, q, sort, order, limit, offset } = page
  const conditions = [
    sql`organization_id = ${organizationId}`,
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ...(leadId === undefined
      ? []
      : [
          sql`id in (select engagement_id from engagement_members where organization_id = ${organizationId} and user_id = ${leadId} and part = 'lead')`,
        ]),
    ...(q === undefined ? [] : [sql`(name ilike ${containing(q)} or client_name ilike ${containing(q)})`]),
  ]
  const matching = sql`from engagements where ${sql.join(conditions, sql` and `)}`
  const direction = order === 'asc' ? sql`asc` : sql`desc`
  const sequence = sql`${sql.ref(SORT_COLUMNS[sort])} ${direction}, id ${direction}`
  const columns = sql.join(COLUMNS.map((column) => sql.ref(column)))
  const cut = sql`order by ${sequence} limit ${limit} offset ${offset}`
  const picked =
    offset < FAR_OFFSET
      ? sql`select ${columns} ${matching} ${cut}`
      : sql`select ${columns} from (select id as picked_id ${matching} ${cut}) page
          join engagements on organization_id = ${organizationId} and id = picked_id`
  const { rows } = await sql<PageRow>`
    select counted.total, picked.*
    from (select count(*) as total ${matching}) counted
    left join (${picked}) picked on true
    order by ${sequence}`.execute(db)
  return {
    total: rows[0]?.total ?? 0,
    engagements: rows.filter((row): row is PageRow & EngagementRow => row.id !== null),
  }
}

/** A LIKE pattern that matches texts with this part; escapes special characters. */
const containing = (part: string): string => `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`

export interface EngagementRow {
  id: string
  name: string
  description: string
  status: Engagements['status']
  created_at: string
  updated_at: string
}
