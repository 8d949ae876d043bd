import type { Insertable } from 'kysely'
import type { Database } from '../../../../platform/database/connection/open.ts'
import { countDeleted } from '../../../../platform/database/rows.ts'
import type { Transaction } from '../../../../platform/database/transaction.ts'
import type { Passkeys } from '../../../../platform/database/types.gen.ts'

/** Why a browser signs a challenge. */
export type Purpose = 'enrol' | 'confirm' | 'sign-in'

const SHOWN = ['id', 'name', 'created_at', 'last_used_at'] as const

export const listPasskeys = (db: Database, userId: string) =>
  db
    .selectFrom('passkeys')
    .select([...SHOWN, 'credential_id', 'transports'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()

/** @returns undefined if an account already has this passkey */
export const insertPasskey = (tx: Transaction, passkey: Insertable<Passkeys>) =>
  tx
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(SHOWN)
    .executeTakeFirst()

/** Locks the row: of two responses with the same counter the second is not newer. */
export const lockPasskey = (tx: Transaction, userId: string, credentialId: Buffer) =>
  tx
    .selectFrom('passkeys')
    .select(['id', 'public_key', 'sign_count'])
    .where('user_id', '=', userId)
    .where('credential_id', '=', credentialId)
    .forUpdate()
    .executeTakeFirst()

export const updateUse = async (
  tx: Transaction,
  userId: string,
  passkeyId: string,
  signCount: number,
  now: string,
): Promise<void> => {
  await tx
    .updateTable('passkeys')
    .set({ sign_count: signCount, last_used_at: now })
    .where('user_id', '=', userId)
    .where('id', '=', passkeyId)
    .execute()
}

export const updatePasskeyName = (tx: Transaction, userId: string, passkeyId: string, name: string) =>
  tx
    .updateTable('passkeys')
    .set({ name })
    .where('user_id', '=', userId)
    .where('id', '=', passkeyId)
    .returning(SHOWN)
    .executeTakeFirst()

export const findPasskey = (db: Database, userId: string, passkeyId: string) =>
  db.selectFrom('passkeys').select(SHOWN).where('user_id', '=', userId).where('id', '=', passkeyId).executeTakeFirst()

export const deletePasskey = async (tx: Transaction, userId: string, passkeyId: string): Promise<void> => {
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).where('id', '=', passkeyId).execute()
}

/** @returns how many there were */
export const deletePasskeysOfUser = (tx: Transaction, userId: string): Promise<number> =>
  countDeleted(tx.deleteFrom('passkeys').where('user_id', '=', userId))

/** Replaces the previous challenge of the same holder and purpose. */
export const putChallenge = async (
  tx: Transaction,
  challenge: { purpose: Purpose; holder: Buffer; challenge: string; expires_at: string },
): Promise<void> => {
  await tx
    .insertInto('passkey_challenges')
    .values(challenge)
    .onConflict((conflict) =>
      conflict
        .columns(['purpose', 'holder'])
        .doUpdateSet({ challenge: challenge.challenge, expires_at: challenge.expires_at }),
    )
    .execute()
}

/** @returns the challenge, which works once */
export const consumeChallenge = async (
  tx: Transaction,
  purpose: Purpose,
  holder: Buffer,
  now: string,
): Promise<string | undefined> => {
  const row = await tx
    .deleteFrom('passkey_challenges')
    .where('purpose', '=', purpose)
    .where('holder', '=', holder)
    .returning(['challenge', 'expires_at'])
    .executeTakeFirst()
  return row && row.expires_at > now ? row.challenge : undefined
}

export const deleteEndedChallenges = async (db: Database, now: string): Promise<void> => {
  await db.deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute()
}

export const deleteEveryChallenge = async (tx: Transaction): Promise<void> => {
  await tx.deleteFrom('passkey_challenges').execute()
}
