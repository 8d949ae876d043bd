import type { Transaction } from '../../platform/database/transaction.ts'
import { isSingle, prefixOf } from '../scope/rules/address-range.ts'
import type { Recognised, Subject } from '../scope/rules/recognise.ts'
import type { RuleSet } from '../scope/rules/rule-set.ts'
import { addTargets, lockNewTargets, type CreatedTarget, remainingTargetQuota } from './new-targets.service.ts'
import { subjectOf } from './target-keys.ts'
import { listNetworks, setSeen } from './targets.queries.ts'

interface Finding {
  organizationId: string
  engagementId: string
  source: 'import' | 'scan'
  /** When they were seen. */
  seenAt: string
  /** The time of their creation. */
  now: string
  /** The engagement's rules, from `findRuleSet` in this transaction. */
  rules: RuleSet
  /** `TARGET_LIMIT`. */
  limit: number
}

/**
 * Creates targets for the names and addresses that an import or a scan found, and records that they were seen. The
 * parent of an address is the smallest target network that contains it. The caller locks the engagement
 * (`lockWritableEngagementForShare`), and passes a few thousand at a time at most.
 *
 * @returns for each its target; undefined if the engagement's quota is exceeded
 */
export const noteFoundTargets = async (
  tx: Transaction,
  finding: Finding,
  found: readonly Recognised<'domain' | 'ip'>[],
): Promise<(CreatedTarget | undefined)[]> => {
  const { organizationId, engagementId, source, seenAt, now, rules, limit } = finding
  await lockNewTargets(tx, engagementId)
  const parentOf = smallestNetworks(await listNetworks(tx, organizationId, engagementId))
  const remainingQuota = await remainingTargetQuota(tx, organizationId, engagementId, limit)
  const seen = { source, firstSeenAt: seenAt, lastSeenAt: seenAt }
  const wanted = found.map((each) => ({ ...each, ...seen, value: each.canonical, parentId: parentOf(each.subject) }))
  const made = await addTargets(tx, { organizationId, engagementId, rules, now, remainingQuota }, wanted)
  const known = made.flatMap((target) => (target && !target.isNew ? [target.id] : []))
  if (known.length > 0) await setSeen(tx, organizationId, [...new Set(known)].toSorted(), seenAt)
  return made
}

/** Finds the smallest of these networks that contains an address, by one lookup per prefix length. */
export const smallestNetworks = (
  networks: readonly { id: string; order_key: string }[],
): ((subject: Subject) => string | null) => {
  const byStart = new Map<string, string>()
  const lengths = { 4: new Set<number>(), 6: new Set<number>() }
  for (const { id, order_key } of networks) {
    const host = subjectOf('cidr', '', order_key)?.host
    const bits = typeof host === 'object' ? prefixOf(host) : undefined
    if (typeof host !== 'object' || bits === undefined) continue
    lengths[host.family].add(bits)
    byStart.set(`${host.family} ${bits} ${host.first}`, id)
  }
  const longestFirst = { 4: [...lengths[4]].toSorted((a, b) => b - a), 6: [...lengths[6]].toSorted((a, b) => b - a) }
  return ({ host }) => {
    if (typeof host === 'string' || !isSingle(host)) return null
    const width = host.family === 4 ? 32 : 128
    for (const bits of longestFirst[host.family]) {
      const rest = BigInt(width - bits)
      const id = byStart.get(`${host.family} ${bits} ${(host.first >> rest) << rest}`)
      if (id !== undefined) return id
    }
    return null
  }
}
