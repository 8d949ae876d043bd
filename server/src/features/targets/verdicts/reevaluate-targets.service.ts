import type { Transaction } from '../../../platform/database/transaction.ts'
import { evaluate, type RuleSet } from '../../scope/rules/rule-set.ts'
import { subjectOf } from '../target-keys.ts'
import {
  closeTargetBatches,
  fetchTargetBatch,
  type NewVerdict,
  openTargetBatches,
  updateVerdicts,
} from './verdicts.queries.ts'

/** Written by one statement. */
const WRITTEN_AT_ONCE = 20_000

/**
 * Reevaluates every target of an engagement by its new rules, and writes what changed; `updatedAt` of the targets
 * stays. The caller, who changes the rules, locks the engagement for update, so that no target is added during the run.
 * Reads batches that are evaluated within a few milliseconds: other requests run in between.
 */
export const reevaluateTargets = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  rules: RuleSet,
): Promise<void> => {
  const changed: NewVerdict[] = []
  await openTargetBatches(tx, organizationId, engagementId)
  let rows = await fetchTargetBatch(tx)
  while (rows.length > 0) {
    // Postgres reads the next batch while this one is evaluated.
    const following = fetchTargetBatch(tx)
    for (const row of rows) {
      const { verdict, rule } = evaluate(rules, subjectOf(row.kind, row.canonical, row.order_key))
      if (verdict !== row.verdict || (rule?.id ?? null) !== row.scope_rule_id)
        changed.push({ id: row.id, verdict, ruleId: rule?.id ?? '' })
    }
    rows = await following
  }
  await closeTargetBatches(tx)
  for (let at = 0; at < changed.length; at += WRITTEN_AT_ONCE)
    await updateVerdicts(tx, organizationId, changed.slice(at, at + WRITTEN_AT_ONCE))
}
