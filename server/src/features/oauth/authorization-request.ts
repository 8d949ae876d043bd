import { type Scope, SCOPE_NAMES } from '@sortie/contract/core/scopes.ts'
import type { Config } from '../../platform/config.ts'
import { invalid } from '../../platform/errors.ts'
import { isStorable } from '../../platform/text/text.ts'
import { MCP_PATH } from '../mcp/paths.ts'
import type { ClientDocument, ReadClientDocument } from './client-documents.ts'

/** The hosts of RFC 8252, section 7.3, and `localhost`, which most clients use. */
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])
const MAX_URI_LENGTH = 1_000
const MAX_STATE_LENGTH = 2_000
const PRINTABLE = /^[\x21-\x7e]+$/
/** A SHA-256 in base64url (RFC 7636, section 4.2). */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/

type Settings = Pick<Config, 'FRONTEND_URL'>

export const issuerOf = ({ FRONTEND_URL }: Settings): string => new URL(FRONTEND_URL).origin

/** The identifier of the protected resource: the address of MCP. */
export const resourceOf = ({ FRONTEND_URL }: Settings): string => new URL(MCP_PATH, FRONTEND_URL).href

/** Errors of RFC 6749, section 4.1.2.1, and of RFC 8707, section 2. */
type RequestError =
  | 'invalid_request'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'access_denied'

/** A request of a client whose document and redirect URI are valid. */
export interface AuthorizationRequest {
  client: ClientDocument
  redirectUri: string
  state: string | undefined
  /** What the client asks for. */
  scopes: readonly Scope[]
  codeChallenge: string
  /** The resource that the key is for. */
  resource: string
  /** What is wrong with the rest of the request: the client may learn that. */
  problem: { error: RequestError; description: string } | undefined
}

/**
 * Reads an authorization request (RFC 6749, section 4.1.1; RFC 7636; RFC 8707).
 *
 * @param encoded its query in base64url
 * @throws ApiError VALIDATION_ERROR while the client or its redirect URI are not verified: the redirect URI gets nothing
 */
export const readRequest = async (
  config: Settings,
  readDocument: ReadClientDocument,
  encoded: string,
): Promise<AuthorizationRequest> => {
  const query = new URLSearchParams(Buffer.from(encoded, 'base64url').toString('utf8'))
  const names = [...query.keys()]
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined && ['client_id', 'redirect_uri', 'state'].includes(repeated))
    throw invalid(`${repeated}: must be given once`)
  const clientId = query.get('client_id')
  const redirectUri = query.get('redirect_uri')
  const state = query.get('state') ?? undefined
  if (!clientId) throw invalid('client_id: must be the address of a document, as it is spelled in it')
  if (!redirectUri || !PRINTABLE.test(redirectUri)) throw invalid('redirect_uri: must be given, in ASCII')
  if (state !== undefined && (state.length > MAX_STATE_LENGTH || !isStorable(state)))
    throw invalid(`state: must have at most ${MAX_STATE_LENGTH} characters`)
  const client = await readDocument(clientId)
  requireRedirectUri(client, redirectUri)
  const problem = problemOf(query, repeated, resourceOf(config))
  return {
    client,
    redirectUri,
    state,
    scopes: scopesOf(query),
    codeChallenge: query.get('code_challenge') ?? '',
    resource: resourceOf(config),
    problem,
  }
}

const problemOf = (query: URLSearchParams, repeated: string | undefined, resource: string) => {
  const problem = (error: RequestError, description: string) => ({ error, description })
  // RFC 8707 permits several resources; there is one.
  if (repeated === 'resource') return problem('invalid_target', `The only resource is ${resource}.`)
  if (repeated !== undefined) return problem('invalid_request', `${repeated} must be given once.`)
  if (query.get('response_type') !== 'code') return problem('unsupported_response_type', 'response_type must be code.')
  if (query.get('code_challenge_method') !== 'S256')
    return problem('invalid_request', 'code_challenge_method must be S256.')
  if (!CHALLENGE.test(query.get('code_challenge') ?? ''))
    return problem('invalid_request', 'code_challenge must be a SHA-256 in base64url.')
  if (query.get('resource') !== resource) return problem('invalid_target', `resource must be ${resource}.`)
  if (scopesOf(query).length === 0)
    return problem('invalid_scope', `None of the scopes exists. The scopes are: ${SCOPE_NAMES.join(' ')}.`)
  return undefined
}

/** Those that exist, since clients also ask for scopes of other servers; without the parameter, all of them. */
const scopesOf = (query: URLSearchParams): Scope[] => {
  const wanted = (query.get('scope') ?? '').split(' ').filter((name) => name !== '')
  return wanted.length === 0 ? [...SCOPE_NAMES] : SCOPE_NAMES.filter((name) => wanted.includes(name))
}

/** @throws ApiError VALIDATION_ERROR */
const requireRedirectUri = (client: ClientDocument, wanted: string): void => {
  const listed = client.redirectUris.some((uri) => isSameRedirect(uri, wanted))
  if (!listed) throw invalid('redirect_uri: must be one of those in the document of the client')
  if (wanted.length > MAX_URI_LENGTH) throw invalid(`redirect_uri: must have at most ${MAX_URI_LENGTH} characters`)
  const url = URL.canParse(wanted) ? new URL(wanted) : undefined
  const isPermitted = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.has(url.hostname))
  if (!url || !isPermitted)
    throw invalid('redirect_uri: must start with https://, or with http:// for a loopback address')
  if (url.username !== '' || url.password !== '' || wanted.includes('#'))
    throw invalid('redirect_uri: must have no user name, no password and no fragment')
}

/** Character by character, but at a loopback address with any port (RFC 8252, section 7.3). */
const isSameRedirect = (listed: string, wanted: string): boolean => {
  if (listed === wanted) return true
  const [a, b] = [withoutLoopbackPort(listed), withoutLoopbackPort(wanted)]
  return a !== undefined && a === b
}

/** Undefined unless it is http at a loopback address. */
const withoutLoopbackPort = (uri: string): string | undefined => {
  const parts = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::(\d{1,5}))?((?:[/?].*)?)$/.exec(uri)
  return parts && Number(parts[2] ?? 80) <= 65_535 ? `${parts[1]} ${parts[3] === '' ? '/' : parts[3]}` : undefined
}

/** Whether the redirect URI leads to a program on the person's own computer. */
export const isLocal = (redirectUri: string): boolean => LOOPBACK.has(new URL(redirectUri).hostname)

/** Where the browser goes with an answer: code or error, `state`, and the issuer (RFC 9207). */
export const redirectWith = (
  config: Settings,
  { redirectUri, state }: { redirectUri: string; state: string | undefined },
  answer: Readonly<Record<string, string>>,
): string => {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
  if (state !== undefined) url.searchParams.set('state', state)
  url.searchParams.set('iss', issuerOf(config))
  return url.href
}
