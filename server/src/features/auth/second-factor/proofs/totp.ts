import { generateSecret, generateURI, verifySync } from 'otplib'
import { decrypt, encrypt, type Keys } from '../../../../platform/crypto.ts'
import { conflict } from '../../../../platform/errors.ts'

/** RFC 6238 with the parameters that every authenticator app supports: SHA-1, six digits, 30 seconds. */
const PERIOD_SECONDS = 30
/** One step on either side: time to type, and clock drift. */
const TOLERANCE_SECONDS = 30

/** 160 random bits in base 32 (RFC 4226, section 4). */
export const newTotpSecret = (): string => generateSecret()

/** The URI that an authenticator app reads from a QR code. */
export const totpUri = (secret: string, email: string): string =>
  generateURI({ issuer: 'Sortie', label: email, secret })

/** @returns the step that the code belongs to, if it is right and later than the last one used */
export const matchTotp = (secret: string, code: string, lastStep: number, nowMs: number): number | undefined => {
  const newestPossible = Math.floor((nowMs / 1000 + TOLERANCE_SECONDS) / PERIOD_SECONDS)
  if (!/^\d{6}$/.test(code) || lastStep >= newestPossible) return undefined
  const result = verifySync({
    secret,
    token: code,
    epoch: Math.floor(nowMs / 1000),
    epochTolerance: TOLERANCE_SECONDS,
    afterTimeStep: lastStep,
  })
  return result.valid && 'timeStep' in result ? result.timeStep : undefined
}

/** Additional data of the encryption. */
export const secretContext = (userId: string): string => `second_factors/secret/${userId}`

export const sealSecret = (keys: Keys, userId: string, secret: string): Buffer =>
  encrypt(keys.encryption, secret, secretContext(userId))

/** @throws ApiError CONFLICT when it was encrypted under another `SESSION_SECRET` */
export const openSecret = (keys: Keys, userId: string, sealed: Buffer): string => {
  try {
    return decrypt(keys.encryption, sealed, secretContext(userId))
  } catch {
    throw conflict(
      'The second factor of this account can no longer be read: the secret of this server was changed. The operator can reset it.',
    )
  }
}
