import type { Tenant, WebCall } from '../../api/api.ts'

/** Reads that become stale when rules change, because every target is evaluated again. */
export const staleAfterRules = (organizationId: string): readonly (readonly [Tenant, WebCall])[] =>
  (
    [
      'listScopeRules',
      'checkScope',
      'listTargets',
      'countTargets',
      'getTarget',
      'getEngagementOverview',
      'listEngagementActivity',
    ] as const
  ).map((name) => [organizationId, name])
