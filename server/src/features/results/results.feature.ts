import { SEVERITIES } from '@sortie/contract/core/values.ts'
import { EMPTY_OVERVIEW, type Overview } from '@sortie/contract/engagement/engagement-overview.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import { withoutHeldRows } from '../../platform/database/every-row.ts'
import { EVERY_ORGANIZATION, SYSTEM } from '../../platform/database/scope/tenant-scope.ts'
import { housekeepingJob } from '../../platform/feature.ts'
import type { ProductFeature } from '../engagements/parts.ts'
import { cloneVulnerabilities } from './clone/clone-vulnerabilities.service.ts'
import { summarizeResults } from './list/overview.queries.ts'
import { resultTitles } from './list/result-titles.ts'
import { resultSearch } from './list/search-results.queries.ts'
import { pruneObservations, pruneObservationsJob } from './results.jobs.ts'
import { reopenExpired } from './results.queries.ts'
import { evidenceRoutes, resultRoutes } from './results.routes.ts'
import { emptyResultTrash } from './undo/undo.service.ts'

export const results: ProductFeature = {
  name: 'results',
  routes: () => [...resultRoutes, ...evidenceRoutes],
  jobs: [housekeepingJob(pruneObservationsJob, (worker) => pruneObservations(withoutHeldRows(worker)), '37 3 * * *')],
  titles: resultTitles,
  search: resultSearch,
  cleanUp: async (platform) => {
    const now = isoTime(platform.clock.now())
    // Also on legal hold: it deletes nothing.
    await reopenExpired(platform.scopedTo(EVERY_ORGANIZATION, SYSTEM), now.slice(0, 10), now)
    await emptyResultTrash(platform)
  },
  engagementPart: {
    overview: {
      scope: 'targets:read',
      count: (db, organizationId, engagementId) => countsOf(db, organizationId, engagementId),
    },
    clone: { part: 'vulnerabilities', copy: cloneVulnerabilities },
  },
}

const countsOf = async (
  db: Database,
  organizationId: string,
  engagementId: string,
): Promise<Pick<Overview, 'results' | 'vulnerabilities'>> => {
  const counts = structuredClone({
    results: EMPTY_OVERVIEW.results,
    vulnerabilities: EMPTY_OVERVIEW.vulnerabilities,
  }) as Required<NonNullableParts>
  for (const { kind, state, severity, status, count } of await summarizeResults(db, organizationId, engagementId)) {
    const ofKind = counts.results.byKind[kind]
    ofKind[state] += count
    // Only vulnerabilities have a status.
    if (status === null) continue
    counts.vulnerabilities.bySeverity[severity === null ? 'none' : (SEVERITIES[severity] as 'info')] += count
    counts.vulnerabilities.byStatus[status] += count
  }
  return counts
}

type NonNullableParts = { [K in 'results' | 'vulnerabilities']: NonNullable<Overview[K]> }
