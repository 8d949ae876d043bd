import type { Auth } from '@sortie/contract/requests/request-parts.ts'
import type { Static } from 'typebox'
import { decrypt, encrypt, type Keys } from '../../platform/crypto.ts'
import { ApiError, invalid } from '../../platform/errors.ts'
import { hasVariable, withVariables } from './sending/build/variables.ts'

/** The row and column that a secret is encrypted for; it cannot be decrypted for another one. */
interface SecretPlace {
  organizationId: string
  column: 'api_requests.auth_secret' | 'request_folders.auth_secret' | 'request_environments.secrets'
  id: string
}

/** Additional data of the encryption. */
export const secretContext = ({ organizationId, column, id }: SecretPlace): string =>
  `${column} ${organizationId} ${id}`

/** Returns null if there are no secrets. */
export const sealSecrets = (keys: Keys, place: SecretPlace, secrets: Record<string, string>): Buffer | null =>
  Object.keys(secrets).length === 0 ? null : encrypt(keys.encryption, JSON.stringify(secrets), secretContext(place))

/** @throws ApiError CONFLICT if the key differs (SESSION_SECRET was changed) or the value belongs to another row */
export const openSecrets = (keys: Keys, place: SecretPlace, sealed: Buffer | null): Record<string, string> => {
  if (sealed === null) return {}
  try {
    return JSON.parse(decrypt(keys.encryption, sealed, secretContext(place))) as Record<string, string>
  } catch (cause) {
    throw new ApiError(
      'CONFLICT',
      'A stored secret can no longer be read: the operator changed SESSION_SECRET. Enter it again.',
      { cause },
    )
  }
}

/** Decrypts secrets for an update; secrets that cannot be decrypted are dropped. */
export const openKeptSecrets = (...[keys, place, sealed]: Parameters<typeof openSecrets>): Record<string, string> => {
  try {
    return openSecrets(keys, place, sealed)
  } catch (error) {
    if (error instanceof ApiError) return {}
    throw error
  }
}

export type AuthInput = Static<typeof Auth>

/** The secret field of each type. */
export const SECRET_FIELDS = {
  basic: 'password',
  bearer: 'token',
  header: 'value',
  query: 'value',
  inherit: undefined,
  none: undefined,
} as const
const PLAIN_FIELDS = {
  basic: ['username'],
  bearer: [],
  header: ['name'],
  query: ['name'],
  inherit: [],
  none: [],
} as const

/** Stored auth: the visible fields, with the secret separate. */
export interface StoredAuth {
  shown: AuthInput
  secrets: Record<string, string>
}

/**
 * Keeps only the fields of the type. A value with a variable is not a secret: it names the source of one.
 *
 * @param kept the stored secret that `null` refers to, if the type is unchanged
 */
export const splitAuth = (input: AuthInput, kept: StoredAuth | undefined): StoredAuth => {
  const { type } = input
  const shown: AuthInput = { type }
  for (const field of PLAIN_FIELDS[type]) shown[field] = input[field] ?? ''
  const field = SECRET_FIELDS[type]
  if (!field) return { shown, secrets: {} }
  const old = kept?.shown.type === type ? kept : undefined
  const value = input[field] ?? old?.secrets[field] ?? old?.shown[field] ?? null
  if (value === null || value === '') return { shown: { ...shown, [field]: null, isSet: false }, secrets: {} }
  if (value.includes('{{')) return { shown: { ...shown, [field]: value, isSet: true }, secrets: {} }
  return { shown: { ...shown, [field]: null, isSet: true }, secrets: { [field]: value } }
}

/** Adds the secret to the visible fields, for sending. */
export const joinAuth = ({ shown, secrets }: StoredAuth): AuthInput => ({ ...shown, ...secrets })

/** Replaces variables; its characters are valid in every part of a URL. */
const PLACEHOLDER = 'sortie-variable-7b1f'

/**
 * Returns scheme, host and port of a URL, parsed by the parser that sends it (finding T21); undefined if a variable
 * determines one of them, or if the URL is invalid.
 */
const originOf = (address: string): string | undefined => {
  const text = withVariables(address, PLACEHOLDER)
  if (!URL.canParse(text)) return undefined
  const { protocol, username, password, host } = new URL(text)
  const decisive = `${protocol}//${username}:${password}@${host}`
  return decisive.toLowerCase().includes(PLACEHOLDER) ? undefined : `${protocol}//${host}`
}

/** Returns the host of a stored secret; undefined if the URL names no host without its variables. */
export const hostOfSecret = (address: string): string | undefined => {
  const origin = originOf(address)
  return origin === undefined ? undefined : new URL(origin).hostname
}

/** `http:///host/`, `http:host/` and `http:\\host/`: parsers disagree on their host. */
const WITHOUT_HOST = /^\s*https?:(?!\/\/(?:[^/\\\s]|$))/i

/** Returns why a URL is rejected, whatever its variables are. */
export const problemOfAddress = (address: string): string | undefined =>
  WITHOUT_HOST.test(address) ? 'must name a host right after http:// or https://' : undefined

/** @throws ApiError VALIDATION_ERROR */
export const requireHost = (address: string): void => {
  const problem = problemOfAddress(address)
  if (problem !== undefined) throw invalid(`url: ${problem}`)
}

/**
 * A stored secret is only for the host that it was entered for. To send it elsewhere, the user must enter it again.
 *
 * @param written auth of the input; undefined keeps the stored one
 * @throws ApiError VALIDATION_ERROR
 */
export const requireSecretForHost = (
  stored: StoredAuth,
  before: string,
  written: AuthInput | undefined,
  url: string,
): void => {
  const { type } = stored.shown
  const field = SECRET_FIELDS[type]
  if (!field || stored.secrets[field] === undefined || before === url) return
  const origin = originOf(url)
  if (origin !== undefined && origin === originOf(before)) return
  if (isKept(stored, written))
    throw invalid('auth: its secret was stored for another host. Enter it again, or take it from a variable.')
}

/** True if the input keeps the stored secret. */
export const isKept = ({ shown: { type } }: StoredAuth, written: AuthInput | undefined): boolean => {
  const field = SECRET_FIELDS[type]
  return written === undefined || (written.type === type && field !== undefined && (written[field] ?? null) === null)
}

/** True if a stored secret is sent. @param written auth of the input, if it is sent without being saved */
export const usesStoredSecret = (stored: StoredAuth, written?: AuthInput): boolean =>
  Object.keys(stored.secrets).length > 0 && isKept(stored, written)

/**
 * A user who can change a variable could redirect a host that it names, so no stored secret may be used with such a
 * host.
 *
 * @param written auth of the input, if it is sent without being saved: the sender knows a secret that they enter
 * @throws ApiError VALIDATION_ERROR
 */
export const requireHostForSecret = (stored: StoredAuth, url: string, written?: AuthInput): void => {
  if (!usesStoredSecret(stored, written) || !hasVariable(url) || originOf(url) !== undefined) return
  throw invalid(
    'auth: a stored secret belongs to one host, and here a variable names the host. Take the secret from a variable as well, such as {{token}}.',
  )
}
