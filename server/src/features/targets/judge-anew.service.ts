import type { Transaction } from '../../platform/database/transaction.ts'
import { judge, type RuleSet } from '../scope/rule-set.ts'
import { subjectOf } from './target-keys.ts'
import { closeJudged, fetchJudged, type NewVerdict, openJudged, updateVerdicts } from './verdicts.queries.ts'

/** Written by one statement. */
const WRITTEN_AT_ONCE = 20_000

/**
 * Judges every target of an engagement by its new rules, and writes what changed; `updatedAt` of the targets stays. The
 * engagement is locked for update by whoever changes its rules, so that no target comes in between. Read in batches that
 * are judged within a few milliseconds: others are served in between.
 */
export const judgeAnew = async (tx: Transaction, organizationId: string, engagementId: string, rules: RuleSet): Promise<void> => {
  const changed: NewVerdict[] = []
  await openJudged(tx, organizationId, engagementId)
  let rows = await fetchJudged(tx)
  while (rows.length > 0) {
    // Postgres reads the next batch while this one is judged.
    const following = fetchJudged(tx)
    for (const row of rows) {
      const { verdict, rule } = judge(rules, subjectOf(row.kind, row.canonical, row.order_key))
      if (verdict !== row.verdict || (rule?.id ?? null) !== row.scope_rule_id) changed.push({ id: row.id, verdict, ruleId: rule?.id ?? '' })
    }
    rows = await following
  }
  await closeJudged(tx)
  for (let at = 0; at < changed.length; at += WRITTEN_AT_ONCE) await updateVerdicts(tx, organizationId, changed.slice(at, at + WRITTEN_AT_ONCE))
}
