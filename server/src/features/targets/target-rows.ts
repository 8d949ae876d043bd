import type * as contract from '@sortie/contract/inventory/targets.ts'
import type { Static } from 'typebox'
import type { Database } from '../../platform/database/connection/open.ts'
import { countFoundOn, criticalityOf } from './lists/target-lists.queries.ts'
import type { TargetRow } from './targets.queries.ts'

/** Converts a row to the contract. */
export const toTarget = (row: TargetRow): Static<typeof contract.Target> => ({
  id: row.id,
  engagementId: row.engagement_id,
  kind: row.kind,
  value: row.value,
  canonical: row.canonical,
  // A target in the trash has none.
  verdict: row.verdict ?? 'unknown',
  scopeRuleId: row.scope_rule_id,
  tags: row.tags,
  criticality: criticalityOf(row.criticality),
  notes: row.notes,
  source: row.source,
  parentId: row.parent_id,
  fields: row.fields,
  firstSeenAt: row.first_seen_at,
  lastSeenAt: row.last_seen_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  trashedAt: row.trashed_at,
})

/** Rows of the list, with what is known about each target. */
export const toListedTargets = async (
  db: Database,
  organizationId: string,
  rows: readonly TargetRow[],
): Promise<Static<typeof contract.ListedTarget>[]> => {
  const found = await countFoundOn(
    db,
    organizationId,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => {
    const { services = 0, vulnerabilities = 0, worst = null } = found.get(row.id) ?? {}
    return {
      ...toTarget(row),
      services,
      vulnerabilities,
      worstSeverity: worst === null ? null : (SEVERITY_WORDS[worst] ?? null),
    }
  })
}

const SEVERITY_WORDS = ['info', 'low', 'medium', 'high', 'critical'] as const
