import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'

/** Results of one tool and rule; without a rule, of one tool and title; a result added by hand is one row. */
export interface ResultGroupRow {
  tools: string[]
  rule_id: string | null
  cwe: string[]
  title: string
  severity: number
  count: number
  /** Only without a rule: ids, up to the limit of a filter. */
  ids: string[] | null
}

/**
 * Groups the results that are part of no finding: vulnerabilities that are present, and open or confirmed.
 *
 * @param limit rows; the most severe are kept
 * @param maxIds ids in a row without a rule; more results with the same title are left for the next time
 */
export const listResultGroups = async (
  db: Database,
  organizationId: string,
  engagementId: string,
  limit: number,
  maxIds: number,
): Promise<ResultGroupRow[]> => {
  const { rows } = await sql<ResultGroupRow>`
    with loose_ids as (
      select r.id from results r
      where r.organization_id = ${organizationId} and r.engagement_id = ${engagementId} and r.kind = 'vulnerability' and r.state = 'present'
        and r.status in ('open', 'confirmed')
      -- With "not exists" Postgres compares each result with each affected one right after an import, before it has statistics.
      except
      select p.result_id from affected_results p join findings f on f.organization_id = p.organization_id and f.id = p.finding_id
      where p.organization_id = ${organizationId} and p.engagement_id = ${engagementId} and f.trashed_at is null),
    loose as (
      select r.id, r.tools, r.title, coalesce(r.severity, 0) as severity, coalesce(r.data -> 'cwe', '[]') as cwe,
        case when r.tools <> '{}' then r.data ->> 'ruleId' end as rule_id
      from loose_ids join results r using (id))
    select tools, rule_id, array(select jsonb_array_elements_text(min(cwe::text)::jsonb)) as cwe, min(title) as title,
      max(severity)::int as severity, count(*)::int as count, null::text[] as ids
    from loose where rule_id is not null group by tools, rule_id
    union all
    select tools, null, array(select jsonb_array_elements_text(min(cwe::text)::jsonb)), title, max(severity)::int, least(count(*), ${maxIds})::int,
      (array_agg(id order by id))[1:${maxIds}::integer]
    from loose where rule_id is null group by tools, title, case when tools = '{}' then id end
    order by severity desc, count desc, title
    limit ${limit}`.execute(db)
  return rows
}

export const listDismissed = async (
  db: Database,
  organizationId: string,
  engagementId: string,
): Promise<Set<string>> => {
  const rows = await db
    .selectFrom('dismissed_suggestions')
    .select('key')
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .execute()
  return new Set(rows.map(({ key }) => key))
}

/** @returns false if it was dismissed already */
export const insertDismissed = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  key: string,
  by: string | null,
  now: string,
): Promise<boolean> => {
  const result = await tx
    .insertInto('dismissed_suggestions')
    .values({ organization_id: organizationId, engagement_id: engagementId, key, dismissed_by: by, dismissed_at: now })
    .onConflict((conflict) => conflict.columns(['organization_id', 'engagement_id', 'key']).doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0) > 0
}

/** @returns false if it was not dismissed */
export const deleteDismissed = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  key: string,
): Promise<boolean> => {
  const result = await tx
    .deleteFrom('dismissed_suggestions')
    .where('organization_id', '=', organizationId)
    .where('engagement_id', '=', engagementId)
    .where('key', '=', key)
    .executeTakeFirst()
  return Number(result.numDeletedRows) > 0
}
