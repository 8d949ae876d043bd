import Type from 'typebox'
import { closedObject, endpoint, Id, one } from './endpoint.ts'
import { RESULT_STATUSES, SEVERITIES } from './results.ts'

const Count = Type.Integer({ minimum: 0 })
const RATINGS = [...SEVERITIES, 'none'] as const

/** A word for each, and a value that is made anew for each. */
const each = <const W extends string, V>(words: readonly W[], value: () => V) => Object.fromEntries(words.map((word) => [word, value()])) as Record<W, V>

export const ResultSummary = closedObject({
  weeks: Type.Array(
    closedObject({
      startsOn: Type.String({ format: 'date', description: 'a Monday, in UTC' }),
      vulnerabilities: Count,
      others: Type.Integer({ minimum: 0, description: 'first seen in that week, of all other kinds' }),
    }),
    { description: 'the last 12, the oldest first; results by when they were first seen' },
  ),
  vulnerabilities: closedObject(each(RATINGS, () => closedObject(each(RESULT_STATUSES, () => Count)))),
  targets: closedObject({
    inScope: Type.Integer({ minimum: 0, description: 'targets whose verdict is `in` or `caution`' }),
    seen: Type.Integer({ minimum: 0, description: 'those of them that a scan or an import has seen' }),
  }),
})

/** How many weeks a summary goes back. */
export const SUMMARY_WEEKS = 12

/** Vulnerabilities of an engagement without any, by severity and status. */
export const noVulnerabilities = () => each(RATINGS, () => each(RESULT_STATUSES, () => 0))

export const getResultSummary = endpoint({
  id: 'getResultSummary',
  method: 'GET',
  path: '/results/summary',
  scope: 'targets:read',
  origin: 'extension',
  summary: 'Summarize what was found in an engagement, what is still open, and what was looked at.',
  query: closedObject({ engagementId: Id('eng') }),
  reply: one(ResultSummary),
  example: {
    reply: {
      data: {
        weeks: [{ startsOn: '2026-11-16', vulnerabilities: 4, others: 120 }],
        vulnerabilities: { ...noVulnerabilities(), high: { open: 2, confirmed: 1, false_positive: 0, accepted: 0, fixed: 1 } },
        targets: { inScope: 155, seen: 131 },
      },
    },
  },
})
