import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'
import { countRows, hasRow } from '../../../platform/database/rows.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'

/** Replaces an unconfirmed secret. @returns undefined if there is a confirmed one */
export const insertPendingSecret = (tx: Transaction, factor: { user_id: string; secret: Buffer; created_at: string }) =>
  tx
    .insertInto('second_factors')
    .values(factor)
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ secret: factor.secret, created_at: factor.created_at, last_step: 0 })
        .where('second_factors.confirmed_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst()

/** Locks the row: of two attempts with one code the second sees that it was used. */
export const lockSecondFactor = (tx: Transaction, userId: string) =>
  tx.selectFrom('second_factors').selectAll().where('user_id', '=', userId).forUpdate().executeTakeFirst()

/**
 * Deletes an unconfirmed app: it was started without proof of a second factor, so it must not be confirmed once there
 * is one.
 */
export const deletePendingSecret = async (tx: Transaction, userId: string): Promise<void> => {
  await tx.deleteFrom('second_factors').where('user_id', '=', userId).where('confirmed_at', 'is', null).execute()
}

export const updateLastStep = async (tx: Transaction, userId: string, step: number): Promise<void> => {
  await tx.updateTable('second_factors').set({ last_step: step }).where('user_id', '=', userId).execute()
}

export const setConfirmed = async (tx: Transaction, userId: string, now: string): Promise<void> => {
  await tx.updateTable('second_factors').set({ confirmed_at: now }).where('user_id', '=', userId).execute()
}

/** @returns true if there was a confirmed app */
export const deleteApp = async (tx: Transaction, userId: string): Promise<boolean> => {
  const row = await tx
    .deleteFrom('second_factors')
    .where('user_id', '=', userId)
    .returning('confirmed_at')
    .executeTakeFirst()
  return row?.confirmed_at != null
}

/** Recovery codes replace a second factor, so they are deleted with the last one. @returns true if none is left */
export const deleteCodesOfNoFactor = async (tx: Transaction, userId: string): Promise<boolean> => {
  if (await findSecondFactor(tx, userId)) return false
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  return true
}

export const replaceRecoveryCodes = async (tx: Transaction, userId: string, hashes: Buffer[]): Promise<void> => {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute()
}

/** @returns true if the code existed */
export const deleteRecoveryCode = (tx: Transaction, userId: string, codeHashes: readonly Buffer[]): Promise<boolean> =>
  hasRow(
    tx
      .deleteFrom('recovery_codes')
      .where('user_id', '=', userId)
      .where('code_hash', 'in', codeHashes)
      .returning('user_id'),
  )

export const countRecoveryCodes = (db: Database, userId: string): Promise<number> =>
  countRows(db.selectFrom('recovery_codes').where('user_id', '=', userId))

interface SecondFactor {
  /** When the first app or passkey was added. */
  enabled_at: string
  app_enabled_at: string | null
  passkeys: number
  recovery_codes_left: number
}

/** The account's second factors; undefined without a confirmed one. */
export const findSecondFactor = async (db: Database, userId: string): Promise<SecondFactor | undefined> => {
  const { rows } = await sql<SecondFactor>`
    select least(f.confirmed_at, p.first_at) as enabled_at, f.confirmed_at as app_enabled_at, p.count as passkeys,
      (select count(*) from recovery_codes c where c.user_id = u.id) as recovery_codes_left
    from users u
    left join second_factors f on f.user_id = u.id
    cross join lateral (select count(*) as count, min(created_at) as first_at from passkeys where user_id = u.id) p
    where u.id = ${userId} and (f.confirmed_at is not null or p.count > 0)`.execute(db)
  return rows[0]
}

/** The user's organizations that require a second factor. */
export const listDemandingOrganizations = (db: Database, userId: string) =>
  db
    .selectFrom('memberships as m')
    .innerJoin('organizations as o', 'o.id', 'm.organization_id')
    .select(['o.id', 'o.name'])
    .where('m.user_id', '=', userId)
    .where('o.require_two_factor', '=', true)
    .orderBy('o.name')
    .execute()
