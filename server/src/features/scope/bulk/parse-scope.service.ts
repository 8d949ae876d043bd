import type { Actor } from '../../../platform/auth/actor.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import { findEngagement } from '../../engagements/engagements.queries.ts'
import { asBodyFieldError, requireFound } from '../../engagements/locks.service.ts'
import { readLetter } from '../letter/letter.ts'
import { listEngagementRules } from '../scope.queries.ts'

/**
 * Parses a letter and compares it with the existing rules. Stores nothing.
 *
 * @throws ApiError VALIDATION_ERROR for an engagement that is hidden from the caller, and for too long a text
 */
export const parseScopeRules = async (db: Database, actor: Actor, engagementId: string, text: string) => {
  await asBodyFieldError(requireFound(findEngagement(db, actor.organizationId, engagementId)))
  const letter = await readLetter(text)
  const rules = await listEngagementRules(db, actor.organizationId, engagementId)
  const existing = new Map(rules.map(({ id, effect, pattern }) => [pattern, { scopeRuleId: id, effect }]))
  return letter.map(({ line, source, effect, pattern, note, reason }) => ({
    line,
    source,
    effect,
    pattern,
    note,
    reason,
    existing: (pattern !== null && existing.get(pattern)) || null,
  }))
}
