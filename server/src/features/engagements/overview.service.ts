import type { Scope } from '@sortie/contract/core/scopes.ts'
import { EMPTY_OVERVIEW, type Overview } from '@sortie/contract/engagement/engagement-overview.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import { listBackgroundJobs } from '../../platform/jobs/rows.ts'
import { findNewestActivity } from '../audit/audit.queries.ts'
import { findClone } from './clone/clone.queries.ts'
import { findEngagement } from './engagements.queries.ts'
import { requireFound } from './locks.service.ts'
import type { ClonePart, EngagementPart } from './parts.ts'

/** The scope that each field requires. */
const NEEDED: Readonly<Record<Exclude<keyof Overview, 'lastActivityAt' | 'copying'>, Scope>> = {
  targets: 'targets:read',
  results: 'targets:read',
  vulnerabilities: 'targets:read',
  runningScans: 'targets:read',
  tasks: 'tasks:read',
}

/** Counts the objects of an engagement; null if the caller lacks the scope to read them. @throws ApiError NOT_FOUND */
export const getEngagementOverview = async (
  db: Database,
  actor: Actor,
  engagementId: string,
  parts: readonly EngagementPart[],
): Promise<Overview> => {
  const { organizationId, scopes } = actor
  await requireFound(findEngagement(db, organizationId, engagementId))
  const [newest, copying, ...counted] = await Promise.all([
    findNewestActivity(db, organizationId, engagementId),
    findCopying(db, organizationId, engagementId),
    ...parts.flatMap(({ overview }) =>
      overview && scopes.has(overview.scope) ? [overview.count(db, organizationId, engagementId)] : [],
    ),
  ])
  const hidden = Object.entries(NEEDED).filter(([, scope]) => !scopes.has(scope))
  return {
    ...Object.assign({ ...EMPTY_OVERVIEW }, ...counted),
    ...Object.fromEntries(hidden.map(([field]) => [field, null])),
    copying,
    lastActivityAt: newest,
  }
}

/** Progress of an unfinished clone; null once everything is copied. */
const findCopying = async (
  db: Database,
  organizationId: string,
  engagementId: string,
): Promise<Overview['copying']> => {
  const clone = await findClone(db, organizationId, engagementId)
  if (!clone) return null
  const [work] = await listBackgroundJobs(db, organizationId, [clone.work_id])
  const hasFailed = work?.state === 'failed' || work?.state === 'cancelled'
  return {
    from: clone.source_id,
    part: clone.parts[0] as ClonePart,
    state: hasFailed ? 'failed' : 'running',
    reason: work?.reason ?? null,
  }
}
