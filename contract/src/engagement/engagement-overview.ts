import Type from 'typebox'
import {
  closedObject,
  endpoint,
  Id,
  Nullable,
  NullableString,
  NullableTimestamp,
  OneOf,
  one,
} from '../core/endpoint.ts'
import { RATINGS, RESULT_KINDS, RESULT_STATUSES, TARGET_KINDS, TASK_STATUSES, VERDICTS } from '../core/values.ts'
import { EngagementDetailsChange } from './engagement-details.ts'
import { Engagement, EngagementName, EXAMPLE_ENGAGEMENT } from './engagements.ts'

/** Parts that a clone can include. */
export const CLONE_PARTS = ['details', 'scope', 'targets', 'tasks', 'wiki', 'requests', 'vulnerabilities'] as const

const Count = Type.Integer({ minimum: 0 })
/** An object with a number for each word. */
export const countsOf = <const W extends readonly string[]>(words: W) => {
  const counts = Object.fromEntries(words.map((word) => [word, Count])) as { [K in W[number]]: typeof Count }
  return closedObject(counts)
}
const present = closedObject({ present: Count, gone: Count })

export const EngagementOverview = closedObject({
  targets: Nullable({ byKind: countsOf(TARGET_KINDS), byVerdict: countsOf(VERDICTS) }, 'null without `targets:read`'),
  results: Nullable(
    {
      byKind: closedObject(
        Object.fromEntries(RESULT_KINDS.map((kind) => [kind, present])) as {
          [K in (typeof RESULT_KINDS)[number]]: typeof present
        },
      ),
    },
    'null without `targets:read`',
  ),
  vulnerabilities: Nullable(
    { bySeverity: countsOf(RATINGS), byStatus: countsOf(RESULT_STATUSES) },
    'null without `targets:read`',
  ),
  tasks: Nullable({ byStatus: countsOf(TASK_STATUSES) }, 'null without `tasks:read`'),
  runningScans: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 0,
    description: 'null without `targets:read`',
  }),
  copying: Nullable(
    {
      from: Id('eng', 'the engagement that is copied'),
      part: OneOf(CLONE_PARTS, { description: 'what is being copied' }),
      state: OneOf(['running', 'failed']),
      reason: NullableString('why it ended before everything was copied'),
    },
    'of a clone that is not complete; null otherwise',
  ),
  lastActivityAt: NullableTimestamp('of the newest change'),
})

export type Overview = Type.Static<typeof EngagementOverview>

/** The object of `countsOf` with all counts zero. */
export const zeros = <const W extends readonly string[]>(words: W) =>
  Object.fromEntries(words.map((word) => [word, 0])) as { [K in W[number]]: number }

/** The overview of an empty engagement. */
export const EMPTY_OVERVIEW: Overview = {
  targets: { byKind: zeros(TARGET_KINDS), byVerdict: zeros(VERDICTS) },
  results: {
    byKind: Object.fromEntries(RESULT_KINDS.map((kind) => [kind, { present: 0, gone: 0 }])) as NonNullable<
      Overview['results']
    >['byKind'],
  },
  vulnerabilities: { bySeverity: zeros(RATINGS), byStatus: zeros(RESULT_STATUSES) },
  tasks: { byStatus: zeros(TASK_STATUSES) },
  runningScans: 0,
  copying: null,
  lastActivityAt: null,
}

const OfEngagement = closedObject({ engagementId: Id('eng') })

export const getEngagementOverview = endpoint({
  id: 'getEngagementOverview',
  method: 'GET',
  path: '/engagements/:engagementId/overview',
  scope: 'setting:ENGAGEMENT_READ_SCOPE',
  about: 'engagement',
  origin: 'extension',
  summary: 'Count what is in an engagement.',
  description: 'Counts that the caller’s scopes cannot read are `null`.',
  params: OfEngagement,
  reply: one(EngagementOverview),
  example: {
    reply: {
      data: {
        ...EMPTY_OVERVIEW,
        targets: {
          byKind: { ...zeros(TARGET_KINDS), domain: 40, ip: 120 },
          byVerdict: { in: 155, out: 4, caution: 1, unknown: 0 },
        },
        lastActivityAt: '2026-11-21T08:30:00.000Z',
      },
    },
  },
})

export const cloneEngagement = endpoint({
  id: 'cloneEngagement',
  method: 'POST',
  path: '/engagements/:engagementId/clone',
  scope: 'member-or-key:ENGAGEMENT_WRITE_SCOPE',
  about: 'organization',
  origin: 'extension',
  summary: 'Create an engagement from another one.',
  description:
    'Use this for a retest, for example. Access, lead and team are always copied, so that cloning never widens access; everything else depends on `include`. `details` replace what is copied; the copy of an engagement that only its team sees is visible to its team only. Most engagements are copied completely before the response; the rest of a large one follows, and `copying` in its overview shows the progress. A key that is limited to engagements may not clone any.',
  params: OfEngagement,
  body: closedObject({
    name: EngagementName,
    include: Type.Array(OneOf(CLONE_PARTS), {
      maxItems: CLONE_PARTS.length,
      uniqueItems: true,
      description: 'what is copied',
    }),
    details: Type.Optional(EngagementDetailsChange),
  }),
  // A wiki is copied as a whole.
  responseTimeout: { seconds: 300 },
  reply: one(Engagement),
  status: 201,
  conflicts: [
    'An engagement has at most 1000000 results (RESULT_LIMIT).',
    'This organization may store 21474836480 bytes, including its files: delete some first.',
  ],
  example: {
    body: { name: 'Contoso retest 2027', include: ['details', 'scope', 'targets'] },
    reply: { data: { ...EXAMPLE_ENGAGEMENT, name: 'Contoso retest 2027' } },
  },
})
