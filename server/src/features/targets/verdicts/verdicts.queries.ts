import { sql } from 'kysely'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { Verdict } from '../../scope/rules/rule-set.ts'

export interface EvaluatedRow {
  id: string
  kind: string
  canonical: string
  order_key: string
  verdict: Verdict
  scope_rule_id: string | null
}

/**
 * Opens a cursor over the targets of an engagement with their verdicts; one plan for all of them, in the transaction
 * that reads.
 */
export const openTargetBatches = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
): Promise<void> => {
  await sql`declare evaluated no scroll cursor for
    select t.id, t.kind, t.canonical, t.order_key, v.verdict, v.scope_rule_id
    from targets t join target_verdicts v on v.target_id = t.id and v.organization_id = t.organization_id
    where t.organization_id = ${organizationId} and t.engagement_id = ${engagementId}`.execute(tx)
}

/** The next 2,500 at most; empty at the end. */
export const fetchTargetBatch = async (tx: Transaction): Promise<EvaluatedRow[]> => {
  const { rows } = await sql<EvaluatedRow>`fetch 2500 from evaluated`.execute(tx)
  return rows
}

export const closeTargetBatches = async (tx: Transaction): Promise<void> => {
  await sql`close evaluated`.execute(tx)
}

export interface NewVerdict {
  id: string
  verdict: Verdict
  /** Empty if no rule decided. */
  ruleId: string
}

/**
 * One statement without a join: for rows without statistics Postgres expects a handful, and would compare each of
 * 100,000 with each of the list. Instead, one JSON object maps ids to decisions.
 */
export const updateVerdicts = async (
  tx: Transaction,
  organizationId: string,
  verdicts: readonly NewVerdict[],
): Promise<void> => {
  // One text that Postgres splits: an array of this length would escape every character.
  const ids = verdicts.map(({ id }) => id).join(',')
  const decisions = JSON.stringify(
    Object.fromEntries(verdicts.map(({ id, verdict, ruleId }) => [id, [verdict, ruleId]])),
  )
  await sql`update target_verdicts set verdict = ${decisions}::jsonb -> target_id ->> 0, scope_rule_id = nullif(${decisions}::jsonb -> target_id ->> 1, '')
    where organization_id = ${organizationId} and target_id = any(string_to_array(${ids}, ','))`.execute(tx)
}
