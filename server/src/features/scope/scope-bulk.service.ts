import type { Actor } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/http/context.ts'
import { newId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { namedInBody } from '../engagements/locks.service.ts'
import { isRefusal } from './host.ts'
import { type LineOutcome, recogniseLines } from './line-outcomes.ts'
import { recognisePattern } from './pattern.ts'
import { compileRules, type Effect, type ScopeRule } from './rule-set.ts'
import { insertScopeRules, listEngagementRules } from './scope.queries.ts'
import { announceRules, type JudgeAnew, lockScope, requireRoom } from './scope.service.ts'

/**
 * One rule for each line that is a pattern and has none yet, in one transaction.
 *
 * @throws ApiError CONFLICT for an archived engagement and beyond the limit, VALIDATION_ERROR for too many lines
 */
export const createScopeRules = async (
  { change, clock, config }: Writer,
  actor: Actor,
  judgeAnew: JudgeAnew,
  { engagementId, effect, text }: { engagementId: string; effect: Effect; text: string },
): Promise<LineOutcome[]> => {
  const lines = await recogniseLines(text, recognisePattern)
  return change(async (tx) => {
    await namedInBody(lockScope(tx, actor, config, engagementId))
    const { organizationId } = actor
    const rules = await listEngagementRules(tx, organizationId, engagementId)
    const known = new Map(rules.map(({ pattern, id }) => [pattern, id]))
    const now = clock.now()
    const created: ScopeRule[] = []
    const outcomes = lines.map(({ line, input, found }): LineOutcome => {
      if (isRefusal(found)) return { line, input, outcome: 'rejected', id: null, reason: found.refused }
      const there = known.get(found.canonical)
      if (there !== undefined) return { line, input, outcome: 'known', id: there, reason: null }
      const rule = { id: newId('scp', now), effect, kind: found.kind, pattern: found.canonical }
      known.set(rule.pattern, rule.id)
      created.push(rule)
      return { line, input, outcome: 'created', id: rule.id, reason: null }
    })
    if (created.length === 0) return outcomes
    requireRoom(config, known.size)
    const row = { organization_id: organizationId, engagement_id: engagementId, note: '', created_at: isoTime(now), updated_at: isoTime(now) }
    await insertScopeRules(
      tx,
      created.map((rule) => ({ ...rule, ...row })),
    )
    await judgeAnew(tx, organizationId, engagementId, compileRules([...rules, ...created]))
    const after = { effect, created: created.length, patterns: created.slice(0, 100).map(({ pattern }) => pattern) }
    await recordAudit(tx, actor, clock, { action: 'scope-rules.created', object: { type: 'engagement', id: engagementId }, engagementId, after })
    await announceRules(
      tx,
      engagementId,
      created.map(({ id }) => id),
      'created',
    )
    return outcomes
  })
}
