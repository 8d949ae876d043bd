import { generateSecret, generateURI, verifySync } from 'otplib'

/** RFC 6238 with what every authenticator app knows: SHA-1, six digits, 30 seconds. */
const PERIOD_SECONDS = 30
/** One step on either side: the time to type, and a clock that is off. */
const TOLERANCE_SECONDS = 30

/** 160 random bits in base 32 (RFC 4226, section 4). */
export const newTotpSecret = (): string => generateSecret()

/** What an authenticator app reads from a QR code. */
export const totpUri = (secret: string, email: string): string => generateURI({ issuer: 'Sortie', label: email, secret })

/** @returns the step that the code belongs to, if it is right and later than the last one used */
export const matchTotp = (secret: string, code: string, lastStep: number, nowMs: number): number | undefined => {
  const newestPossible = Math.floor((nowMs / 1000 + TOLERANCE_SECONDS) / PERIOD_SECONDS)
  if (!/^\d{6}$/.test(code) || lastStep >= newestPossible) return undefined
  const result = verifySync({ secret, token: code, epoch: Math.floor(nowMs / 1000), epochTolerance: TOLERANCE_SECONDS, afterTimeStep: lastStep })
  return result.valid && 'timeStep' in result ? result.timeStep : undefined
}
