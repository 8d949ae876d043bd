import type { Tenant, WebCall } from '../../api/api.ts'

/** Reads that become stale when targets change. */
export const staleAfterTargets = (organizationId: string): readonly (readonly [Tenant, WebCall])[] =>
  (
    [
      'listTargets',
      'countTargets',
      'getTarget',
      'getTargetOverview',
      'getEngagementOverview',
      'getResultSummary',
      'listEngagementActivity',
    ] as const
  ).map((name) => [organizationId, name])
