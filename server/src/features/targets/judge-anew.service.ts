import type { Transaction } from '../../platform/database/transaction.ts'
import { judge, type RuleSet } from '../scope/rule-set.ts'
import { subjectOf } from './target-keys.ts'
import { type JudgedRow, listJudged, type NewVerdict, updateVerdicts } from './verdicts.queries.ts'

/** Judged within a few milliseconds; others are served between batches. */
const BATCH = 2_500
/** Written by one statement. */
const WRITTEN_AT_ONCE = 20_000

/**
 * Judges every target of an engagement by its new rules, and writes what changed; `updatedAt` of the targets stays. The
 * engagement is locked for update by whoever changes its rules, so that no target comes in between.
 */
export const judgeAnew = async (tx: Transaction, organizationId: string, engagementId: string, rules: RuleSet): Promise<void> => {
  let changed: NewVerdict[] = []
  const write = async () => {
    if (changed.length > 0) await updateVerdicts(tx, organizationId, engagementId, changed)
    changed = []
  }
  let rows: JudgedRow[]
  let after = ''
  do {
    rows = await listJudged(tx, organizationId, engagementId, after, BATCH)
    for (const row of rows) {
      const { verdict, rule } = judge(rules, subjectOf(row.kind, row.canonical, row.order_key))
      if (verdict !== row.verdict || (rule?.id ?? null) !== row.scope_rule_id) changed.push({ id: row.id, verdict, ruleId: rule?.id ?? '' })
    }
    if (changed.length >= WRITTEN_AT_ONCE) await write()
    after = rows.at(-1)?.id ?? after
  } while (rows.length === BATCH)
  await write()
}
