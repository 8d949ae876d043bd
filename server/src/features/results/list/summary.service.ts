import { RATINGS, SEVERITIES } from '@sortie/contract/core/values.ts'
import { zeros } from '@sortie/contract/engagement/engagement-overview.ts'
import { type ResultSummary, SUMMARY_WEEKS, noVulnerabilities } from '@sortie/contract/inventory/result-summary.ts'
import type Type from 'typebox'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Keys } from '../../../platform/crypto.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import { notFound } from '../../../platform/errors.ts'
import { findEngagement } from '../../engagements/engagements.queries.ts'
import { resultList } from '../results.queries.ts'
import { countNewByWeek, countSeenTargets, countVulnerabilities } from './overview.queries.ts'
import { toResult } from './result-rows.ts'

interface Requester {
  db: Database
  actor: Actor
  keys: Pick<Keys, 'cursor'>
}

const DAY_MS = 24 * 60 * 60 * 1_000

/** @param now in milliseconds since 1970 @throws ApiError NOT_FOUND */
export const getResultSummary = async (
  requester: Requester,
  engagementId: string,
  now: number,
): Promise<Type.Static<typeof ResultSummary>> => {
  const { db, actor } = requester
  const { organizationId } = actor
  if (!(await findEngagement(db, organizationId, engagementId))) throw notFound()
  const mondays = lastMondays(now)
  const [found, counted, targets, open] = await Promise.all([
    countNewByWeek(db, organizationId, engagementId, `${mondays[0]}T00:00:00.000Z`),
    countVulnerabilities(db, organizationId, engagementId),
    countSeenTargets(db, organizationId, engagementId),
    summarizeOpen(requester, engagementId),
  ])
  const countOf = (monday: string, isVulnerability: boolean) =>
    found.find(({ week, is_vulnerability }) => week === monday && is_vulnerability === isVulnerability)?.count ?? 0
  const vulnerabilities = noVulnerabilities()
  for (const { severity, status, count } of counted) {
    vulnerabilities[severity === null ? 'none' : (SEVERITIES[severity] as 'info')][status] += count
  }
  return {
    weeks: mondays.map((startsOn) => ({
      startsOn,
      vulnerabilities: countOf(startsOn, true),
      others: countOf(startsOn, false),
    })),
    vulnerabilities,
    open,
    targets,
  }
}

const WORST = 10

/** What is left to do: open and confirmed vulnerabilities, except those out of scope. */
const summarizeOpen = async (requester: Requester, engagementId: string) => {
  const wanted = {
    engagementId,
    kind: ['vulnerability'],
    status: ['open', 'confirmed'],
    verdict: ['in', 'caution', 'unknown'],
  }
  const { rows } = await resultList.page(requester, { ...wanted, sort: 'severity', order: 'desc', perPage: WORST })
  const { severity } = await resultList.facets(requester, { ...wanted, by: ['severity'] })
  return { bySeverity: { ...zeros(RATINGS), ...severity }, worst: rows.map(toResult) }
}

/** Mondays in UTC, the oldest first; the last one starts the week of `now`. */
const lastMondays = (now: number): string[] => {
  const sinceMonday = (new Date(now).getUTCDay() + 6) % 7
  return Array.from({ length: SUMMARY_WEEKS }, (_, index) => {
    const weeksAgo = SUMMARY_WEEKS - 1 - index
    return new Date(now - (sinceMonday + 7 * weeksAgo) * DAY_MS).toISOString().slice(0, 10)
  })
}
