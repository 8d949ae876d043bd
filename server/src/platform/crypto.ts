import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits in base64url: for session tokens and similar secrets. */
export const randomToken = (): string => randomBytes(32).toString('base64url')

export const sha256 = (value: string | Buffer): Buffer => hash('sha256', value, 'buffer')

/** Compares in constant time. */
export const constantTimeEqual = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)

/** Signs the message, in base64url. */
export const sign = (key: Buffer, message: string): string =>
  createHmac('sha256', key).update(message).digest('base64url')

export const verifySignature = (key: Buffer, message: string, signature: string): boolean =>
  constantTimeEqual(Buffer.from(sign(key, message)), Buffer.from(signature))

/**
 * Separate keys for each use of the one `SESSION_SECRET` (HKDF, RFC 5869): a key of one use does not work for another.
 */
export interface Keys {
  session: Buffer
  invitation: Buffer
  passwordReset: Buffer
  browserConfirmation: Buffer
  deviceLogin: Buffer
  authorizationCode: Buffer
  encryption: Buffer
  recoveryCode: Buffer
  idempotentAnswer: Buffer
  idempotentRequest: Buffer
  cursor: Buffer
}

export const deriveKeys = (secret: string): Keys => {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', secret, '', `sortie ${use} v1`, 32))
  return {
    session: derive('session'),
    invitation: derive('invitation'),
    passwordReset: derive('password-reset'),
    browserConfirmation: derive('browser-confirmation'),
    deviceLogin: derive('device-login'),
    authorizationCode: derive('authorization-code'),
    encryption: derive('encryption'),
    recoveryCode: derive('recovery-code'),
    idempotentAnswer: derive('idempotent-answer'),
    idempotentRequest: derive('idempotent-request'),
    cursor: derive('cursor'),
  }
}

/**
 * AES-256-GCM. Authenticates `context` (table, column, id) too, so that a ciphertext moved to another row does not
 * decrypt.
 */
export const encrypt = (key: Buffer, plain: string, context: string): Buffer => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

/** @throws if the key or the context differs, or the bytes were changed */
export const decrypt = (key: Buffer, sealed: Buffer, context: string): string => {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAAD(Buffer.from(context))
  decipher.setAuthTag(sealed.subarray(-16))
  return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]).toString('utf8')
}
