import { noVulnerabilities, type ResultSummary, SUMMARY_WEEKS } from '@sortie/contract/inventory/result-summary.ts'
import type Type from 'typebox'
import type { Database } from '../../../platform/database/connection/open.ts'
import { notFound } from '../../../platform/errors.ts'
import { findEngagement } from '../../engagements/engagements.queries.ts'
import { SEVERITIES } from '../../inventory/sightings/severities.ts'
import { countNewByWeek, countSeenTargets, countVulnerabilities } from './overview.queries.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

/** @param now in milliseconds since 1970 @throws ApiError NOT_FOUND */
export const getResultSummary = async (
  db: Database,
  organizationId: string,
  engagementId: string,
  now: number,
): Promise<Type.Static<typeof ResultSummary>> => {
  if (!(await findEngagement(db, organizationId, engagementId))) throw notFound()
  const mondays = lastMondays(now)
  const [found, counted, targets] = await Promise.all([
    countNewByWeek(db, organizationId, engagementId, `${mondays[0]}T00:00:00.000Z`),
    countVulnerabilities(db, organizationId, engagementId),
    countSeenTargets(db, organizationId, engagementId),
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
    targets,
  }
}

/** Mondays in UTC, the oldest first; the last one starts the week of `now`. */
const lastMondays = (now: number): string[] => {
  const sinceMonday = (new Date(now).getUTCDay() + 6) % 7
  return Array.from({ length: SUMMARY_WEEKS }, (_, index) => {
    const weeksAgo = SUMMARY_WEEKS - 1 - index
    return new Date(now - (sinceMonday + 7 * weeksAgo) * DAY_MS).toISOString().slice(0, 10)
  })
}
