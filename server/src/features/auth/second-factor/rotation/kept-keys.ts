import { isoTime } from '../../../../platform/clock.ts'
import type { Platform } from '../../../../platform/context.ts'
import { decrypt, encrypt, type Keys, resealed, sha256 } from '../../../../platform/crypto.ts'
import { type Transaction, transaction } from '../../../../platform/database/transaction.ts'
import { secretContext } from '../proofs/totp.ts'
import * as query from './kept-keys.queries.ts'

const PAGE_ROWS = 500
const contextOf = (id: string): string => `kept_keys.sealed ${id}`

/** Keys of former secrets under which recovery codes may be stored; those that cannot be decrypted are left out. */
export const findKeptKeys = async (tx: Transaction, { encryption }: Pick<Keys, 'encryption'>): Promise<Buffer[]> =>
  (await query.listKeptKeys(tx)).flatMap(({ id, sealed }) => {
    try {
      return [Buffer.from(decrypt(encryption, sealed, contextOf(id)), 'base64')]
    } catch {
      return []
    }
  })

/**
 * After a rotation of `SESSION_SECRET`: encrypts the secrets of authenticator apps with the new one, and keeps the key of
 * the hashes of recovery codes.
 */
export const resealFactors = async ({ db, keys, clock }: Platform): Promise<void> => {
  for (const former of keys.recoveryCode.slice(1)) {
    const id = sha256(former).toString('hex')
    const sealed = encrypt(keys.encryption, former.toString('base64'), contextOf(id))
    await transaction(db, (tx) => query.insertKeptKey(tx, { id, sealed, kept_at: isoTime(clock.now()) }))
  }
  for (const { id, sealed } of await query.listKeptKeys(db)) {
    const renewed = resealed(keys.encryption, sealed, contextOf(id))
    if (renewed) await transaction(db, (tx) => query.updateKeptKey(tx, id, sealed, renewed))
  }
  for (let after = ''; ;) {
    const rows = await query.listSealedFactors(db, after, PAGE_ROWS)
    for (const { user_id: userId, secret } of rows) {
      const renewed = resealed(keys.encryption, secret, secretContext(userId))
      if (renewed) await transaction(db, (tx) => query.updateSealedFactor(tx, userId, secret, renewed))
    }
    after = rows.at(-1)?.user_id ?? ''
    if (rows.length < PAGE_ROWS) return
  }
}
