import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits in base64url: for session tokens and similar secrets. */
export const randomToken = (): string => randomBytes(32).toString('base64url')

export const sha256 = (value: string | Buffer): Buffer => hash('sha256', value, 'buffer')

/** Compares in constant time. */
export const constantTimeEqual = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)

/**
 * A key of each `SESSION_SECRET`, the newest first: that one signs and encrypts, and each of them verifies and decrypts.
 */
export type Key = readonly [newest: Buffer, ...former: Buffer[]]

const signWith = (key: Buffer, message: string): string => createHmac('sha256', key).update(message).digest('base64url')

/** Signs the message with the newest key, in base64url. */
export const sign = (key: Key, message: string): string => signWith(key[0], message)

/** The signature of each key, the newest first: to find what a former one signed. */
export const signaturesOf = (key: Key, message: string): string[] => key.map((each) => signWith(each, message))

/** The first of these tokens whose hash is stored; the newest if none is. */
export const tokenOfHash = (tokens: readonly string[], stored: Buffer): string =>
  tokens.find((token) => sha256(token).equals(stored)) ?? (tokens[0] as string)

export const verifySignature = (key: Key, message: string, signature: string): boolean =>
  signaturesOf(key, message).some((each) => constantTimeEqual(Buffer.from(each), Buffer.from(signature)))

/**
 * Separate keys for each use of the one `SESSION_SECRET` (HKDF, RFC 5869): a key of one use does not work for another.
 */
export interface Keys {
  session: Key
  invitation: Key
  passwordReset: Key
  browserConfirmation: Key
  deviceLogin: Key
  authorizationCode: Key
  encryption: Key
  recoveryCode: Key
  idempotentAnswer: Key
  idempotentRequest: Key
  cursor: Key
  doctor: Key
}

/** The shortest secret. */
export const MIN_SECRET_LENGTH = 32

/** The values of `SESSION_SECRET`, the newest first: two are separated by a comma. The configuration checks them. */
export const secretsIn = (text: string): readonly [string, ...string[]] => {
  const [newest = '', ...former] = text.split(',').map((part) => part.trim())
  return [newest, ...former]
}

/** @param text the value of `SESSION_SECRET` */
export const deriveKeys = (text: string): Keys => {
  const [newest, ...former] = secretsIn(text)
  const deriveOne = (secret: string, use: string) => Buffer.from(hkdfSync('sha256', secret, '', `sortie ${use} v1`, 32))
  const derive = (use: string): Key => [deriveOne(newest, use), ...former.map((secret) => deriveOne(secret, use))]
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
    doctor: derive('doctor'),
  }
}

/**
 * AES-256-GCM. Authenticates `context` (table, column, id) too, so that a ciphertext moved to another row does not
 * decrypt.
 */
export const encrypt = ([key]: Key, plain: string, context: string): Buffer => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

/** @throws if every key or the context differs, or the bytes were changed */
export const decrypt = (key: Key, sealed: Buffer, context: string): string => {
  const [newest, ...former] = key
  try {
    return decryptWith(newest, sealed, context)
  } catch (error) {
    // There are two secrets at most.
    if (former[0] === undefined) throw error
    return decryptWith(former[0], sealed, context)
  }
}

/**
 * Encrypts with the newest key what a former one encrypted.
 *
 * @returns undefined if there is nothing to do: the newest key opens it, or none does
 */
export const resealed = (key: Key, sealed: Buffer, context: string): Buffer | undefined => {
  try {
    decryptWith(key[0], sealed, context)
    return undefined
  } catch {
    for (const former of key.slice(1)) {
      try {
        return encrypt(key, decryptWith(former, sealed, context), context)
      } catch {
        // The secret of none of them.
      }
    }
    return undefined
  }
}

const decryptWith = (key: Buffer, sealed: Buffer, context: string): string => {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAAD(Buffer.from(context))
  decipher.setAuthTag(sealed.subarray(-16))
  return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]).toString('utf8')
}
