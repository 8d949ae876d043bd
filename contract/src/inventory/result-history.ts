import Type from 'typebox'
import { CursorMeta, closedObject, endpoint, Id, list, OneOf, Timestamp } from '../core/endpoint.ts'
import { AnyOf } from '../core/lists.ts'
import { RESULT_KINDS } from '../core/values.ts'
import { EXAMPLE_RESULT, Result } from './results.ts'

const OBSERVED_CHANGES = ['created', 'unchanged', 'changed', 'gone', 'reappeared', 'older'] as const
export const DIFF_CHANGES = ['new', 'changed', 'gone', 'reappeared'] as const

const NullableSnapshot = (description: string) =>
  Type.Unsafe<Record<string, unknown> | null>({ type: ['object', 'null'], additionalProperties: true, description })

export const Observation = closedObject({
  source: closedObject({ kind: OneOf(['import', 'scan', 'person']), id: Type.String() }),
  change: OneOf(OBSERVED_CHANGES),
  seenAt: Timestamp(),
  before: NullableSnapshot('the changed fields before; null if none'),
  after: NullableSnapshot('the changed fields after'),
})

export const listObservations = endpoint({
  id: 'listObservations',
  method: 'GET',
  path: '/results/:resultId/observations',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'List who saw a result, newest first.',
  description: 'The last 200.',
  params: closedObject({ resultId: Id('res') }),
  reply: list(Observation),
  example: {
    reply: {
      data: [
        {
          source: { kind: 'import', id: 'imp_01jd7w2v4pf1y8m3c6k9t0r5xz' },
          change: 'created',
          seenAt: '2026-11-21T08:30:00.000Z',
          before: null,
          after: { state: 'present' },
        },
      ],
    },
  },
})

export const DiffRow = closedObject({
  change: OneOf(DIFF_CHANGES),
  result: Result,
  before: NullableSnapshot('null: it did not exist'),
  after: NullableSnapshot('null: it does not exist'),
})

/** A time, or the id of an import or scan: the state directly after it. */
export const Moment = Type.String({
  pattern: '^(?:\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z|(?:imp|scn)_[0-9a-z]{26})$',
  maxLength: 30,
  examples: ['2026-11-21T08:30:00.000Z'],
})

export const diffResults = endpoint({
  id: 'diffResults',
  method: 'GET',
  path: '/results/diff',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Compare the inventory of an engagement at two moments.',
  description:
    '`from` and `to` are times, or ids of scans or imports: the state right after them. Without `to` it is compared with now.',
  query: closedObject({
    engagementId: Id('eng'),
    from: Moment,
    to: Type.Optional(Moment),
    kind: Type.Optional(AnyOf(RESULT_KINDS)),
    cursor: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'meta.nextCursor of the previous page' }),
    ),
    perPage: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  }),
  reply: closedObject({
    data: Type.Array(DiffRow),
    meta: closedObject({
      ...CursorMeta.properties,
      summary: closedObject(
        Object.fromEntries(DIFF_CHANGES.map((change) => [change, Type.Integer({ minimum: 0 })])) as Record<
          (typeof DIFF_CHANGES)[number],
          Type.TInteger
        >,
      ),
    }),
  }),
  example: {
    reply: {
      data: [
        {
          change: 'new',
          result: EXAMPLE_RESULT,
          before: null,
          after: { state: 'present', title: EXAMPLE_RESULT.title },
        },
      ],
      meta: { perPage: 20, nextCursor: null, summary: { new: 1, changed: 0, gone: 0, reappeared: 0 } },
    },
  },
})
