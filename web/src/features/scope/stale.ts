import type { Tenant, WebCall } from '../../api.ts'

/** What a change of the rules makes stale: they judge every target anew. */
export const staleAfterRules = (organizationId: string): readonly (readonly [Tenant, WebCall])[] =>
  (['listScopeRules', 'checkScope', 'listTargets', 'countTargets', 'getTarget', 'getEngagementOverview', 'listEngagementActivity'] as const).map((name) => [
    organizationId,
    name,
  ])
