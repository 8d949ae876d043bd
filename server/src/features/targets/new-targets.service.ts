import { acquireFairLocks } from '../../platform/database/scope/fair-locks.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { conflict } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import type { Recognised } from '../scope/rules/recognise.ts'
import { evaluate, type RuleSet } from '../scope/rules/rule-set.ts'
import { fingerprintOf, orderKeyOf } from './target-keys.ts'
import * as query from './targets.queries.ts'

/** A value that becomes a target; without a subject (clouds, repositories) no rule applies to it. */
export interface NewTarget {
  /** The value as entered. */
  value: string
  kind: string
  canonical: string
  subject?: Recognised['subject']
  tags?: readonly string[]
  criticality?: number
  notes?: string
  source: string
  parentId?: string | null
  firstSeenAt?: string | null
  lastSeenAt?: string | null
}

export interface CreatedTarget {
  id: string
  isNew: boolean
}

const INSERTED_AT_ONCE = 1_000

/**
 * Locked by every transaction that adds targets to an engagement: two requests with the same values in any order cannot
 * deadlock.
 */
export const lockNewTargets = (tx: Transaction, engagementId: string): Promise<void> =>
  acquireFairLocks(tx, { exclusive: [`targets ${engagementId}`] })

/**
 * Adds the values that are not targets yet, evaluated by the rules. The caller locks the engagement, so that its rules
 * stay.
 *
 * @param remainingQuota how many more targets there may be
 * @returns for each value its target; undefined if the quota was exceeded
 */
export const addTargets = async (
  tx: Transaction,
  {
    organizationId,
    engagementId,
    rules,
    now,
    remainingQuota,
  }: { organizationId: string; engagementId: string; rules: RuleSet; now: string; remainingQuota: number },
  wanted: readonly NewTarget[],
): Promise<(CreatedTarget | undefined)[]> => {
  const made: (CreatedTarget | undefined)[] = []
  let left = remainingQuota
  for (let from = 0; from < wanted.length; from += INSERTED_AT_ONCE) {
    const batch = wanted
      .slice(from, from + INSERTED_AT_ONCE)
      .map((each) => ({ each, identity: fingerprintOf(engagementId, each.kind, each.canonical) }))
    const identities = [...new Set(batch.map(({ identity }) => identity))]
    const there = await query.listByIdentity(tx, organizationId, identities)
    const fresh = new Map<string, query.NewTarget>()
    for (const { each, identity } of batch) {
      if (!there.has(identity) && !fresh.has(identity) && fresh.size < left)
        fresh.set(identity, rowOf(each, identity, rules, now))
    }
    if (fresh.size > 0) await query.insertTargets(tx, organizationId, engagementId, [...fresh.values()], now)
    left -= fresh.size
    for (const { identity } of batch) {
      const known = there.get(identity)
      const row = fresh.get(identity)
      made.push(known !== undefined ? { id: known, isNew: false } : row && { id: row.id, isNew: true })
      // Further lines with the same value are known.
      if (row) there.set(identity, row.id)
    }
  }
  return made
}

const rowOf = (wanted: NewTarget, identity: string, rules: RuleSet, now: string): query.NewTarget => {
  const { kind, value, canonical, subject, source } = wanted
  const { verdict, rule } = evaluate(rules, subject)
  return {
    id: newId('tgt', Date.parse(now)),
    kind,
    value,
    canonical,
    identity,
    order_key: orderKeyOf(wanted),
    tags: wanted.tags ?? [],
    criticality: wanted.criticality ?? 0,
    notes: wanted.notes ?? '',
    source,
    parent_id: wanted.parentId ?? null,
    first_seen_at: wanted.firstSeenAt ?? null,
    last_seen_at: wanted.lastSeenAt ?? null,
    verdict,
    scope_rule_id: rule?.id ?? null,
  }
}

/** How many more targets an engagement may have. */
export const remainingTargetQuota = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  limit: number,
): Promise<number> => Math.max(0, limit - (await query.countTargets(tx, organizationId, engagementId, limit)))

export const beyondLimit = (limit: number) => conflict(`An engagement has at most ${limit} targets (TARGET_LIMIT).`)
