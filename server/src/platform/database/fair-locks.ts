import { sql } from 'kysely'
import type { Transaction } from './transaction.ts'

/**
 * Locks by name, held until the transaction ends, in which nobody is overtaken. Rows do not keep the order in which they are
 * asked for: any number of `for key share` pass a `for update` that waits, so that whoever writes without a pause could
 * never be stopped. So whoever holds rows of a right for key share takes the right's name shared before them, and whoever
 * takes the right away takes the name alone before the rows.
 *
 * @param names in one order for everybody, whatever the order in which they are given
 */
export const takeFairLocks = async (tx: Transaction, { shared = [], alone = [] }: { shared?: readonly string[]; alone?: readonly string[] }): Promise<void> => {
  const names = [...shared, ...alone]
  const modes = [...shared.map(() => false), ...alone.map(() => true)]
  await sql`select case when l.alone then pg_advisory_xact_lock(l.lock) else pg_advisory_xact_lock_shared(l.lock) end
    from (
      select hashtextextended(n.name, 0) as lock, bool_or(n.alone) as alone
      from unnest(${names}::text[], ${modes}::boolean[]) as n (name, alone) group by 1 order by 1
    ) l`.execute(tx)
}

/** Names of what a right can rest on. Those of an organization say which: nobody waits for what belongs to another. */
export const RIGHTS = {
  account: (userId: string) => `account ${userId}`,
  instanceAdmins: 'instance administrators',
  /** What an organization demands of people: a second factor, single sign-on. */
  rules: (organizationId: string) => `rules ${organizationId}`,
  member: (organizationId: string, userId: string) => `member ${organizationId} ${userId}`,
  key: (organizationId: string, keyId: string) => `key ${organizationId} ${keyId}`,
} as const

/** Begins a statement that takes these names shared before it locks any row: select from `fair_locks` as well. */
export const withSharedFairLocks = (tx: Transaction, ...names: string[]) =>
  tx.with(
    (cte) => cte('fair_locks').materialized(),
    (db) => db.selectNoFrom(names.map((name, i) => sql`pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`.as(`taken_${i}`))),
  )
