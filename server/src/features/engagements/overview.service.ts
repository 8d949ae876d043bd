import { EMPTY_OVERVIEW, type Overview } from '@sortie/contract/engagement-overview.ts'
import type { Scope } from '@sortie/contract/scopes.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Database } from '../../platform/database/open.ts'
import { findNewestActivity } from '../audit/audit.queries.ts'
import { findEngagement } from './engagements.queries.ts'
import { requireFound } from './locks.service.ts'
import type { EngagementPart } from './parts.ts'

/** What a caller needs to be told of each field. */
const NEEDED: Readonly<Record<Exclude<keyof Overview, 'lastActivityAt'>, Scope>> = {
  targets: 'targets:read',
  results: 'targets:read',
  vulnerabilities: 'targets:read',
  runningScans: 'targets:read',
  tasks: 'tasks:read',
}

/** Counts of what is in an engagement; null where the caller's scopes do not read it. @throws ApiError NOT_FOUND */
export const getEngagementOverview = async (db: Database, actor: Actor, engagementId: string, parts: readonly EngagementPart[]): Promise<Overview> => {
  const { organizationId, scopes } = actor
  await requireFound(findEngagement(db, organizationId, engagementId))
  const [newest, ...counted] = await Promise.all([
    findNewestActivity(db, organizationId, engagementId),
    ...parts.flatMap(({ overview }) => (overview && scopes.has(overview.scope) ? [overview.count(db, organizationId, engagementId)] : [])),
  ])
  const hidden = Object.entries(NEEDED).filter(([, scope]) => !scopes.has(scope))
  return {
    ...Object.assign({ ...EMPTY_OVERVIEW }, ...counted),
    ...Object.fromEntries(hidden.map(([field]) => [field, null])),
    lastActivityAt: newest,
  }
}
