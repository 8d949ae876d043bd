import { sql } from 'kysely'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { ScopeRule } from '../rules/rule-set.ts'

/**
 * Restores rules of an engagement from the trash, which the transaction sees. Of rules with one pattern, only the one
 * that was deleted last comes back, and none if there is a new one. The caller has locked the scope.
 *
 * @returns those that came back
 */
export const restoreRules = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  scopeRuleIds: readonly string[],
) => {
  const { rows } = await sql<Pick<ScopeRule, 'id' | 'effect' | 'pattern'>>`
    with wanted as materialized (
      select s.id, row_number() over (partition by s.pattern order by s.trashed_at desc, s.id desc) as place from scope_rules s
      where s.organization_id = ${organizationId} and s.engagement_id = ${engagementId} and s.id = any(${scopeRuleIds}::text[]) and s.trashed_at is not null
        and not exists (select from scope_rules live where live.organization_id = s.organization_id and live.engagement_id = s.engagement_id
          and live.pattern = s.pattern and live.trashed_at is null)
    )
    update scope_rules s set trashed_at = null from wanted w
    where s.organization_id = ${organizationId} and s.id = w.id and w.place = 1
    returning s.id, s.effect, s.pattern`.execute(tx)
  return rows
}

export const countRules = async (tx: Transaction, organizationId: string, engagementId: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from scope_rules
    where organization_id = ${organizationId} and engagement_id = ${engagementId}`.execute(tx)
  return rows[0]?.count ?? 0
}
