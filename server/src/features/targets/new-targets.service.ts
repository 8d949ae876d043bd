import { takeFairLocks } from '../../platform/database/fair-locks.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { conflict } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import type { Recognised } from '../scope/recognise.ts'
import { judge, type RuleSet } from '../scope/rule-set.ts'
import { identityOf, orderKeyOf } from './target-keys.ts'
import * as query from './targets.queries.ts'

/** A value that becomes a target; without a subject (clouds, repositories) no rule says anything about it. */
export interface Wanted {
  /** As entered. */
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

export interface Made {
  id: string
  isNew: boolean
}

const INSERTED_AT_ONCE = 1_000

/** Held by whoever adds targets to an engagement: in whatever order two requests name the same values, none waits for the other in a circle. */
export const holdNewTargets = (tx: Transaction, engagementId: string): Promise<void> => takeFairLocks(tx, { alone: [`targets ${engagementId}`] })

/**
 * Adds those that are not there yet, judged by the rules. The engagement is held by the caller, so that its rules stay.
 *
 * @param room how many more there may be
 * @returns for each that was asked for its target; undefined where there was no room
 */
export const addTargets = async (
  tx: Transaction,
  { organizationId, engagementId, rules, now, room }: { organizationId: string; engagementId: string; rules: RuleSet; now: string; room: number },
  wanted: readonly Wanted[],
): Promise<(Made | undefined)[]> => {
  const made: (Made | undefined)[] = []
  let left = room
  for (let from = 0; from < wanted.length; from += INSERTED_AT_ONCE) {
    const batch = wanted.slice(from, from + INSERTED_AT_ONCE).map((each) => ({ each, identity: identityOf(engagementId, each.kind, each.canonical) }))
    const identities = [...new Set(batch.map(({ identity }) => identity))]
    const there = await query.listByIdentity(tx, organizationId, identities)
    const fresh = new Map<string, query.NewTarget>()
    for (const { each, identity } of batch) {
      if (!there.has(identity) && !fresh.has(identity) && fresh.size < left) fresh.set(identity, rowOf(each, identity, rules, now))
    }
    if (fresh.size > 0) await query.insertTargets(tx, organizationId, engagementId, [...fresh.values()], now)
    left -= fresh.size
    for (const { identity } of batch) {
      const known = there.get(identity)
      const row = fresh.get(identity)
      made.push(known !== undefined ? { id: known, isNew: false } : row && { id: row.id, isNew: true })
      // The same value further down is known.
      if (row) there.set(identity, row.id)
    }
  }
  return made
}

const rowOf = (wanted: Wanted, identity: string, rules: RuleSet, now: string): query.NewTarget => {
  const { kind, value, canonical, subject, source } = wanted
  const { verdict, rule } = judge(rules, subject)
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
export const roomFor = async (tx: Transaction, organizationId: string, engagementId: string, limit: number): Promise<number> =>
  Math.max(0, limit - (await query.countTargets(tx, organizationId, engagementId, limit)))

export const beyondLimit = (limit: number) => conflict(`An engagement has at most ${limit} targets (TARGET_LIMIT).`)
