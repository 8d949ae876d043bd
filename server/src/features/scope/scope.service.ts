import type { Actor } from '../../platform/auth/actor.ts'
import { isPermitted, requirementOf } from '../../platform/auth/guard.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Writer } from '../../platform/context.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { conflict, forbidden, invalid, notFound } from '../../platform/errors.ts'
import { announce, type EventChange } from '../../platform/events/announce.ts'
import { newId } from '../../platform/ids.ts'
import { moveToTrash } from '../../platform/lists/trash.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { lockVisibleEngagement, asBodyFieldError, requireWritable } from '../engagements/locks.service.ts'
import { isRefusal } from './rules/host.ts'
import { recognisePattern } from './rules/pattern.ts'
import { compileRules, type Effect, type RuleSet } from './rules/rule-set.ts'
import * as query from './scope.queries.ts'

/**
 * Reevaluates every target of an engagement, in the transaction that changes its rules; the targets feature provides
 * it.
 */
export type ReevaluateTargets = (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  rules: RuleSet,
) => Promise<void>

/** The compiled rules of an engagement. */
export const findRuleSet = async (db: Database, organizationId: string, engagementId: string): Promise<RuleSet> =>
  compileRules(await query.listEngagementRules(db, organizationId, engagementId))

export interface WantedRule {
  engagementId: string
  effect: Effect
  pattern: string
  /** `domain` or, with a port, `service`: a name is a host, whatever it looks like. */
  kind?: 'domain' | 'service' | undefined
  note: string
}

/**
 * @throws ApiError VALIDATION_ERROR for an invalid pattern, CONFLICT for an existing one, for an archived engagement
 *   and beyond the limit
 */
export const createScopeRule = (
  writer: Writer,
  actor: Actor,
  reevaluateTargets: ReevaluateTargets,
  { engagementId, effect, pattern, kind, note }: WantedRule,
) => {
  const recognised = recognisePattern(pattern, kind)
  if (isRefusal(recognised)) throw invalid(`pattern: ${recognised.refused}`)
  if (kind !== undefined && recognised.kind !== kind)
    throw invalid(`kind: the pattern is of the kind ${recognised.kind}`)
  const { clock, config } = writer
  return writer.change(async (tx) => {
    await asBodyFieldError(lockScope(tx, actor, config, engagementId))
    const { organizationId } = actor
    const rules = await query.listEngagementRules(tx, organizationId, engagementId)
    if (rules.some((rule) => rule.pattern === recognised.canonical))
      throw conflict('A rule with this pattern already exists.')
    requireRuleQuota(config, rules.length + 1)
    const now = clock.now()
    const rule = { id: newId('scp', now), effect, kind: recognised.kind, pattern: recognised.canonical, note }
    const times = { created_at: isoTime(now), updated_at: isoTime(now) }
    await query.insertScopeRules(tx, [
      { ...rule, organization_id: organizationId, engagement_id: engagementId, ...times },
    ])
    await reevaluateTargets(tx, organizationId, engagementId, compileRules([...rules, rule]))
    const after = { effect, pattern: rule.pattern, note }
    await recordAudit(tx, actor, clock, {
      action: 'scope-rule.created',
      object: { type: 'scope-rule', id: rule.id },
      engagementId,
      after,
    })
    await announceRules(tx, engagementId, [rule.id], 'created')
    return { ...rule, engagement_id: engagementId, ...times, trashed_at: null }
  })
}

export interface RuleChange {
  effect: Effect | undefined
  note: string | undefined
  /** `updatedAt` that the change is based on; undefined skips the check. */
  ifUpdatedAt: string | undefined
}

/**
 * Unchanged values have no effect. @throws ApiError NOT_FOUND, CONFLICT for a stale change or an archived engagement
 */
export const updateScopeRule = (
  writer: Writer,
  actor: Actor,
  reevaluateTargets: ReevaluateTargets,
  scopeRuleId: string,
  wanted: RuleChange,
) =>
  writer.change(async (tx) => {
    const before = await lockRule(tx, actor, writer.config, scopeRuleId)
    const { organizationId } = actor
    if (wanted.ifUpdatedAt !== undefined && wanted.ifUpdatedAt !== before.updated_at) {
      throw conflict('Someone else changed this scope rule in the meantime. Reload it, then repeat the change.')
    }
    const fields = (['effect', 'note'] as const).filter(
      (field) => wanted[field] !== undefined && wanted[field] !== before[field],
    )
    if (fields.length === 0) return before
    const changes = Object.fromEntries(fields.map((field) => [field, wanted[field]]))
    const now = Math.max(writer.clock.now(), Date.parse(before.updated_at) + 1)
    const row = await query.updateScopeRule(tx, organizationId, scopeRuleId, { ...changes, updated_at: isoTime(now) })
    if (changes['effect'] !== undefined) {
      await reevaluateTargets(
        tx,
        organizationId,
        row.engagement_id,
        await findRuleSet(tx, organizationId, row.engagement_id),
      )
    }
    await recordAudit(tx, actor, writer.clock, {
      action: 'scope-rule.changed',
      object: { type: 'scope-rule', id: scopeRuleId },
      engagementId: row.engagement_id,
      before: Object.fromEntries(fields.map((field) => [field, before[field]])),
      after: changes,
    })
    await announceRules(tx, row.engagement_id, [scopeRuleId], 'updated')
    return row
  })

/**
 * Moves a rule to the trash, where it decides nothing. @throws ApiError NOT_FOUND, CONFLICT for an archived engagement
 */
export const deleteScopeRule = (
  writer: Writer,
  actor: Actor,
  reevaluateTargets: ReevaluateTargets,
  scopeRuleId: string,
): Promise<void> =>
  writer.change(async (tx) => {
    const { organizationId } = actor
    const { engagement_id: engagementId, effect, pattern, note } = await lockRule(tx, actor, writer.config, scopeRuleId)
    await moveToTrash(tx, 'scope_rules', organizationId, [scopeRuleId], isoTime(writer.clock.now()))
    await reevaluateTargets(tx, organizationId, engagementId, await findRuleSet(tx, organizationId, engagementId))
    const before = { effect, pattern, note }
    await recordAudit(tx, actor, writer.clock, {
      action: 'scope-rule.deleted',
      object: { type: 'scope-rule', id: scopeRuleId },
      engagementId,
      before,
    })
    await announceRules(tx, engagementId, [scopeRuleId], 'deleted')
  })

/** Verdicts of targets may change with the rules, but the event does not list targets. */
export const announceRules = async (
  tx: Transaction,
  engagementId: string,
  ids: readonly string[],
  change: EventChange,
): Promise<void> => {
  await announce(tx, { type: 'scope', engagementId, ids, change })
}

/**
 * Locks an engagement for a change of its rules: evaluations wait.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN to members who are neither on the team nor may change engagements, CONFLICT for
 *   an archived one
 */
export const lockScope = async (tx: Transaction, actor: Actor, config: Config, engagementId: string): Promise<void> => {
  const engagement = await lockVisibleEngagement(tx, actor, engagementId)
  const mayWrite = isPermitted(actor, requirementOf('setting:ENGAGEMENT_WRITE_SCOPE', config))
  if (
    !mayWrite &&
    !(actor.kind === 'user' && (await query.findPart(tx, actor.organizationId, engagementId, actor.id)))
  ) {
    throw forbidden('Only the lead, the team, the owner and admins may change the scope.')
  }
  requireWritable(engagement)
}

const lockRule = async (
  tx: Transaction,
  actor: Actor,
  config: Config,
  scopeRuleId: string,
): Promise<query.ScopeRuleRow> => {
  const rule = await query.findScopeRule(tx, actor.organizationId, scopeRuleId)
  if (!rule) throw notFound()
  await lockScope(tx, actor, config, rule.engagement_id)
  // Others may have changed or deleted it before the lock was acquired.
  const locked = await query.findScopeRule(tx, actor.organizationId, scopeRuleId)
  if (!locked) throw notFound()
  return locked
}

/** @throws ApiError CONFLICT beyond the limit */
export const requireRuleQuota = ({ SCOPE_RULE_LIMIT }: Config, rules: number): void => {
  if (rules > SCOPE_RULE_LIMIT)
    throw conflict(`An engagement has at most ${SCOPE_RULE_LIMIT} scope rules (SCOPE_RULE_LIMIT).`)
}
