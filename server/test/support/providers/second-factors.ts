import { randomBytes } from 'node:crypto'
import { newRecoveryCodes, recoveryCodeHash } from '../../../src/features/auth/second-factor/proofs/recovery-codes.ts'
import { isoTime } from '../../../src/platform/clock.ts'
import { newId } from '../../../src/platform/ids.ts'
import type { TestApp } from '../app/test-app.ts'

/**
 * Gives an account a second factor and keeps its sessions: a passkey without an authenticator. @returns its recovery
 * codes
 */
export const giveSecondFactor = async ({ db, clock, platform }: TestApp, userId: string): Promise<string[]> => {
  const codes = newRecoveryCodes()
  await db
    .insertInto('passkeys')
    .values({
      id: newId('pky', clock.now()),
      user_id: userId,
      name: 'a key',
      credential_id: randomBytes(16),
      public_key: randomBytes(32),
      sign_count: 0,
      transports: [],
      created_at: isoTime(clock.now()),
    })
    .execute()
  await db
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, code_hash: recoveryCodeHash(platform.keys, userId, code) })))
    .execute()
  return codes
}
