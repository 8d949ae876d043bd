import Type from 'typebox'
import { closedObject, endpoint, Id, Line, OneOf, one } from '../core/endpoint.ts'
import { selectionOf, withUndo } from '../core/lists.ts'
import { ENGAGEMENT_ARCHIVED, TASK_STATUSES } from '../core/values.ts'
import { targetList } from '../inventory/targets.ts'
import { OUTCOMES } from './tasks.ts'

const sums = closedObject(
  Object.fromEntries(OUTCOMES.map((outcome) => [outcome, Type.Integer({ minimum: 0 })])) as Record<
    (typeof OUTCOMES)[number],
    Type.TInteger
  >,
)
const NullableTargetId = Type.Unsafe<string | null>({
  ...Id('tgt'),
  type: ['string', 'null'],
  description: 'null: once for the engagement',
})

/** Outcomes of a methodology's items by target. */
export const Coverage = closedObject({
  methodologyId: Id('mth'),
  items: Type.Array(closedObject({ key: Type.String(), title: Type.String(), group: Type.String(), sums })),
  targets: Type.Array(
    closedObject({
      id: Id('tgt'),
      value: Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'null for readers without `targets:read`, and where the target was deleted',
      }),
      sums,
    }),
  ),
  cells: Type.Array(
    closedObject({
      itemKey: Type.String(),
      targetId: NullableTargetId,
      taskId: Id('tsk'),
      status: OneOf(TASK_STATUSES),
      outcome: OneOf(OUTCOMES),
    }),
  ),
  sums,
  missing: Type.Integer({
    minimum: 0,
    description: 'pairs of an item and an in-scope target that it applies to, without a task',
  }),
})

const NONE = { untested: 0, pass: 0, fail: 0, not_applicable: 0 }

export const getCoverage = endpoint({
  id: 'getCoverage',
  // An open matrix reads it again after each change, at most once a second.
  cost: { perHour: 12_000, atOnce: 4 },
  method: 'GET',
  path: '/engagements/:engagementId/coverage',
  scope: 'tasks:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Read the outcome of every check of a methodology on every target, as JSON or CSV.',
  params: closedObject({ engagementId: Id('eng') }),
  query: closedObject({ methodologyId: Id('mth'), format: Type.Optional(OneOf(['csv'])) }),
  reply: one(Coverage),
  produces: { byFormat: { csv: { type: 'text/csv; charset=utf-8', fileName: 'coverage.csv' } } },
  example: {
    reply: {
      data: {
        methodologyId: 'mth_01jd7w2v4pf1y8m3c6k9t0r5xz',
        items: [{ key: 'WEB-01', title: 'Password reset', group: 'Sign-in', sums: { ...NONE, pass: 1 } }],
        targets: [
          { id: 'tgt_01jd7w2v4pf1y8m3c6k9t0r5xz', value: 'https://portal.contoso.example', sums: { ...NONE, pass: 1 } },
        ],
        cells: [
          {
            itemKey: 'WEB-01',
            targetId: 'tgt_01jd7w2v4pf1y8m3c6k9t0r5xz',
            taskId: 'tsk_01jd7w2v4pf1y8m3c6k9t0r5xz',
            status: 'done',
            outcome: 'pass',
          },
        ],
        sums: { ...NONE, pass: 1 },
        missing: 3,
      },
    },
  },
})

const { ids, filter } = selectionOf(targetList, 'tgt')

export const expandMethodology = endpoint({
  id: 'expandMethodology',
  method: 'POST',
  path: '/methodologies/:methodologyId/expand',
  scope: 'tasks:write',
  about: 'either',
  origin: 'extension',
  summary: 'Create a task for each item and each target that it applies to.',
  description:
    'Existing tasks are kept, so that expanding again after adding targets creates only the missing tasks. Needs `targets:read` as well. `targets.filter` has the filters of the list of targets; `{}` means all of the engagement.',
  params: closedObject({ methodologyId: Id('mth') }),
  body: closedObject({
    engagementId: Id('eng'),
    targets: closedObject({
      ids,
      filter: Type.Optional(closedObject(Type.Partial(Type.Omit(filter, ['engagementId'])).properties)),
    }),
    itemKeys: Type.Optional(Type.Array(Line(64), { minItems: 1, maxItems: 1_000, description: 'only these items' })),
    dryRun: Type.Optional(Type.Boolean({ description: 'creates nothing, and answers how many it would create' })),
    ...withUndo('ids'),
  }),
  reply: one(
    closedObject({
      created: Type.Integer({ minimum: 0 }),
      existing: Type.Integer({ minimum: 0, description: 'that already existed' }),
      ids: Type.Optional(
        Type.Array(Id('tsk'), {
          description: 'the tasks that were created, for `POST /tasks/bulk-delete` with `ifUnchanged`',
        }),
      ),
    }),
  ),
  status: 201,
  conflicts: [
    ENGAGEMENT_ARCHIVED,
    'These items and targets would create more than 10000 new tasks: choose fewer.',
    'An engagement has at most 10000 tasks (TASK_LIMIT).',
  ],
  example: {
    body: { engagementId: 'eng_01jd7w2v4pf1y8m3c6k9t0r5xz', targets: { filter: { kind: ['url'] } } },
    reply: { data: { created: 97, existing: 0 } },
  },
})
