import Type from 'typebox'
import { Id, closedObject, endpoint, one } from '../core/endpoint.ts'
import { RATINGS, RESULT_STATUSES } from '../core/values.ts'
import { countsOf, zeros } from '../engagement/engagement-overview.ts'
import { Result } from './results.ts'

const Count = Type.Integer({ minimum: 0 })

const byRating = <V>(value: () => V) =>
  Object.fromEntries(RATINGS.map((rating) => [rating, value()])) as Record<(typeof RATINGS)[number], V>

export const ResultSummary = closedObject({
  weeks: Type.Array(
    closedObject({
      startsOn: Type.String({ format: 'date', description: 'a Monday, in UTC' }),
      vulnerabilities: Count,
      others: Type.Integer({ minimum: 0, description: 'first seen in that week, of all other kinds' }),
    }),
    { description: 'the last 12, the oldest first; results by when they were first seen' },
  ),
  vulnerabilities: closedObject(
    byRating(() => countsOf(RESULT_STATUSES)),
    { description: 'those that are not out of scope' },
  ),
  open: closedObject(
    {
      bySeverity: countsOf(RATINGS),
      worst: Type.Array(Result, { maxItems: 10, description: 'worst first' }),
    },
    { description: 'vulnerabilities that are open or confirmed and not out of scope' },
  ),
  targets: closedObject({
    inScope: Type.Integer({ minimum: 0, description: 'targets whose verdict is `in` or `caution`' }),
    seen: Type.Integer({ minimum: 0, description: 'those of them that a scan or an import has seen' }),
  }),
})

/** Number of weeks in a summary. */
export const SUMMARY_WEEKS = 12

/** Vulnerability counts of an engagement without any, by severity and status. */
export const noVulnerabilities = () => byRating(() => zeros(RESULT_STATUSES))

export const getResultSummary = endpoint({
  id: 'getResultSummary',
  method: 'GET',
  path: '/results/summary',
  scope: 'targets:read',
  about: 'engagement',
  origin: 'extension',
  summary: 'Summarize findings per week, open findings and target coverage of an engagement.',
  query: closedObject({ engagementId: Id('eng') }),
  reply: one(ResultSummary),
  example: {
    reply: {
      data: {
        weeks: [{ startsOn: '2026-11-16', vulnerabilities: 4, others: 120 }],
        vulnerabilities: {
          ...noVulnerabilities(),
          high: { open: 2, confirmed: 1, false_positive: 0, accepted: 0, fixed: 1 },
        },
        open: { bySeverity: { ...zeros(RATINGS), high: 3 }, worst: [] },
        targets: { inScope: 155, seen: 131 },
      },
    },
  },
})
