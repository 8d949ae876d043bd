import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import { findEngagement } from '../engagements/engagements.queries.ts'
import { asBodyFieldError, requireFound } from '../engagements/locks.service.ts'
import { isRefusal } from './rules/host.ts'
import { recognise } from './rules/recognise.ts'
import { judge, type RuleSet, reasonOf } from './rules/rule-set.ts'
import { findRuleSet } from './scope.service.ts'

/** Values evaluated per batch, so that other requests run in between. */
const VALUES_IN_A_TURN = 100

/**
 * The decision for each value, in their order. @throws ApiError VALIDATION_ERROR for an engagement that is hidden from the caller
 */
export const checkScope = async (db: Database, actor: Actor, engagementId: string, values: readonly string[]) => {
  await asBodyFieldError(requireFound(findEngagement(db, actor.organizationId, engagementId)))
  const rules = await findRuleSet(db, actor.organizationId, engagementId)
  const judged: ReturnType<typeof judgeText>[] = []
  for (const [index, value] of values.entries()) {
    if (index % VALUES_IN_A_TURN === VALUES_IN_A_TURN - 1) await nextTurn()
    judged.push(judgeText(rules, value))
  }
  return judged
}

const judgeText = (rules: RuleSet, value: string) => {
  const found = recognise(value.trim())
  if (isRefusal(found))
    return { value, kind: null, canonical: null, verdict: 'invalid' as const, scopeRuleId: null, reason: found.refused }
  const decision = judge(rules, found.subject)
  return {
    value,
    kind: found.kind,
    canonical: found.canonical,
    verdict: decision.verdict,
    scopeRuleId: decision.rule?.id ?? null,
    reason: reasonOf(decision),
  }
}
