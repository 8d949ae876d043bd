import type { Tenant, WebCall } from '../../api.ts'

/** What a change of targets makes stale. */
export const staleAfterTargets = (organizationId: string): readonly (readonly [Tenant, WebCall])[] =>
  (['listTargets', 'countTargets', 'getTarget', 'getEngagementOverview', 'getResultSummary', 'listEngagementActivity'] as const).map((name) => [
    organizationId,
    name,
  ])
