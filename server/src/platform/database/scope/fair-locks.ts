import { sql } from 'kysely'
import type { Transaction } from '../transaction.ts'

/**
 * Acquires locks by name in first-come order, held until the transaction ends. Row locks are not fair: any number of
 * `for key share` pass a waiting `for update`, so continuous writes could block a revocation forever. So a caller that
 * locks rows of a right for key share acquires the right's name shared first, and a caller that revokes the right
 * acquires the name exclusively before the rows.
 *
 * @param names locked in one global order, whatever the order in which they are given
 */
export const acquireFairLocks = async (
  tx: Transaction,
  { shared = [], exclusive = [] }: { shared?: readonly string[]; exclusive?: readonly string[] },
): Promise<void> => {
  const names = [...shared, ...exclusive]
  const modes = [...shared.map(() => false), ...exclusive.map(() => true)]
  await sql`select case when l.exclusive then pg_advisory_xact_lock(l.lock) else pg_advisory_xact_lock_shared(l.lock) end
    from (
      select hashtextextended(n.name, 0) as lock, bool_or(n.exclusive) as exclusive
      from unnest(${names}::text[], ${modes}::boolean[]) as n (name, exclusive) group by 1 order by 1
    ) l`.execute(tx)
}

/**
 * Lock names that guard a permission. Those of an organization contain its id: organizations never wait for each other.
 */
export const RIGHTS = {
  account: (userId: string) => `account ${userId}`,
  instanceAdmins: 'instance administrators',
  /** An organization's requirements for its members: a second factor, single sign-on. */
  rules: (organizationId: string) => `rules ${organizationId}`,
  member: (organizationId: string, userId: string) => `member ${organizationId} ${userId}`,
  key: (organizationId: string, keyId: string) => `key ${organizationId} ${keyId}`,
} as const

/**
 * Starts a statement that acquires these names shared before it locks any row: the statement must also select from
 * `fair_locks`.
 */
export const withSharedFairLocks = (tx: Transaction, ...names: string[]) =>
  tx.with(
    (cte) => cte('fair_locks').materialized(),
    (db) =>
      db.selectNoFrom(
        names.map((name, i) => sql`pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`.as(`taken_${i}`)),
      ),
  )
