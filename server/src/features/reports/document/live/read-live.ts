import type { LiveType } from '@sortie/contract/reports/report-data.ts'
import type { Database } from '../../../../platform/database/connection/open.ts'
import { listChecks, listTargetsOf } from '../../../methodologies/coverage.queries.ts'
import { findMethodology } from '../../../methodologies/methodologies.queries.ts'
import { listEngagementRules } from '../../../scope/scope.queries.ts'
import type { ReportRow } from '../../reports.queries.ts'
import type { SectionRow } from '../../sections/sections.queries.ts'
import * as query from './live.queries.ts'

/** What the live sections of a report are filled with; what no section shows is not read. */
export const readLive = async (
  db: Database,
  organizationId: string,
  { engagement_id: engagementId, options }: ReportRow,
  sections: readonly SectionRow[],
) => {
  const shows = (type: LiveType) => sections.some(({ live_type: live }) => live === type)
  return {
    scope: shows('scope') ? await listEngagementRules(db, organizationId, engagementId) : [],
    sources: shows('testing_window') ? await query.listSourceAddresses(db, organizationId, engagementId) : [],
    services: shows('inventory') ? await query.listServices(db, organizationId, engagementId) : [],
    affectedHosts: shows('inventory') ? await query.listAffectedHosts(db, organizationId, engagementId) : new Set(),
    tools: shows('tools') ? await query.listTools(db, organizationId, engagementId) : [],
    operations: shows('operations') ? await query.listOperations(db, organizationId, engagementId) : [],
    coverage: new Map(
      await Promise.all(
        sections
          .filter(({ live_type: type }) => type === 'coverage')
          .map(async ({ id, live_options: own }) => {
            const methodologyId = own.methodologyId ?? options.methodologyId ?? null
            return [id, await readCoverage(db, organizationId, engagementId, methodologyId)] as const
          }),
      ),
    ),
  }
}

const readCoverage = async (db: Database, organizationId: string, engagementId: string, wanted: string | null) => {
  const methodologyId = wanted ?? (await query.findMostUsedMethodology(db, organizationId, engagementId))
  const methodology = methodologyId && (await findMethodology(db, organizationId, methodologyId))
  if (!methodology) return undefined
  const checks = await listChecks(db, organizationId, engagementId, methodology.id)
  const targetIds = [...new Set(checks.flatMap(({ target_id: id }) => id ?? []))]
  const targets = await listTargetsOf(db, organizationId, targetIds)
  return { methodology, checks, targets: new Map(targets.map(({ id, value }) => [id, value])) }
}
