import type { Auth } from '@sortie/contract/request-parts.ts'
import type { Static } from 'typebox'
import { decrypt, encrypt, type Keys } from '../../platform/crypto.ts'
import { ApiError, invalid } from '../../platform/errors.ts'
import { hasVariable, withVariables } from './sending/variables.ts'

/** Which row and column a secret is sealed for: anywhere else it does not open. */
interface SecretPlace {
  organizationId: string
  column: 'api_requests.auth_secret' | 'request_folders.auth_secret' | 'request_environments.secrets'
  id: string
}

const contextOf = ({ organizationId, column, id }: SecretPlace): string => `${column} ${organizationId} ${id}`

/** Null for nothing. */
export const sealSecrets = (keys: Keys, place: SecretPlace, secrets: Record<string, string>): Buffer | null =>
  Object.keys(secrets).length === 0 ? null : encrypt(keys.encryption, JSON.stringify(secrets), contextOf(place))

/** @throws ApiError CONFLICT where they were sealed under another key: SESSION_SECRET was changed, or the row was */
export const openSecrets = (keys: Keys, place: SecretPlace, sealed: Buffer | null): Record<string, string> => {
  if (sealed === null) return {}
  try {
    return JSON.parse(decrypt(keys.encryption, sealed, contextOf(place))) as Record<string, string>
  } catch (cause) {
    throw new ApiError('CONFLICT', 'A stored secret cannot be opened any more: the operator changed SESSION_SECRET. Enter it again.', { cause })
  }
}

/** The same for writing them anew: what cannot be opened is as if it had never been there. */
export const openKeptSecrets = (...[keys, place, sealed]: Parameters<typeof openSecrets>): Record<string, string> => {
  try {
    return openSecrets(keys, place, sealed)
  } catch (error) {
    if (error instanceof ApiError) return {}
    throw error
  }
}

export type AuthInput = Static<typeof Auth>

/** The field of each type that is a password or token. */
export const SECRET_FIELDS = { basic: 'password', bearer: 'token', header: 'value', query: 'value', inherit: undefined, none: undefined } as const
const PLAIN_FIELDS = { basic: ['username'], bearer: [], header: ['name'], query: ['name'], inherit: [], none: [] } as const

/** Auth as it is stored: what may be shown, and the secret apart. */
export interface StoredAuth {
  shown: AuthInput
  secrets: Record<string, string>
}

/**
 * Keeps the fields of the type alone. What holds a variable is no secret: it says where one comes from.
 *
 * @param kept the secret that `null` stands for, if the type was the same
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

/** With its secret, for sending. */
export const joinAuth = ({ shown, secrets }: StoredAuth): AuthInput => ({ ...shown, ...secrets })

/** A text in place of each variable, with letters that every part of an address can hold. */
const PLACEHOLDER = 'sortie-variable-7b1f'

/**
 * Scheme, host and port of a written address, as the parser reads them that sends it (finding S21); undefined where a variable
 * decides one of them, or where it is no address.
 */
const originOf = (address: string): string | undefined => {
  const text = withVariables(address, PLACEHOLDER)
  if (!URL.canParse(text)) return undefined
  const { protocol, username, password, host } = new URL(text)
  const decisive = `${protocol}//${username}:${password}@${host}`
  return decisive.toLowerCase().includes(PLACEHOLDER) ? undefined : `${protocol}//${host}`
}

/** The host that a stored secret belongs to; undefined where the address names none without its variables. */
export const hostOfSecret = (address: string): string | undefined => {
  const origin = originOf(address)
  return origin === undefined ? undefined : new URL(origin).hostname
}

/** `http:///host/`, `http:host/` and `http:\\host/`: parsers differ in what their host is. */
const WITHOUT_HOST = /^\s*https?:(?!\/\/(?:[^/\\\s]|$))/i

/** Why an address is refused, whatever its variables are. */
export const problemOfAddress = (address: string): string | undefined =>
  WITHOUT_HOST.test(address) ? 'must name a host right after http:// or https://' : undefined

/** @throws ApiError VALIDATION_ERROR */
export const requireHost = (address: string): void => {
  const problem = problemOfAddress(address)
  if (problem !== undefined) throw invalid(`url: ${problem}`)
}

/**
 * A stored secret goes to the host that it was typed for: whoever sends it elsewhere has to know it.
 *
 * @param written as it came in; undefined keeps what is stored
 * @throws ApiError VALIDATION_ERROR
 */
export const requireSecretForHost = (stored: StoredAuth, before: string, written: AuthInput | undefined, url: string): void => {
  const { type } = stored.shown
  const field = SECRET_FIELDS[type]
  if (!field || stored.secrets[field] === undefined || before === url) return
  const origin = originOf(url)
  if (origin !== undefined && origin === originOf(before)) return
  if (isKept(stored, written)) throw invalid('auth: its secret was stored for another host. Enter it again, or take it from a variable.')
}

/** Whether what is written leaves the stored secret as it is. */
export const isKept = ({ shown: { type } }: StoredAuth, written: AuthInput | undefined): boolean => {
  const field = SECRET_FIELDS[type]
  return written === undefined || (written.type === type && field !== undefined && (written[field] ?? null) === null)
}

/** Whether a stored secret is sent. @param written as it came in where it is sent without being saved */
export const usesStoredSecret = (stored: StoredAuth, written?: AuthInput): boolean => Object.keys(stored.secrets).length > 0 && isKept(stored, written)

/**
 * A host that a variable names is another one for whoever may change the variable, so that no stored secret belongs to it.
 *
 * @param written as it came in where it is sent without being saved: what was typed just now is known to whoever sends it
 * @throws ApiError VALIDATION_ERROR
 */
export const requireHostForSecret = (stored: StoredAuth, url: string, written?: AuthInput): void => {
  if (!usesStoredSecret(stored, written) || !hasVariable(url) || originOf(url) !== undefined) return
  throw invalid('auth: a stored secret belongs to one host, and here a variable names the host. Take the secret from a variable as well, such as {{token}}.')
}
