import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Tasks } from '../../platform/database/types.gen.ts'

/** A task that checks an item of a methodology. */
export interface CheckRow {
  id: string
  item_key: string
  target_id: string | null
  status: Tasks['status']
  outcome: NonNullable<Tasks['outcome']>
}

/** Every check of a methodology in an engagement, in the order of the board. */
export const listChecks = (
  db: Database,
  organizationId: string,
  engagementId: string,
  methodologyId: string,
): Promise<CheckRow[]> =>
  db
    .selectFrom('tasks')
    .select(({ ref }) => [
      'id',
      ref('item_key').$castTo<string>().as('item_key'),
      'target_id',
      'status',
      ref('outcome').$castTo<CheckRow['outcome']>().as('outcome'),
    ])
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .where('methodology_id', '=', methodologyId)
    .where(isCheck)
    .orderBy('position')
    .orderBy('id')
    .execute()

/** The exact condition of the index that contains only checks. */
const isCheck: RawBuilder<boolean> = sql`methodology_id is not null`

/** Kind, value and verdict of these targets, in the order of targets. */
export const listTargetsOf = (db: Database, organizationId: string, targetIds: readonly string[]) =>
  db
    .selectFrom('targets as t')
    .innerJoin('target_verdicts as v', 'v.target_id', 't.id')
    .select(['t.id', 't.kind', 't.value', 'v.verdict'])
    .where('t.organization_id', '=', organizationId)
    .where(sql<boolean>`t.id = any(${targetIds})`)
    .orderBy('t.order_key')
    .orderBy('t.id')
    .execute()

/** Counts the in-scope targets by kind. */
export const countInScope = async (
  db: Database,
  organizationId: string,
  engagementId: string,
): Promise<Map<string, number>> => {
  const rows = await db
    .selectFrom('targets as t')
    .innerJoin('target_verdicts as v', 'v.target_id', 't.id')
    .select(({ fn }) => ['t.kind', fn.countAll<number>().as('count')])
    .where('t.organization_id', '=', organizationId)
    .where('t.engagement_id', '=', engagementId)
    .where('v.verdict', '=', 'in')
    .groupBy('t.kind')
    .execute()
  return new Map(rows.map(({ kind, count }) => [kind, count]))
}
