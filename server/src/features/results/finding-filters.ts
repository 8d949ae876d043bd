import { type SqlBool, sql } from 'kysely'
import type { Actor } from '../../platform/auth/actor.ts'
import { forbidden } from '../../platform/errors.ts'
import { condition, type Filter } from '../../platform/lists/filters.ts'

/** An index has the hash, because a rule can be longer than an entry of an index. */
export const byRule: Filter = condition(
  (rules: readonly string[]) =>
    sql<SqlBool>`(r.kind = 'vulnerability' and hashtextextended(r.data ->> 'ruleId', 0) = any(array(select hashtextextended(rule, 0) from unnest(${rules}::text[]) as rule))
      and r.data ->> 'ruleId' = any(${rules}::text[]))`,
)

/** Results of a finding in the trash are part of no finding. */
const isInNoFinding = sql<SqlBool>`not exists (select from affected_results p
  join findings f on f.organization_id = p.organization_id and f.id = p.finding_id
  where p.organization_id = r.organization_id and p.engagement_id = r.engagement_id and p.result_id = r.id and f.trashed_at is null)`

export const partOfFinding: Filter = condition((ids: readonly string[], { organizationId, scopes }: Actor) => {
  if (!scopes.has('reports:read')) throw forbidden('findingId: also needs the scope reports:read.')
  const wanted = ids.filter((id) => id !== 'none')
  const isIn = sql<SqlBool>`r.id in (select p.result_id from affected_results p where p.organization_id = ${organizationId} and p.finding_id = any(${wanted}))`
  if (wanted.length === ids.length) return isIn
  return wanted.length === 0 ? isInNoFinding : sql<SqlBool>`(${isInNoFinding} or ${isIn})`
})
