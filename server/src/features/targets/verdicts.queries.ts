import { sql } from 'kysely'
import type { Database } from '../../platform/database/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Verdict } from '../scope/rule-set.ts'

export interface JudgedRow {
  id: string
  kind: string
  canonical: string
  order_key: string
  verdict: Verdict
  scope_rule_id: string | null
}

/** Targets with what was decided, in the order of ids. */
export const listJudged = async (db: Database, organizationId: string, engagementId: string, after: string, limit: number): Promise<JudgedRow[]> => {
  const { rows } = await sql<JudgedRow>`
    select t.id, t.kind, t.canonical, t.order_key, v.verdict, v.scope_rule_id
    from targets t join target_verdicts v on v.target_id = t.id
    where t.organization_id = ${organizationId} and t.engagement_id = ${engagementId} and t.id > ${after} order by t.id limit ${limit}`.execute(db)
  return rows
}

export interface NewVerdict {
  id: string
  verdict: Verdict
  /** Empty where no rule decided. */
  ruleId: string
}

const SEPARATOR = ','

/** As texts that Postgres takes apart: arrays of this length would be put together with care for every character. */
export const updateVerdicts = async (tx: Transaction, organizationId: string, engagementId: string, verdicts: readonly NewVerdict[]): Promise<void> => {
  const joined = (field: keyof NewVerdict) => sql`string_to_array(${verdicts.map((each) => each[field]).join(SEPARATOR)}, ${SEPARATOR})`
  await sql`update target_verdicts v set verdict = n.verdict, scope_rule_id = nullif(n.rule_id, '')
    from unnest(${joined('id')}, ${joined('verdict')}, ${joined('ruleId')}) as n (id, verdict, rule_id)
    where v.organization_id = ${organizationId} and v.engagement_id = ${engagementId} and v.target_id = n.id`.execute(tx)
}
