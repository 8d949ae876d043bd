import { isoTime } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { newId } from '../../platform/ids.ts'
import { copyFields } from '../custom-fields/field-values.service.ts'
import type { Cloning } from '../engagements/parts.ts'
import { evaluate } from '../scope/rules/rule-set.ts'
import { findRuleSet } from '../scope/scope.service.ts'
import { fingerprintOf, subjectOf } from './target-keys.ts'
import { insertTargets, listByIdentity, listForCloning, listParentsForCloning, setParents } from './targets.queries.ts'

const BATCH = 1_000
/** Cursor prefix of the second pass: parents, once all targets exist. */
const PARENTS = 'parents '

/**
 * Copies the targets of one engagement to another that has none, without seen times, and evaluates them by its rules.
 */
export const cloneTargets = (tx: Transaction, cloning: Cloning, after = ''): Promise<string | undefined> =>
  after.startsWith(PARENTS) ? cloneParents(tx, cloning, after.slice(PARENTS.length)) : cloneRows(tx, cloning, after)

const cloneRows = async (tx: Transaction, { actor, clock, from, to }: Cloning, after: string): Promise<string> => {
  const { organizationId } = actor
  const now = clock.now()
  const rules = await findRuleSet(tx, organizationId, to)
  const rows = await listForCloning(tx, organizationId, from, after, BATCH)
  const copies = rows.map((row) => {
    const { verdict, rule } = evaluate(rules, subjectOf(row.kind, row.canonical, row.order_key))
    const identity = fingerprintOf(to, row.kind, row.canonical)
    return {
      ...row,
      id: newId('tgt', now),
      identity,
      parent_id: null,
      first_seen_at: null,
      last_seen_at: null,
      verdict,
      scope_rule_id: rule?.id ?? null,
    }
  })
  await insertTargets(tx, organizationId, to, copies, isoTime(now))
  const pairs = rows.map(({ id }, index) => ({ id, copyId: copies[index]?.id as string }))
  await copyFields(tx, organizationId, to, pairs)
  return rows.length === BATCH ? (rows.at(-1)?.id as string) : PARENTS
}

/** Finds copies by kind and canonical form, which are unique. */
const cloneParents = async (
  tx: Transaction,
  { actor, from, to }: Cloning,
  after: string,
): Promise<string | undefined> => {
  const { organizationId } = actor
  const rows = await listParentsForCloning(tx, organizationId, from, after, BATCH)
  const pairs = rows.map((row) => ({
    child: fingerprintOf(to, row.kind, row.canonical),
    parent: fingerprintOf(to, row.parent_kind, row.parent_canonical),
  }))
  const copies = await listByIdentity(
    tx,
    organizationId,
    pairs.flatMap(({ child, parent }) => [child, parent]),
  )
  const known = pairs.flatMap((pair) => {
    const [child, parent] = [copies.get(pair.child), copies.get(pair.parent)]
    return child !== undefined && parent !== undefined ? [{ child, parent }] : []
  })
  if (known.length > 0) await setParents(tx, organizationId, to, known)
  return rows.length === BATCH ? PARENTS + (rows.at(-1)?.id as string) : undefined
}
