import * as bulk from '@sortie/contract/engagement/scope-bulk.ts'
import * as contract from '@sortie/contract/engagement/scope-rules.ts'
import type { Static } from 'typebox'
import { type Route, route } from '../../platform/http/routes/route.ts'
import { readAsAsked } from '../../platform/lists/trash.ts'
import { parseScopeRules } from './bulk/parse-scope.service.ts'
import { type RuleOutcome, createScopeRules } from './bulk/scope-bulk.service.ts'
import { checkScope, type ReadSendingState } from './check-scope.service.ts'
import { bulkDeleteScopeRules, bulkUpdateScopeRules } from './scope-selection.service.ts'
import { type ScopeRuleRow, scopeRuleList } from './scope.queries.ts'
import { createScopeRule, deleteScopeRule, type ReevaluateTargets, updateScopeRule } from './scope.service.ts'
import { restoreScopeRules, revertScopeRules } from './undo/undo.service.ts'

export const scopeRoutes = (reevaluateTargets: ReevaluateTargets, readSendingState: ReadSendingState): Route[] => [
  route(contract.createScopeRule, async (context) => {
    const { actor, body } = context
    return { data: toScopeRule(await createScopeRule(context, actor, reevaluateTargets, { note: '', ...body })) }
  }),

  route(contract.listScopeRules, async (context) => {
    const { rows, meta } = await readAsAsked(context, context.query.trashed, (asked) =>
      scopeRuleList.page(asked, context.query),
    )
    return { data: rows.map(toScopeRule), meta }
  }),

  route(contract.updateScopeRule, async (context) => {
    const { actor, params, body } = context
    const { effect, note, ifUpdatedAt } = body
    return {
      data: toScopeRule(
        await updateScopeRule(context, actor, reevaluateTargets, params.scopeRuleId, { effect, note, ifUpdatedAt }),
      ),
    }
  }),

  route(contract.deleteScopeRule, async (context) => {
    const { actor, params } = context
    await deleteScopeRule(context, actor, reevaluateTargets, params.scopeRuleId)
    return { data: { deleted: true, id: params.scopeRuleId } }
  }),

  route(contract.createScopeRules, async (context) => ({
    data: summed(await createScopeRules(context, context.actor, reevaluateTargets, context.body)),
  })),

  route(bulk.bulkUpdateScopeRules, async (context) => {
    const { set, withUndo, ...selection } = context.body
    const former = await bulkUpdateScopeRules(context, context.actor, reevaluateTargets, selection, set.effect)
    const undoItems = former.map(({ id, updatedAt, effect }) => ({ id, ifUpdatedAt: updatedAt, set: { effect } }))
    return { data: { updated: former.length, ...(withUndo && { undo: undoItems }) } }
  }),

  route(bulk.bulkDeleteScopeRules, async (context) => {
    const { withUndo, ...selection } = context.body
    const ids = await bulkDeleteScopeRules(context, context.actor, reevaluateTargets, selection)
    return { data: { deleted: ids.length, ...(withUndo && { ids }) } }
  }),

  route(bulk.revertScopeRules, async (context) => ({
    data: await revertScopeRules(context, context.actor, reevaluateTargets, context.body.items),
  })),

  route(bulk.restoreScopeRules, async (context) => ({
    data: await restoreScopeRules(context, context.actor, reevaluateTargets, context.body),
  })),

  route(contract.parseScopeRules, async ({ db, actor, body }) => ({
    data: { rules: await parseScopeRules(db, actor, body.engagementId, body.text) },
  })),

  route(contract.checkScope, async ({ db, actor, clock, body: { engagementId, values } }) => ({
    data: await checkScope(db, actor, engagementId, values),
    meta: { engagement: await readSendingState(db, actor.organizationId, engagementId, clock.now()) },
  })),
]

const summed = (lines: RuleOutcome[]) => {
  const count = (outcome: RuleOutcome['outcome']) => lines.filter((each) => each.outcome === outcome).length
  return {
    created: count('created'),
    known: count('known'),
    changed: count('changed'),
    rejected: count('rejected'),
    lines,
  }
}

const toScopeRule = (row: ScopeRuleRow): Static<typeof contract.ScopeRule> => ({
  id: row.id,
  engagementId: row.engagement_id,
  effect: row.effect,
  pattern: row.pattern,
  kind: row.kind,
  note: row.note,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  trashedAt: row.trashed_at,
})
