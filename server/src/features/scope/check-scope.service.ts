import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SendingState } from '@sortie/contract/engagement/scope-rules.ts'
import type { Static } from 'typebox'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import { findEngagement } from '../engagements/engagements.queries.ts'
import { asBodyFieldError, requireFound } from '../engagements/locks.service.ts'
import { evaluateText } from './rules/evaluate-text.ts'
import { findRuleSet } from './scope.service.ts'

/** Values evaluated per batch, so that other requests run in between. */
const VALUE_BATCH_SIZE = 100

/** Whether something may be sent in an engagement now. */
export type ReadSendingState = (
  db: Database,
  organizationId: string,
  engagementId: string,
  now: number,
) => Promise<Static<typeof SendingState>>

/**
 * The decision for each value, in their order. @throws ApiError VALIDATION_ERROR for an engagement that is hidden from
 * the caller
 */
export const checkScope = async (db: Database, actor: Actor, engagementId: string, values: readonly string[]) => {
  await asBodyFieldError(requireFound(findEngagement(db, actor.organizationId, engagementId)))
  const rules = await findRuleSet(db, actor.organizationId, engagementId)
  const evaluated: ReturnType<typeof evaluateText>[] = []
  for (const [index, value] of values.entries()) {
    if (index % VALUE_BATCH_SIZE === VALUE_BATCH_SIZE - 1) await nextTurn()
    evaluated.push(evaluateText(rules, value))
  }
  return evaluated
}
