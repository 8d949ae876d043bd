import { isoTime } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { newId } from '../../platform/ids.ts'
import type { Cloning } from '../engagements/parts.ts'
import { judge } from '../scope/rule-set.ts'
import { findRuleSet } from '../scope/scope.service.ts'
import { identityOf, subjectOf } from './target-keys.ts'
import { insertTargets, listForCloning, setParents } from './targets.queries.ts'

const BATCH = 1_000

/** The targets of one engagement in another that has none, unseen, and judged by the rules of the new one. */
export const cloneTargets = async (tx: Transaction, { actor, clock, from, to }: Cloning): Promise<void> => {
  const { organizationId } = actor
  const now = clock.now()
  const rules = await findRuleSet(tx, organizationId, to)
  const newIds = new Map<string, string>()
  const parents: [child: string, parent: string][] = []
  let after: string | undefined = ''
  while (after !== undefined) {
    const rows = await listForCloning(tx, organizationId, from, after, BATCH)
    const copies = rows.map(({ parent_id, ...row }) => {
      const id = newId('tgt', now)
      newIds.set(row.id, id)
      if (parent_id !== null) parents.push([id, parent_id])
      const { verdict, rule } = judge(rules, subjectOf(row.kind, row.canonical, row.order_key))
      const identity = identityOf(to, row.kind, row.canonical)
      return { ...row, id, identity, parent_id: null, first_seen_at: null, last_seen_at: null, verdict, scope_rule_id: rule?.id ?? null }
    })
    await insertTargets(tx, organizationId, to, copies, isoTime(now))
    after = rows.length === BATCH ? rows.at(-1)?.id : undefined
  }
  for (let at = 0; at < parents.length; at += BATCH) {
    const some = parents.slice(at, at + BATCH).map(([child, parent]) => ({ child, parent: newIds.get(parent) as string }))
    await setParents(tx, organizationId, to, some)
  }
}
