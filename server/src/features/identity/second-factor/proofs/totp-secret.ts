import { decrypt, encrypt, type Keys } from '../../../../platform/crypto.ts'
import { conflict } from '../../../../platform/errors.ts'

const contextOf = (userId: string) => `second_factors/secret/${userId}`

export const sealSecret = (keys: Keys, userId: string, secret: string): Buffer => encrypt(keys.encryption, secret, contextOf(userId))

/** @throws ApiError CONFLICT when it was sealed under another `SESSION_SECRET` */
export const openSecret = (keys: Keys, userId: string, sealed: Buffer): string => {
  try {
    return decrypt(keys.encryption, sealed, contextOf(userId))
  } catch {
    throw conflict('The second factor of this account cannot be read any more: the secret of this server was changed. Its operator can reset it.')
  }
}
