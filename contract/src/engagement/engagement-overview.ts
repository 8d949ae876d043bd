import Type from 'typebox'
import { closedObject, endpoint, Id, Nullable, NullableString, NullableTimestamp, OneOf, one } from '../core/endpoint.ts'
import { TARGET_KINDS } from '../inventory/targets.ts'
import { Engagement, EngagementName, EXAMPLE_ENGAGEMENT } from './engagements.ts'
import { VERDICTS } from './scope-rules.ts'

export const RESULT_KINDS = [
  'host',
  'dns_record',
  'service',
  'http_response',
  'tls_certificate',
  'web_path',
  'technology',
  'vulnerability',
  'component',
] as const
/** `none`: unrated. */
export const RATINGS = ['none', 'info', 'low', 'medium', 'high', 'critical'] as const
export const VULNERABILITY_STATUSES = ['open', 'confirmed', 'false_positive', 'accepted', 'fixed'] as const
const TASK_STATUSES = ['open', 'in_progress', 'blocked', 'done', 'cancelled'] as const

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
    { byKind: closedObject(Object.fromEntries(RESULT_KINDS.map((kind) => [kind, present])) as { [K in (typeof RESULT_KINDS)[number]]: typeof present }) },
    'null without `targets:read`',
  ),
  vulnerabilities: Nullable({ bySeverity: countsOf(RATINGS), byStatus: countsOf(VULNERABILITY_STATUSES) }, 'null without `targets:read`'),
  tasks: Nullable({ byStatus: countsOf(TASK_STATUSES) }, 'null without `tasks:read`'),
  runningScans: Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0, description: 'null without `targets:read`' }),
  copying: Nullable(
    {
      from: Id('eng', 'the engagement that is copied'),
      part: OneOf(CLONE_PARTS, { description: 'what is being copied' }),
      state: OneOf(['running', 'failed']),
      reason: NullableString('why it ended before all was copied'),
    },
    'of a clone that is not all there; null otherwise',
  ),
  lastActivityAt: NullableTimestamp('of the newest change'),
})

export type Overview = Type.Static<typeof EngagementOverview>

/** The object of `countsOf` with all counts zero. */
export const zeros = <const W extends readonly string[]>(words: W) => Object.fromEntries(words.map((word) => [word, 0])) as { [K in W[number]]: number }

/** The overview of an empty engagement. */
export const EMPTY_OVERVIEW: Overview = {
  targets: { byKind: zeros(TARGET_KINDS), byVerdict: zeros(VERDICTS) },
  results: {
    byKind: Object.fromEntries(RESULT_KINDS.map((kind) => [kind, { present: 0, gone: 0 }])) as NonNullable<Overview['results']>['byKind'],
  },
  vulnerabilities: { bySeverity: zeros(RATINGS), byStatus: zeros(VULNERABILITY_STATUSES) },
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
  description: 'What the caller’s scopes do not read is `null`.',
  params: OfEngagement,
  reply: one(EngagementOverview),
  example: {
    reply: {
      data: {
        ...EMPTY_OVERVIEW,
        targets: { byKind: { ...zeros(TARGET_KINDS), domain: 40, ip: 120 }, byVerdict: { in: 155, out: 4, caution: 1, unknown: 0 } },
        lastActivityAt: '2026-11-21T08:30:00.000Z',
      },
    },
  },
})

export const cloneEngagement = endpoint({
  id: 'cloneEngagement',
  method: 'POST',
  path: '/engagements/:engagementId/clone',
  scope: 'setting:ENGAGEMENT_WRITE_SCOPE',
  about: 'organization',
  origin: 'extension',
  summary: 'Create an engagement from another one.',
  description:
    'A retest starts here. Access, lead and team always come along, so that a closed engagement never opens by being cloned; everything else as `include` says. Most are copied whole before the answer; of a large one the rest follows, and `copying` of its overview says how far it is. A key that is limited to engagements may not clone any.',
  params: OfEngagement,
  body: closedObject({
    name: EngagementName,
    include: Type.Array(OneOf(CLONE_PARTS), { maxItems: CLONE_PARTS.length, uniqueItems: true, description: 'what is copied' }),
  }),
  // A wiki is copied as a whole.
  worksFor: { seconds: 300 },
  reply: one(Engagement),
  status: 201,
  conflicts: [
    'An engagement has at most 1000000 results (RESULT_LIMIT).',
    'This organization may store 21474836480 bytes, its files included: delete some first.',
  ],
  example: {
    body: { name: 'Contoso retest 2027', include: ['details', 'scope', 'targets'] },
    reply: { data: { ...EXAMPLE_ENGAGEMENT, name: 'Contoso retest 2027' } },
  },
})
