import type { Output } from '@sortie/client/calls.ts'
import type { Api, Session } from '../account/session.ts'
import type { Environment } from '../program/environment.ts'
import { CliError, describeError, EXIT } from '../program/exit.ts'
import { note } from '../program/terminal.ts'
import { askStored } from './offline.ts'
import { ageOf, findStoredRules, storeRules, type StoredRules } from './stored-rules.ts'

export type ScopeCheck = Output<'checkScope'>['data'][number]
export type EngagementState = Output<'checkScope'>['meta']['engagement']

export interface ScopeAnswer {
  checks: ScopeCheck[]
  engagement: EngagementState
}

/** Who decides about scope and hours. */
export interface Scope {
  ask(values: readonly string[]): Promise<ScopeAnswer>
  /** The rules that decide without a connection; undefined if the server decides. */
  offline?: StoredRules
}

/** Values in one request. */
const VALUES_AT_ONCE = 1_000
/** Without an answer after this many milliseconds, the server counts as unreachable. */
const ANSWER_MS = 30_000

/** What the server decides about each value, in their order, and whether something may be sent now. */
const askServer = async (api: Api, engagementId: string, values: readonly string[]): Promise<ScopeAnswer> => {
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

/**
 * Decides by the server, and stores its rules for later. If it cannot be reached, the stored rules decide, and a line
 * says how old they are.
 *
 * @returns what was decided, and the rules that are stored now, if any
 * @throws ApiError, ConnectionError if the server does not decide and no valid rules are stored
 */
export const withScope = async <T>(
  environment: Environment,
  session: Session,
  engagementId: string,
  decide: (scope: Scope) => Promise<T>,
): Promise<{ decided: T; stored: StoredRules | undefined }> => {
  const storing = storeRules(environment, session, engagementId)
  try {
    const decided = await decide({ ask: (values) => askServer(session.api, engagementId, values) })
    return { decided, stored: await storing }
  } catch (error) {
    // Rules that are still being stored must not be lost with the process.
    await storing
    const { code, message } = describeError(error)
    if (error instanceof CliError || code !== EXIT.unreachable) throw error
    const stored = findStoredRules(environment, session, engagementId)
    if (!stored) throw error
    note(`${message} Offline: decided by the rules as they were ${ageOf(stored)} ago.`)
    const decided = await decide({ ask: async (values) => askStored(stored, values), offline: stored })
    return { decided, stored }
  }
}
