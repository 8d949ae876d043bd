import type { Body } from '@sortie/contract/core/endpoint.ts'
import type * as contract from '@sortie/contract/engagement/scope-rules.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, invalid } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { asBodyFieldError } from '../../engagements/locks.service.ts'
import { type ChosenRule, chosenFromRules, chosenFromText, type Unchosen } from '../rules/chosen-rules.ts'
import { compileRules, type Effect, type ScopeRule } from '../rules/rule-set.ts'
import { insertScopeRules, listEngagementRules, updateEffects } from '../scope.queries.ts'
import { announceRules, type ReevaluateTargets, lockScope, requireRuleQuota } from '../scope.service.ts'

export interface RuleOutcome {
  line: number
  input: string
  outcome: 'created' | 'known' | 'changed' | 'rejected'
  scopeRuleId: string | null
  reason: string | null
}

/**
 * Creates one rule for each pattern that has none yet, in one transaction. Chosen rules are created all together or not
 * at all; a text is accepted or rejected per line.
 *
 * @throws ApiError CONFLICT for an archived engagement, beyond the limit, and for chosen rules whose pattern has
 *   another effect; VALIDATION_ERROR for too many lines, an invalid pattern of a chosen rule, and one pattern with two
 *   effects
 */
export const createScopeRules = async (
  { change, clock, config }: Writer,
  actor: Actor,
  reevaluateTargets: ReevaluateTargets,
  { engagementId, effect, text, rules: given }: Body<typeof contract.createScopeRules>,
): Promise<RuleOutcome[]> => {
  if (given ? effect !== undefined || text !== undefined : effect === undefined || text === undefined) {
    throw invalid('rules: send either rules, or effect and text')
  }
  const chosen = given ? await chosenFromRules(given) : await chosenFromText(text as string, effect as Effect)
  return change(async (tx) => {
    await asBodyFieldError(lockScope(tx, actor, config, engagementId))
    const { organizationId } = actor
    const rules = await listEngagementRules(tx, organizationId, engagementId)
    const now = clock.now()
    const applied = apply(chosen, rules, { isAllOrNothing: given !== undefined, newRuleId: () => newId('scp', now) })
    const { created, changed, outcomes } = applied
    if (created.length + changed.length === 0) return outcomes
    requireRuleQuota(config, rules.length + created.length)
    const times = { created_at: isoTime(now), updated_at: isoTime(now) }
    const row = { organization_id: organizationId, engagement_id: engagementId, ...times }
    await insertScopeRules(
      tx,
      created.map((rule) => ({ ...rule, ...row })),
    )
    await updateByEffect(tx, organizationId, changed, isoTime(now))
    const effects = new Map(changed.map(({ id, effect: to }) => [id, to]))
    await reevaluateTargets(
      tx,
      organizationId,
      engagementId,
      compileRules([...rules.map((rule) => ({ ...rule, effect: effects.get(rule.id) ?? rule.effect })), ...created]),
    )
    await recordAudit(tx, actor, clock, {
      action: 'scope-rules.created',
      object: { type: 'engagement', id: engagementId },
      engagementId,
      after: auditOf(created, changed),
    })
    for (const [which, of] of [
      ['created', created],
      ['updated', changed],
    ] as const) {
      if (of.length > 0) {
        await announceRules(
          tx,
          engagementId,
          of.map(({ id }) => id),
          which,
        )
      }
    }
    return outcomes
  })
}

interface NewRule extends ScopeRule {
  note: string
}

interface Applied {
  created: NewRule[]
  changed: ScopeRule[]
  outcomes: RuleOutcome[]
}

const apply = (
  chosen: readonly (ChosenRule | Unchosen)[],
  rules: readonly ScopeRule[],
  how: { isAllOrNothing: boolean; newRuleId: () => string },
): Applied => {
  const known = new Map(rules.map(({ pattern, id, effect }) => [pattern, { id, effect }]))
  const created: NewRule[] = []
  const changed: ScopeRule[] = []
  const outcomes = chosen.map((each): RuleOutcome => {
    const { line, input } = each
    if ('rejected' in each) return { line, input, outcome: 'rejected', scopeRuleId: null, reason: each.rejected }
    const { effect, kind, pattern, note, replaces } = each
    const there = known.get(pattern)
    if (there?.effect === effect) return { line, input, outcome: 'known', scopeRuleId: there.id, reason: null }
    if (there && there.effect === replaces) {
      changed.push({ id: there.id, effect, kind, pattern })
      known.set(pattern, { id: there.id, effect })
      return { line, input, outcome: 'changed', scopeRuleId: there.id, reason: null }
    }
    if (there) {
      const reason = `there is a rule for ${pattern} with the effect ${there.effect}: change that rule, or say which effect is replaced`
      if (how.isAllOrNothing)
        throw conflict(
          `There is a rule for ${pattern} with the effect ${there.effect}: change that rule, or say which effect is replaced.`,
        )
      return { line, input, outcome: 'rejected', scopeRuleId: null, reason }
    }
    const rule = { id: how.newRuleId(), effect, kind, pattern, note }
    known.set(pattern, rule)
    created.push(rule)
    return { line, input, outcome: 'created', scopeRuleId: rule.id, reason: null }
  })
  return { created, changed, outcomes }
}

const updateByEffect = async (
  tx: Transaction,
  organizationId: string,
  changed: readonly ScopeRule[],
  now: string,
): Promise<void> => {
  for (const [effect, of] of Map.groupBy(changed, (rule) => rule.effect)) {
    await updateEffects(
      tx,
      organizationId,
      of.map(({ id }) => id),
      effect,
      now,
    )
  }
}

/** Patterns that an audit entry names for each effect. */
const MAX_NAMED = 100

const auditOf = (created: readonly ScopeRule[], changed: readonly ScopeRule[]) => {
  const named = (rules: readonly ScopeRule[]) =>
    Object.fromEntries(
      [...Map.groupBy(rules, ({ effect }) => effect)].map(([effect, of]) => [
        effect,
        of.slice(0, MAX_NAMED).map(({ pattern }) => pattern),
      ]),
    )
  const effects = new Set(created.map(({ effect }) => effect))
  return {
    ...(effects.size === 1 && { effect: [...effects][0] }),
    created: created.length,
    patterns: effects.size > 1 ? named(created) : created.slice(0, MAX_NAMED).map(({ pattern }) => pattern),
    ...(changed.length > 0 && { changed: named(changed) }),
  }
}
