import * as contract from '@sortie/contract/scope-rules.ts'
import type { Static } from 'typebox'
import { type Route, route } from '../../platform/http/context.ts'
import { checkScope } from './check-scope.service.ts'
import { parseScopeRules } from './parse-scope.service.ts'
import { createScopeRules, type RuleOutcome } from './scope-bulk.service.ts'
import { deleteScopeRules, updateScopeRules } from './scope-selection.service.ts'
import { type ScopeRuleRow, scopeRuleList } from './scope.queries.ts'
import { createScopeRule, deleteScopeRule, type JudgeAnew, updateScopeRule } from './scope.service.ts'

export const scopeRoutes = (judgeAnew: JudgeAnew): Route[] => [
  route(contract.createScopeRule, async (context) => {
    const { actor, body } = context
    return { data: toScopeRule(await createScopeRule(context, actor, judgeAnew, { note: '', ...body })) }
  }),

  route(contract.listScopeRules, async (context) => {
    const { rows, meta } = await scopeRuleList.page(context, context.query)
    return { data: rows.map(toScopeRule), meta }
  }),

  route(contract.updateScopeRule, async (context) => {
    const { actor, params, body } = context
    const { effect, note, ifUpdatedAt } = body
    return { data: toScopeRule(await updateScopeRule(context, actor, judgeAnew, params.scopeRuleId, { effect, note, ifUpdatedAt })) }
  }),

  route(contract.deleteScopeRule, async (context) => {
    const { actor, params } = context
    await deleteScopeRule(context, actor, judgeAnew, params.scopeRuleId)
    return { data: { deleted: true, id: params.scopeRuleId } }
  }),

  route(contract.createScopeRules, async (context) => ({ data: summed(await createScopeRules(context, context.actor, judgeAnew, context.body)) })),

  route(contract.updateScopeRules, async (context) => {
    const { set, ...selection } = context.body
    return { data: { updated: await updateScopeRules(context, context.actor, judgeAnew, selection, set.effect) } }
  }),

  route(contract.deleteScopeRules, async (context) => ({ data: { deleted: await deleteScopeRules(context, context.actor, judgeAnew, context.body) } })),

  route(contract.parseScopeRules, async ({ db, actor, body }) => ({ data: { rules: await parseScopeRules(db, actor, body.engagementId, body.text) } })),

  route(contract.checkScope, async ({ db, actor, body }) => ({ data: await checkScope(db, actor, body.engagementId, body.values) })),
]

const summed = (lines: RuleOutcome[]) => {
  const count = (outcome: RuleOutcome['outcome']) => lines.filter((each) => each.outcome === outcome).length
  return { created: count('created'), known: count('known'), changed: count('changed'), rejected: count('rejected'), lines }
}

const toScopeRule = (row: ScopeRuleRow): Static<typeof contract.ScopeRule> => ({
  id: row.id,
  engagementId: row.engagement_id,
  effect: row.effect as (typeof contract.SCOPE_EFFECTS)[number],
  pattern: row.pattern,
  kind: row.kind as (typeof contract.SCOPE_RULE_KINDS)[number],
  note: row.note,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
