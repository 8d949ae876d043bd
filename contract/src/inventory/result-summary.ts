import Type from 'typebox'
import { closedObject, endpoint, Id, one } from '../core/endpoint.ts'
import { countsOf, RATINGS, zeros } from '../engagement/engagement-overview.ts'
import { RESULT_STATUSES } from './results.ts'

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
  vulnerabilities: closedObject(byRating(() => countsOf(RESULT_STATUSES))),
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
        targets: { inScope: 155, seen: 131 },
      },
    },
  },
})
