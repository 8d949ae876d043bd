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
import { ONE_ENGAGEMENT_ARCHIVED } from '../core/values.ts'
import { CRITICALITIES, EXAMPLE_TARGET, Tags, targetList } from './targets.ts'

/** A change of one target that takes a bulk change back. */
export const TargetUndo = undoItem(
  'tgt',
  closedObject({
    criticality: Type.Optional(OneOf(CRITICALITIES)),
    tags: Type.Optional(Tags('replace the tags that it has')),
  }),
)

export const bulkUpdateTargets = endpoint({
  id: 'bulkUpdateTargets',
  method: 'POST',
  path: '/targets/bulk-update',
  scope: 'targets:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Change many targets.',
  description: 'Takes `ids` or a `filter` of one engagement. Unknown ids are not counted.',
  body: closedObject({
    ...selectionOf(targetList, 'tgt'),
    set: closedObject({
      criticality: Type.Optional(OneOf(CRITICALITIES)),
      addTags: Type.Optional(Tags('existing tags of a target are kept')),
      removeTags: Type.Optional(Tags('removed before others are added')),
    }),
    ...withUndo('undo'),
  }),
  reply: one(
    closedObject({
      updated: Type.Integer({ minimum: 0 }),
      undo: Type.Optional(
        Type.Array(TargetUndo, {
          description: 'the former values of the targets that changed, for `POST /targets/bulk-revert`',
        }),
      ),
    }),
  ),
  conflicts: [ONE_ENGAGEMENT_ARCHIVED, TOO_MANY_MATCH, 'A target has at most 50 tags.'],
  example: {
    body: { filter: { engagementId: EXAMPLE_TARGET.engagementId, verdict: ['in'] }, set: { addTags: ['wave-1'] } },
    reply: { data: { updated: 120 } },
  },
})

export const bulkDeleteTargets = endpoint({
  id: 'bulkDeleteTargets',
  method: 'POST',
  path: '/targets/bulk-delete',
  scope: 'targets:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Delete many targets.',
  description:
    'Takes `ids` or a `filter` of one engagement. Unknown ids are not counted. Children of deleted targets are kept, without a parent. Deleted targets stay in the trash for 30 days.',
  body: closedObject({ ...selectionOf(targetList, 'tgt'), ...withUndo('ids') }),
  reply: one(
    closedObject({
      deleted: Type.Integer({ minimum: 0 }),
      ids: Type.Optional(
        Type.Array(Id('tgt'), { description: 'those that were deleted, for `POST /targets/bulk-restore`' }),
      ),
    }),
  ),
  conflicts: [ONE_ENGAGEMENT_ARCHIVED, TOO_MANY_MATCH],
  example: { body: { ids: [EXAMPLE_TARGET.id] }, reply: { data: { deleted: 1 } } },
})

export const revertTargets = endpoint({
  id: 'revertTargets',
  method: 'POST',
  path: '/targets/bulk-revert',
  scope: 'targets:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Restore former values of targets.',
  description:
    'Takes what a bulk change with `withUndo` returns, 1,000 rows at a time. A target that has changed since is skipped.',
  body: closedObject({ items: undoItems(TargetUndo) }),
  bodyLimits: UNDO_BODY,
  reply: Reverted,
  status: 200,
  conflicts: [ONE_ENGAGEMENT_ARCHIVED],
  example: {
    body: { items: [{ id: EXAMPLE_TARGET.id, ifUpdatedAt: EXAMPLE_TARGET.updatedAt, set: { criticality: 'low' } }] },
    reply: { data: { updated: 1, skipped: 0 } },
  },
})

export const restoreTargets = endpoint({
  id: 'restoreTargets',
  method: 'POST',
  path: '/targets/bulk-restore',
  scope: 'targets:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Restore targets from the trash.',
  description:
    'Takes `ids` or a `filter` of one engagement. They get back their results and the targets below them, unless these belong to others by now, and are evaluated against the current scope rules. A target that exists again is skipped.',
  body: closedObject(selectionOf(targetList, 'tgt')),
  reply: Restored,
  status: 200,
  conflicts: [ONE_ENGAGEMENT_ARCHIVED, TOO_MANY_MATCH, 'An engagement has at most 100000 targets (TARGET_LIMIT).'],
  example: { body: { ids: [EXAMPLE_TARGET.id] }, reply: { data: { restored: 1, skipped: 0 } } },
})
