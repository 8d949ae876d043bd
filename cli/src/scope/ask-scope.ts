import type { Output } from '@sortie/client/calls.ts'
import type { Api } from '../account/session.ts'

export type ScopeCheck = Output<'checkScope'>['data'][number]
export type EngagementState = Output<'checkScope'>['meta']['engagement']

/** Values in one request. */
const VALUES_AT_ONCE = 1_000
/** Without an answer after this many milliseconds, the server counts as unreachable. */
const ANSWER_MS = 30_000

/** What the server decides about each value, in their order, and whether something may be sent now. */
export const askScope = async (
  api: Api,
  engagementId: string,
  values: readonly string[],
): Promise<{ checks: ScopeCheck[]; engagement: EngagementState }> => {
  const checks: ScopeCheck[] = []
  let engagement: EngagementState | undefined
  for (let from = 0; from < values.length || engagement === undefined; from += VALUES_AT_ONCE) {
    const answer = await api.checkScope(
      { body: { engagementId, values: values.slice(from, from + VALUES_AT_ONCE) } },
      { signal: AbortSignal.timeout(ANSWER_MS), retries: 2 },
    )
    checks.push(...answer.data)
    engagement = answer.meta.engagement
  }
  return { checks, engagement }
}
