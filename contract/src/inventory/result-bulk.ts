import Type from 'typebox'
import { closedObject, endpoint, Id, NullableDay, one, OneOf } from '../core/endpoint.ts'
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
import { ENGAGEMENT_ARCHIVED, RESULT_STATUSES, SEVERITIES } from '../core/values.ts'
import { EXAMPLE_ID, Notes, NullableOf, resultList, Tags } from './results.ts'

/** A change of one result that takes a bulk change back. */
export const ResultUndo = undoItem(
  'res',
  closedObject({
    status: Type.Optional(OneOf(RESULT_STATUSES)),
    severity: Type.Optional(NullableOf(SEVERITIES, 'null: none')),
    isSeveritySet: Type.Optional(
      Type.Boolean({ description: 'whether a person has set the severity, so that tools leave it' }),
    ),
    assigneeId: Type.Optional(Type.Unsafe<string | null>({ ...Id('usr'), type: ['string', 'null'] })),
    notes: Type.Optional(Notes),
    acceptedUntil: Type.Optional(NullableDay('only with the status accepted')),
    tags: Type.Optional(Tags),
  }),
)

export const bulkUpdateResults = endpoint({
  id: 'bulkUpdateResults',
  method: 'POST',
  path: '/results/bulk-update',
  scope: 'targets:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Change many results at once.',
  description:
    'Give exactly one of `ids` and `filter`. `status` and `acceptedUntil` change only the vulnerabilities among them.',
  body: closedObject({
    ...selectionOf(resultList, 'res'),
    set: closedObject({
      status: Type.Optional(OneOf(RESULT_STATUSES)),
      severity: Type.Optional(OneOf(SEVERITIES)),
      assigneeId: Type.Optional(Type.Unsafe<string | null>({ ...Id('usr'), type: ['string', 'null'] })),
      notes: Type.Optional(Notes),
      acceptedUntil: Type.Optional(NullableDay('only with the status accepted')),
      addTags: Type.Optional(Tags),
      removeTags: Type.Optional(Tags),
    }),
    ...withUndo('undo'),
  }),
  reply: one(
    closedObject({
      updated: Type.Integer({ minimum: 0 }),
      undo: Type.Optional(
        Type.Array(ResultUndo, {
          description: 'the former values of the results that changed, for `POST /results/bulk-revert`',
        }),
      ),
    }),
  ),
  conflicts: [ENGAGEMENT_ARCHIVED, TOO_MANY_MATCH],
  example: { body: { ids: [EXAMPLE_ID], set: { addTags: ['dmz'] } }, reply: { data: { updated: 1 } } },
})

export const bulkDeleteResults = endpoint({
  id: 'bulkDeleteResults',
  method: 'POST',
  path: '/results/bulk-delete',
  scope: 'targets:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Delete many results at once, also those that tools saw.',
  description:
    'For results that should not exist at all, such as the thousand ports of a tarpit. Results that still exist come back with the next import or scan. Deleted results stay in the trash for 30 days.',
  body: closedObject({ ...selectionOf(resultList, 'res'), ...withUndo('ids') }),
  reply: one(
    closedObject({
      deleted: Type.Integer({ minimum: 0 }),
      ids: Type.Optional(
        Type.Array(Id('res'), { description: 'those that were deleted, for `POST /results/bulk-restore`' }),
      ),
    }),
  ),
  conflicts: [ENGAGEMENT_ARCHIVED, TOO_MANY_MATCH],
  example: { body: { ids: [EXAMPLE_ID] }, reply: { data: { deleted: 1 } } },
})

export const revertResults = endpoint({
  id: 'revertResults',
  method: 'POST',
  path: '/results/bulk-revert',
  scope: 'targets:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Restore former values of results.',
  description:
    'Takes what a bulk change with `withUndo` returns, 1,000 rows at a time. A result that has changed since, or whose former assignee is no longer a member, is skipped.',
  body: closedObject({ items: undoItems(ResultUndo) }),
  bodyLimits: UNDO_BODY,
  reply: Reverted,
  status: 200,
  conflicts: [ENGAGEMENT_ARCHIVED],
  example: {
    body: {
      items: [{ id: EXAMPLE_ID, ifUpdatedAt: '2026-11-21T08:30:00.000Z', set: { status: 'open', tags: ['dmz'] } }],
    },
    reply: { data: { updated: 1, skipped: 0 } },
  },
})

export const restoreResults = endpoint({
  id: 'restoreResults',
  method: 'POST',
  path: '/results/bulk-restore',
  scope: 'targets:write',
  about: 'engagement',
  origin: 'extension',
  summary: 'Restore results from the trash.',
  description:
    'Takes `ids` or a `filter` of one engagement. A result that an import or a scan has reported again since is skipped.',
  body: closedObject(selectionOf(resultList, 'res')),
  reply: Restored,
  status: 200,
  conflicts: [ENGAGEMENT_ARCHIVED, TOO_MANY_MATCH, 'An engagement has at most 1000000 results (RESULT_LIMIT).'],
  example: { body: { ids: [EXAMPLE_ID] }, reply: { data: { restored: 1, skipped: 0 } } },
})
