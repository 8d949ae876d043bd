import { createHmac, randomBytes } from 'node:crypto'
import { decrypt, encrypt, type Keys } from '../../platform/crypto.ts'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** After a rotation, the former secret also signs for this long. */
export const FORMER_SECRET_MS = 24 * 60 * 60 * 1000

/** A new secret: `whsec_` and 32 random bytes in Base64 (Standard Webhooks 1.0). */
export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64')

/** Additional data of the encryption. */
export const secretContext = (endpointId: string): string => `webhook_endpoints.secret ${endpointId}`

export const sealSecret = ({ encryption }: Pick<Keys, 'encryption'>, secret: string, endpointId: string): Buffer =>
  encrypt(encryption, secret, secretContext(endpointId))

interface Sealed {
  id: string
  secret: Buffer
  former_secret: Buffer | null
  former_secret_until: string | null
}

/** The secrets of an endpoint that sign now; none if they were sealed with another SESSION_SECRET. */
export const openSecrets = (keys: Pick<Keys, 'encryption'>, endpoint: Sealed, now: number): string[] => {
  const { id, secret, former_secret: former, former_secret_until: until } = endpoint
  const current = openSecret(keys, secret, id)
  if (current === undefined) return []
  const isFormerValid = former !== null && until !== null && Date.parse(until) > now
  const earlier = isFormerValid ? openSecret(keys, former, id) : undefined
  return earlier === undefined ? [current] : [current, earlier]
}

const openSecret = (
  { encryption }: Pick<Keys, 'encryption'>,
  sealed: Buffer,
  endpointId: string,
): string | undefined => {
  try {
    return decrypt(encryption, sealed, secretContext(endpointId))
  } catch {
    // It was sealed with another key, as after a restore with another SESSION_SECRET.
    return undefined
  }
}

interface Signed {
  id: string
  /** Seconds since 1970. */
  timestamp: number
  body: string
}

/** The header `webhook-signature`: one signature for each secret, separated by spaces. */
export const signatureOf = (secrets: readonly string[], { id, timestamp, body }: Signed): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
    })
    .join(' ')
