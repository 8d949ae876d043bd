import Type from 'typebox'
import { closedObject, endpoint, Id, one, OneOf } from '../core/endpoint.ts'
import {
  Restored,
  Reverted,
  selectionOf,
  TOO_MANY_MATCH,
  UNDO_BODY,
  undoItem,
  undoItems,
  withUndo,
} from '../core/lists.ts'
import { ENGAGEMENT_ARCHIVED } from '../core/values.ts'
import { EXAMPLE_RULE, SCOPE_EFFECTS, scopeRuleList, WHO_WRITES } from './scope-rules.ts'

/** A change of one rule that takes a bulk change back. */
export const ScopeRuleUndo = undoItem('scp', closedObject({ effect: OneOf(SCOPE_EFFECTS) }))

export const bulkUpdateScopeRules = endpoint({
  id: 'bulkUpdateScopeRules',
  method: 'POST',
  path: '/scope-rules/bulk-update',
  scope: 'member-or-key:ENGAGEMENT_WRITE_SCOPE',
  about: 'engagement',
  origin: 'extension',
  summary: 'Change the effect of many scope rules.',
  description: `${WHO_WRITES} Takes \`ids\` or a \`filter\` of one engagement. Unknown ids are not counted, nor are rules that already have the effect.`,
  body: closedObject({
    ...selectionOf(scopeRuleList, 'scp'),
    set: closedObject({ effect: OneOf(SCOPE_EFFECTS) }),
    ...withUndo('undo'),
  }),
  reply: one(
    closedObject({
      updated: Type.Integer({ minimum: 0 }),
      undo: Type.Optional(
        Type.Array(ScopeRuleUndo, {
          description: 'the former effects of the rules that changed, for `POST /scope-rules/bulk-revert`',
        }),
      ),
    }),
  ),
  conflicts: [ENGAGEMENT_ARCHIVED, TOO_MANY_MATCH],
  example: { body: { ids: [EXAMPLE_RULE.id], set: { effect: 'deny' } }, reply: { data: { updated: 1 } } },
})

export const bulkDeleteScopeRules = endpoint({
  id: 'bulkDeleteScopeRules',
  method: 'POST',
  path: '/scope-rules/bulk-delete',
  scope: 'member-or-key:ENGAGEMENT_WRITE_SCOPE',
  about: 'engagement',
  origin: 'extension',
  summary: 'Delete many scope rules.',
  description: `${WHO_WRITES} Takes \`ids\` or a \`filter\` of one engagement. Unknown ids are not counted. Rules stay in the trash for 30 days and have no effect there.`,
  body: closedObject({ ...selectionOf(scopeRuleList, 'scp'), ...withUndo('ids') }),
  reply: one(
    closedObject({
      deleted: Type.Integer({ minimum: 0 }),
      ids: Type.Optional(
        Type.Array(Id('scp'), { description: 'those that were deleted, for `POST /scope-rules/bulk-restore`' }),
      ),
    }),
  ),
  conflicts: [ENGAGEMENT_ARCHIVED, TOO_MANY_MATCH],
  example: { body: { ids: [EXAMPLE_RULE.id] }, reply: { data: { deleted: 1 } } },
})

export const revertScopeRules = endpoint({
  id: 'revertScopeRules',
  method: 'POST',
  path: '/scope-rules/bulk-revert',
  scope: 'member-or-key:ENGAGEMENT_WRITE_SCOPE',
  about: 'engagement',
  origin: 'extension',
  summary: 'Restore the former effect of scope rules.',
  description: `${WHO_WRITES} Takes what a bulk change with \`withUndo\` returns. A rule that has changed since is skipped. Every target of the engagement is evaluated again before this answers.`,
  body: closedObject({ items: undoItems(ScopeRuleUndo) }),
  bodyLimits: UNDO_BODY,
  reply: Reverted,
  status: 200,
  conflicts: [ENGAGEMENT_ARCHIVED],
  example: {
    body: { items: [{ id: EXAMPLE_RULE.id, ifUpdatedAt: EXAMPLE_RULE.updatedAt, set: { effect: 'deny' } }] },
    reply: { data: { updated: 1, skipped: 0 } },
  },
})

export const restoreScopeRules = endpoint({
  id: 'restoreScopeRules',
  method: 'POST',
  path: '/scope-rules/bulk-restore',
  scope: 'member-or-key:ENGAGEMENT_WRITE_SCOPE',
  about: 'engagement',
  origin: 'extension',
  summary: 'Restore scope rules from the trash.',
  description: `${WHO_WRITES} Takes \`ids\` or a \`filter\` of one engagement. A rule is skipped if another rule has its pattern by now. This is a change of the scope, as creating the rules is: every target of the engagement is evaluated again before this answers.`,
  body: closedObject(selectionOf(scopeRuleList, 'scp')),
  reply: Restored,
  status: 200,
  conflicts: [ENGAGEMENT_ARCHIVED, TOO_MANY_MATCH, 'An engagement has at most 2000 scope rules (SCOPE_RULE_LIMIT).'],
  example: { body: { ids: [EXAMPLE_RULE.id] }, reply: { data: { restored: 1, skipped: 0 } } },
})
